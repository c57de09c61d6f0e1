import Contacts
import VCard

/// A converter of contacts to vCards.
///
/// For a contact that keeps the lines of its card, that card is written again: lines of unchanged fields are verbatim
/// and in their order, an edited value is written into its line, with its group and parameters, and REV is the time of
/// the last save if anything changed. For other contacts, there is a property for each field.
public struct ContactCardWriter: Sendable {
  /// The version of the cards; nil writes each card in the version that it was read in, or else 3.0.
  public let version: CardVersion?

  private let vocabulary: CardVocabulary

  /// Creates a writer of this version.
  /// - Parameter fields: the table of a contact's fields; nil for ``ContactFields/standard``.
  public init(version: CardVersion? = nil, fields: ContactFields? = nil) {
    self.version = version
    vocabulary = fields.map(CardVocabulary.init) ?? .standard
  }

  /// Returns the card of a contact.
  /// - Parameters:
  ///   - photo: its photo; the contact has only a summary of it.
  public func card(for contact: Contact, photo: CardBinary? = nil) -> Card {
    CardComposer.card(of: contact, photo: photo, version: version, vocabulary: vocabulary)
  }

  /// Returns whether the card of this contact, in the version of these lines, would have these lines: then the card
  /// that has them came from this book and is unchanged.
  public func writes(_ lines: [String], for contact: Contact) -> Bool {
    let other = ParsedCard(kept: lines, vocabulary)
    guard other.photoDigest == contact.photo?.sha256 else { return false }
    let photo = contact.photo.map { CardBinary(mediaType: $0.mediaType, bytes: []) }
    let own = CardComposer.card(of: contact, photo: photo, version: other.version, vocabulary: vocabulary).lines
    let writer = VCardWriter(version: other.version)
    return own.count == other.lines.count
      && zip(own, other.lines).allSatisfy { one, line in
        if PhotoLine.digest(in: line) != nil { return PhotoLine.filled(line, []).verbatim == one.verbatim }
        // Writing changes a few lines, such as those in another charset.
        return one.verbatim == line.verbatim || writer.reread(one)?.verbatim == line.verbatim
      }
  }
}
