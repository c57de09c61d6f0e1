import AddressBookModel
import ContactInterchange
import Contacts
import VCard

/// An encoder of contacts as vCards, jCards and JSContact Cards.
public struct CardExporter: Sendable {
  private let contacts: ContactCardWriter
  private let groupsWithCard: Set<String>
  private let escapesCommas: Bool

  /// - Parameters:
  ///   - version: the version of the vCards: `2.1`, `3.0` or `4.0`; nil for each card's original version, or 3.0 for a
  ///     contact that was not imported from a card.
  ///   - groupsWithCard: the groups whose own cards name their members: the card of a contact only names such a group
  ///     if it did so when it was imported.
  public init(version: String?, groupsWithCard: Set<String> = []) {
    self.init(cardVersion: version.flatMap(CardVersion.init), groupsWithCard: groupsWithCard)
  }

  /// - Parameter escapesCommas: whether commas are escaped also in lines that nobody edited.
  package init(cardVersion: CardVersion?, groupsWithCard: Set<String>, escapesCommas: Bool = false) {
    self.groupsWithCard = groupsWithCard
    self.escapesCommas = escapesCommas
    contacts = ContactCardWriter(version: cardVersion)
  }

  /// Returns the card of a contact with its photo, in UTF-8 with CR LF.
  public func card(of contact: Contact, photo: Photo?) -> [UInt8] { card(of: contact, binary: photo?.binary) }

  /// Appends the card of a contact.
  public func append(_ contact: Contact, photo: Photo?, to bytes: inout [UInt8]) {
    append(contact, binary: photo?.binary, to: &bytes)
  }

  /// Returns the card of a contact, with its photo as cards have it.
  package func card(of contact: Contact, binary: CardBinary?) -> [UInt8] {
    var bytes: [UInt8] = []
    append(contact, binary: binary, to: &bytes)
    return bytes
  }

  private func append(_ contact: Contact, binary: CardBinary?, to bytes: inout [UInt8]) {
    let card = contacts.card(for: contact.outside(groupsWithCard), photo: binary)
    VCardWriter(version: card.version).append(escapesCommas ? card.escapingCommas() : card, to: &bytes)
  }

  /// Returns the jCard (RFC 7095) of a contact with its photo on one line, without a line end; always of version 4.0.
  public func jCard(of contact: Contact, photo: Photo?) -> String {
    JCardWriter().text(of: contact, photo: photo?.binary)
  }

  /// Returns the JSContact Card (RFC 9553) of a contact with its photo on one line, without a line end.
  public func jsContact(of contact: Contact, photo: Photo?) -> String {
    JSContactWriter().text(of: contact, photo: photo?.binary)
  }
}

extension Photo {
  /// The photo as a card has it.
  package var binary: CardBinary { CardBinary(mediaType: mediaType, bytes: Array(data)) }
}

extension Contact {
  /// Returns the contact without these groups, except for those that its card named when it was imported.
  package func outside(_ groups: Set<String>) -> Contact {
    guard !groups.isDisjoint(with: self.groups) else { return self }
    let named = ContactCardReader().groups(in: cardLines)
    var contact = self
    contact.groups.removeAll { groups.contains($0) && !named.contains($0) }
    return contact
  }
}

/// The names of files of one card.
package enum CardFileName {
  /// Returns a name for a new card: its UID if that is safe in a path, not an option of a program that gets `*`, and not
  /// in use; otherwise a random one.
  /// - Parameter taken: the names that are in use, in lower case.
  package static func make(forUID uid: String, taken: Set<String>) -> String {
    let isSafe =
      !uid.isEmpty && uid.utf8.count <= 200 && !uid.hasPrefix(".") && !uid.hasPrefix("-") && uid.utf8.allSatisfy(isSafe)
    if isSafe, !taken.contains(uid.lowercased() + ".vcf") { return uid + ".vcf" }
    while true {
      let name = UniqueID.make().split(separator: ":").suffix(1).joined() + ".vcf"
      if !taken.contains(name.lowercased()) { return name }
    }
  }

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"): true
    default: false
    }
  }
}
