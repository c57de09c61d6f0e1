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

/// The lines of a card as a contact or a group keeps them: verbatim, and the version first, unless it is 3.0.
public enum KeptLines {
  private static let prefix = "VERSION:"

  /// Returns the version of the card.
  public static func version(of texts: [String]) -> CardVersion {
    guard let first = texts.first, first.hasPrefix(prefix) else { return .v30 }
    return CardVersion(rawValue: String(first.dropFirst(prefix.count))) ?? .v30
  }

  /// Returns the card, without diagnostics and without its line number.
  public static func card(_ texts: [String]) -> Card {
    let version = version(of: texts)
    let lines = texts.first?.hasPrefix(prefix) == true ? texts.dropFirst() : texts[...]
    return Card(version: version, lines: CardLine.lines(lines, version: version))
  }

  /// Returns the lines of a card in the form in which they are kept.
  public static func texts(_ lines: [String], version: CardVersion) -> [String] {
    version == .v30 ? lines : [prefix + version.rawValue] + lines
  }
}

/// The line of a contact's photo, kept without the photo, which is stored separately: the line has the digest of the
/// stored photo instead of the base64.
enum PhotoLine {
  private static let prefix = "sha256:"
  private static let digits = 64

  /// Returns the line with this digest instead of the photo.
  static func kept(_ line: CardLine, digest: String) -> CardLine {
    line.replacingValue(after: line.base64Offset, with: prefix + digest)
  }

  /// Returns the digest in a kept line; nil for any other line.
  static func digest(in line: CardLine) -> String? {
    let value = line.rawValue
    let length = prefix.utf8.count + digits
    guard value.utf8.suffix(length).starts(with: prefix.utf8) else { return nil }
    return String(value.suffix(digits))
  }

  /// Returns a line with nothing in place of the digest, if it has one.
  static func emptied(_ line: CardLine) -> CardLine { digest(in: line) == nil ? line : filled(line, []) }

  /// Returns the kept line with the photo put back.
  static func filled(_ line: CardLine, _ bytes: [UInt8]) -> CardLine {
    line.replacingValue(after: line.base64Offset, with: Base64.encode(bytes))
  }
}
