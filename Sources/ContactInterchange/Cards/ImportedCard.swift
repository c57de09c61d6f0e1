import Contacts
import VCard

/// A vCard converted for the address book.
public struct ImportedCard: Sendable {
  /// The kind of a card.
  public enum Kind: Hashable, Sendable {
    /// A person or an organization.
    case contact
    /// A group, with the UIDs of the cards that are its members, verbatim.
    case group(name: String, memberUIDs: [String])
  }

  /// The line of the photo, which a contact keeps without the photo.
  public struct PhotoLine: Sendable {
    /// The whole line, verbatim.
    let text: String
    /// Its index in ``Contact/cardLines``.
    let index: Int
  }

  /// Contact or group.
  public var kind = Kind.contact
  /// The contact, without an id in the book, a photo summary or times.
  public var contact = Contact()
  /// The first photo embedded in the card, unchecked: its type must be detected from its bytes. External photos
  /// (`http:`, `file:`) are never fetched.
  public var photo: CardBinary?
  /// The line of that photo.
  public var photoLine: PhotoLine?
  /// Whether the card contains nothing but perhaps a UID and a kind.
  public var isEmpty = true
  /// The problems found, those of the reader first.
  public var diagnostics: [Diagnostic] = []
  /// The line of the input where the card begins.
  public var lineNumber = 0

  /// Creates an empty card.
  public init() {}
}

extension Contact {
  /// Puts the digest of the stored photo into the line of an imported photo. The imported bytes may have another
  /// digest, because metadata is removed.
  /// - Parameters:
  ///   - photo: the line as it was imported.
  ///   - digest: SHA-256 of the stored photo; nil if it was not stored: the whole line is then put back.
  public mutating func keepPhotoLine(_ photo: ImportedCard.PhotoLine, digest: String?) {
    guard cardLines.indices.contains(photo.index), let line = CardLine(cardLines[photo.index]),
      PhotoLine.digest(in: line) != nil
    else { return }
    cardLines[photo.index] = digest.map { PhotoLine.kept(line, digest: $0).verbatim } ?? photo.text
  }
}
