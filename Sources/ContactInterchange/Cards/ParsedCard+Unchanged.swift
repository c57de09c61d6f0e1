import Contacts
import VCard

extension ParsedCard {
  /// The lines of a contact's card in the version of the kept lines; nil if the contact has changed. Most contacts of a
  /// book have not, and need no comparison field by field.
  func lines(ifUnchanged contact: Contact, _ photo: CardBinary?) -> [CardLine]? {
    guard hasName, (photo == nil) == (photoIndex == nil) else { return nil }
    var now = contact.comparable
    now.cardLines = []
    now.photo = nil
    guard now == self.contact.comparable, self.contact.uid.isEmpty || self.contact.uid == contact.uid else {
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
}

extension Contact {
  /// The digest of the contact's photo.
  func digest(of photo: CardBinary) -> String { self.photo?.sha256 ?? SHA256.hexadecimal(of: photo.bytes) }
}
