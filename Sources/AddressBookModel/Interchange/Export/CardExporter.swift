import ContactInterchange
import Contacts
import VCard

/// Encodes contacts as vCards and as jCards.
public struct CardExporter: Sendable {
  private let contacts: ContactCardWriter

  /// Cards of version `2.1`, `3.0` or `4.0`; nil for each card's original version, or else 3.0.
  public init(version: String?) {
    contacts = ContactCardWriter(version: version.flatMap(CardVersion.init))
  }

  /// The card of a contact, in UTF-8 with CR LF.
  /// - Parameter photo: its photo.
  public func card(of contact: Contact, photo: Photo?) -> [UInt8] {
    let card = contacts.card(for: contact, photo: photo.map(Self.binary))
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
