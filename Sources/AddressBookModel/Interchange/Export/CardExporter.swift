import ContactInterchange
import Contacts
import VCard

/// Encodes contacts as vCards.
public struct CardExporter: Sendable {
  private let contacts: ContactCardWriter

  /// Cards of version `2.1`, `3.0` or `4.0`; nil for each card's original version, or else 3.0.
  public init(version: String?) {
    contacts = ContactCardWriter(version: version.flatMap(CardVersion.init))
  }

  /// The card of a contact, in UTF-8 with CR LF.
  /// - Parameter photo: its photo.
  public func card(of contact: Contact, photo: Photo?) -> [UInt8] {
    let picture = photo.map { CardBinary(mediaType: $0.mediaType, bytes: Array($0.data)) }
    let card = contacts.card(for: contact, photo: picture)
    return VCardWriter(version: card.version).bytes(of: card)
  }
}
