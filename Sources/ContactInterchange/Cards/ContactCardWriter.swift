import Contacts
import VCard

/// A converter of contacts to vCards.
///
/// For a contact that keeps the lines of its card, that card is written again. Lines of unchanged fields are verbatim,
/// unless the version changes, and in their order. An edited value is written into its line, which keeps its group and,
/// if possible, its parameters. A REV gets the time of the last save if anything changed. For other contacts, there is
/// a property for each value.
public struct ContactCardWriter: Sendable {
  /// The version of the cards; nil writes each card in the version that it was read in, or else 3.0.
  public let version: CardVersion?

  private let vocabulary = CardVocabulary.standard

  /// Creates a writer of cards.
  /// - Parameter version: the version of the cards; nil for that in which each was read, or else 3.0.
  public init(version: CardVersion? = nil) {
    self.version = version
  }

  /// Returns the card of a contact.
  /// - Parameter photo: its photo; the contact has only a summary of it.
  public func card(for contact: Contact, photo: CardBinary? = nil) -> Card {
    CardComposer.card(of: contact, photo: photo, version: version, vocabulary: vocabulary)
  }

  /// Returns the lines that the contact keeps, edited to say what the contact now says, except their photo.
  public func keptLines(for contact: Contact) -> [String] {
    let kept = ParsedCard(kept: contact.cardLines, vocabulary)
    var contact = contact
    contact.photo = kept.photoDigest.map { PhotoSummary(mediaType: "", bytes: 0, sha256: $0) }
    let photo = contact.photo.map { CardBinary(mediaType: $0.mediaType, bytes: []) }
    let card = CardComposer.card(of: contact, photo: photo, version: nil, vocabulary: vocabulary)
    var texts = card.lines.map(\.verbatim)
    if let index = kept.photoIndex,
      let written = texts.firstIndex(of: PhotoLine.filled(kept.lines[index], []).verbatim)
    {
      texts[written] = kept.lines[index].verbatim
    }
    return KeptLines.texts(texts, version: card.version)
  }

  /// Returns whether the contact's card, in the version of these lines, would have exactly these lines. A card with
  /// these lines is then one that the book exported, unchanged.
  public func writes(_ lines: [String], for contact: Contact) -> Bool {
    let other = ParsedCard(kept: lines, vocabulary)
    guard other.photoDigest == contact.photo?.sha256 else { return false }
    let photo = contact.photo.map { CardBinary(mediaType: $0.mediaType, bytes: []) }
    let own = CardComposer.card(of: contact, photo: photo, version: other.version, vocabulary: vocabulary).lines
    let writer = VCardWriter(version: other.version)
    return own.count == other.lines.count
      && zip(own, other.lines).allSatisfy { one, line in
        if PhotoLine.digest(in: line) != nil { return PhotoLine.filled(line, []).verbatim == one.verbatim }
        // Writing changes a few lines, such as those in another charset, and a jCard changes more.
        return one.verbatim == line.verbatim || writer.reread(one)?.verbatim == line.verbatim
          || other.version == .v40 && JCardProperty.reread(one)?.verbatim == line.verbatim
      }
  }
}
