import Contacts
import VCard

extension ParsedCard {
  /// Returns the lines of a contact's card in the version of the kept lines; nil if the contact has changed, or if the
  /// kept lines have no name. Most contacts of a book have not changed, and need no comparison field by field.
  func lines(ifUnchanged contact: Contact, _ photo: CardBinary?) -> [CardLine]? {
    guard hasName, (photo == nil) == (photoIndex == nil) else { return nil }
    guard isUnchanged(contact), self.contact.uid.isEmpty || self.contact.uid == contact.uid else {
      return nil
    }
    var lines = self.lines
    if let photo, let photoIndex {
      guard contact.digest(of: photo) == photoDigest else { return nil }
      lines[photoIndex] = PhotoLine.filled(lines[photoIndex], photo.bytes)
    }
    if self.contact.uid == contact.uid { return lines }
    return CardFieldMaker(contact, version: version).lines(of: .uid(contact.uid)) + lines
  }

  private func isUnchanged(_ contact: Contact) -> Bool {
    var now = contact
    now.cardLines = []
    now.photo = nil
    // Compare the contacts directly first: they are nearly always equal, and making their comparable forms takes much
    // longer.
    now.adoptIdentity(of: self.contact)
    return now == self.contact || now.comparable == self.contact.comparable
  }
}

extension Contact {
  /// Copies from another contact the properties that ``comparable`` ignores.
  fileprivate mutating func adoptIdentity(of other: Contact) {
    (id, uid, version) = (other.id, other.uid, other.version)
    (created, modified) = (other.created, other.modified)
  }

  /// Returns the digest of the contact's photo: that of the summary, or else of these bytes.
  func digest(of photo: CardBinary) -> String { self.photo?.sha256 ?? SHA256.hexadecimal(of: photo.bytes) }
}
