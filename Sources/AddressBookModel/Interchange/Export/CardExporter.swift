import ContactInterchange
import Contacts
import VCard

/// Encodes contacts as vCards and as jCards.
public struct CardExporter: Sendable {
  private let contacts: ContactCardWriter
  private let groupsWithCard: Set<String>

  /// Cards of version `2.1`, `3.0` or `4.0`; nil for each card's original version, or else 3.0.
  /// - Parameter groupsWithCard: the groups whose own cards name their members: a contact's card only names them if it
  ///   always did.
  public init(version: String?, groupsWithCard: Set<String> = []) {
    self.groupsWithCard = groupsWithCard
    contacts = ContactCardWriter(version: version.flatMap(CardVersion.init))
  }

  /// The card of a contact, in UTF-8 with CR LF.
  /// - Parameter photo: its photo.
  public func card(of contact: Contact, photo: Photo?) -> [UInt8] {
    let card = contacts.card(for: contact.outside(groupsWithCard), photo: photo.map(Self.binary))
    return VCardWriter(version: card.version).bytes(of: card)
  }

  /// The jCard of a contact (RFC 7095) on one line, without a line end; always of version 4.0.
  /// - Parameter photo: its photo.
  public func jCard(of contact: Contact, photo: Photo?) -> String {
    JCardWriter().text(of: contact, photo: photo.map(Self.binary))
  }

  private static func binary(_ photo: Photo) -> CardBinary {
    CardBinary(mediaType: photo.mediaType, bytes: Array(photo.data))
  }
}

extension Contact {
  /// The contact without these groups, except for those that its card named when it came.
  func outside(_ groups: Set<String>) -> Contact {
    guard !groups.isDisjoint(with: self.groups) else { return self }
    let named = ContactCardReader().groups(in: cardLines)
    var contact = self
    contact.groups.removeAll { groups.contains($0) && !named.contains($0) }
    return contact
  }
}
