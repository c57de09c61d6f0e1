import Contacts
import VCard

/// The texts of properties that a card has several of, but a contact one field for: a second NOTE, NICKNAME, TITLE or
/// ORG, a name or pronouns in another language. They are shown and found, but only the preferred one is edited.
public enum FurtherTexts {
  private static let names: [StaticString] = [
    "NOTE", "NICKNAME", "TITLE", "ORG", "FN", "N", "PRONOUNS", "GRAMGENDER",
  ]

  /// Returns the further texts of a card, as a contact keeps it, with their fields.
  public static func texts(in lines: [String]) -> [(field: ContactField.Text, text: String)] {
    var seen: UInt8 = 0
    var hasSeveral = false
    for line in lines where !hasSeveral {
      let bit = bit(of: line.utf8)
      hasSeveral = seen & bit != 0
      seen |= bit
    }
    return hasSeveral ? ParsedCard(kept: lines, .standard).furtherTexts : []
  }

  /// Returns whether a card may have such texts, quickly.
  /// - Parameter json: its lines as a JSON array of strings in UTF-8, without blanks.
  public static func mayOccur(in json: UnsafeBufferPointer<UInt8>) -> Bool {
    var seen: UInt8 = 0
    var position = 1
    while position < json.count {
      let separator = json[position - 1]
      if json[position] == UInt8(ascii: "\""), separator == UInt8(ascii: ",") || separator == UInt8(ascii: "[") {
        let bit = bit(of: json[(position + 1)...])
        if seen & bit != 0 { return true }
        seen |= bit
      }
      position += 1
    }
    return false
  }

  /// Returns a bit for each of the properties; 0 for any other line.
  private static func bit(of line: some Sequence<UInt8>) -> UInt8 {
    var matches = UInt8.max
    var count = 0
    for byte in line {
      switch byte {
      case UInt8(ascii: "."): (matches, count) = (UInt8.max, 0)
      case UInt8(ascii: ":"), UInt8(ascii: ";"):
        for (index, name) in names.enumerated() where matches & 1 << index != 0 && name.utf8CodeUnitCount == count {
          return 1 << index
        }
        return 0
      default:
        for (index, name) in names.enumerated() where matches != 0 && matches & 1 << index != 0 {
          let isSame = count < name.utf8CodeUnitCount && name.utf8Start[count] == byte & 0xDF
          if !isSame { matches &= ~(1 << index) }
        }
        count += 1
        // A group may follow.
        if count > 40 { return 0 }
      }
    }
    return 0
  }
}

extension ParsedCard {
  /// The texts of lines without a field because another line of their property has it.
  fileprivate var furtherTexts: [(field: ContactField.Text, text: String)] {
    let texts = ContactFields.standard.texts
    return lines.indices.compactMap { index -> (field: ContactField.Text, text: String)? in
      guard fields[index] == nil else { return nil }
      switch field(of: lines[index], label: nil) {
      case .text(let field, let text): return text.isEmpty || text == contact[field] ? nil : (field, text)
      case .shownName(let name): return further(name)
      case .parts(let parts, let values) where parts.property == "N":
        var person = Contact()
        for (field, value) in zip(parts.fields, values) { person[field] = value }
        return further(person.composedName)
      case .parts(let parts, let values):
        let text = values.filter { !$0.isEmpty }.joined(separator: " / ")
        return parts.fields.first.flatMap { text.isEmpty ? nil : ($0, text) }
      default: return nil
      }
      func further(_ name: String) -> (field: ContactField.Text, text: String)? {
        guard let field = texts.first(where: { $0.role == .fullName }), !name.isEmpty, name != contact.displayName
        else {
          return nil
        }
        return (field, name)
      }
    }
  }
}

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
    (created, modified, contacted) = (other.created, other.modified, other.contacted)
  }

  /// Returns the digest of the contact's photo: that of the summary, or else of these bytes.
  func digest(of photo: CardBinary) -> String { self.photo?.sha256 ?? SHA256.hexadecimal(of: photo.bytes) }
}
