import Contacts
import VCard

/// Converts contacts to vCards.
///
/// Each field of the contact becomes a property. Lines that the reader kept are written verbatim. A line of a known
/// property is only written while its value is still in the contact: it then replaces the generated property, together
/// with the lines of its group. All others are always written, in their order, at the end.
public struct ContactCardWriter: Sendable {
  /// The version of the cards; nil writes each card in the version that it was read in, or else 3.0.
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
  ///   - photo: its photo, of which the contact has only a summary.
  ///   - revision: the time of the last change, ISO 8601 in UTC, if it should replace the card's original REV.
  public func card(for contact: Contact, photo: CardBinary? = nil, revision: String? = nil) -> Card {
    var composer = CardComposer(contact, version: version, vocabulary: vocabulary)
    composer.compose(photo: photo, revision: revision)
    return Card(version: composer.version, lines: composer.lines)
  }
}
