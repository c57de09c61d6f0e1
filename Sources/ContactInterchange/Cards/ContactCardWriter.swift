import Contacts
import VCard

/// Turns contacts into vCards.
///
/// Each field of the contact becomes a property. Lines that the reader kept come back to the letter: one of a known
/// property as long as its value is still in the contact, then in place of the property that would be made from it and
/// together with the lines of its group; all others always, in their order, at the end.
public struct ContactCardWriter: Sendable {
  /// The version of the cards; nil for each card its own: the one that it was read in, else 3.0.
  public let version: CardVersion?

  private let vocabulary: CardVocabulary

  /// A writer of this version.
  /// - Parameter fields: the table of a contact's fields; nil for ``ContactFields/standard``.
  public init(version: CardVersion? = nil, fields: ContactFields? = nil) {
    self.version = version
    vocabulary = fields.map(CardVocabulary.init) ?? .standard
  }

  /// The card of a contact.
  /// - Parameters:
  ///   - photo: its picture, which the contact only summarizes.
  ///   - revision: the time of the last change, ISO 8601 in UTC, where it is to replace the REV that the card came with.
  public func card(for contact: Contact, photo: CardBinary? = nil, revision: String? = nil) -> Card {
    var composer = CardComposer(contact, version: version, vocabulary: vocabulary)
    composer.compose(photo: photo, revision: revision)
    return Card(version: composer.version, lines: composer.lines)
  }
}
