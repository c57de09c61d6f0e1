import AddressBookModel
import ContactInterchange
import Contacts
import VCard

/// An encoder of contacts as vCards and jCards.
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
