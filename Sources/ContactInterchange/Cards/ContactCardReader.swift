import Contacts
import VCard

/// A converter of vCards to contacts.
///
/// The contact keeps all lines of the card, verbatim and in their order, in ``Contact/cardLines``, so that
/// ``ContactCardWriter`` can write the card again as it came. The first line there is the version, unless it is 3.0.
/// The photo is not kept twice: its line has the photo's SHA-256 instead.
///
/// The first photo embedded in the card becomes the contact's; further ones, those that cannot be decoded and those by
/// URI are kept as lines and never fetched. Of several values of a kind, the preferred ones come first.
public struct ContactCardReader: Sendable {
  private let vocabulary = CardVocabulary.standard

  /// Creates a reader.
  public init() {}

  /// Returns the contact or group of a card.
  public func read(_ card: Card) -> ImportedCard {
    var parsed = ParsedCard(card, vocabulary)
    var result = ImportedCard()
    result.lineNumber = card.lineNumber
    result.diagnostics = card.diagnostics
    for unread in parsed.unread {
      // The lines of a jCard have no numbers.
      let line = unread.line > 0 ? unread.line : card.lineNumber
      result.diagnostics.append(Diagnostic(line: line, problem: unread.problem))
    }
    result.isEmpty = parsed.contact.isEmpty && parsed.photo == nil && parsed.hasAllFields
    result.kind = kind(of: parsed)
    result.contact = parsed.takeContact()
    keepLines(parsed, &result)
    return result
  }

  /// Returns the contact that the kept lines describe, to find what was changed since the import; nil if the lines have
  /// no name.
  public func original(of contact: Contact) -> Contact? {
    let parsed = ParsedCard(kept: contact.cardLines, vocabulary)
    guard parsed.hasName else { return nil }
    var contact = parsed.contact
    contact.photo = parsed.photoDigest.map { PhotoSummary(mediaType: "", bytes: 0, sha256: $0) }
    return contact
  }

  /// Returns the groups named in the lines of a card.
  public func groups(in lines: [String]) -> Set<String> {
    Set(ParsedCard(kept: lines, vocabulary).contact.groups)
  }

  private func keepLines(_ parsed: ParsedCard, _ result: inout ImportedCard) {
    var texts = parsed.lines.map(\.verbatim)
    if let photo = parsed.photo, let index = parsed.photoIndex {
      var line = parsed.lines[index]
      // Base64 inside quoted-printable cannot be replaced in place.
      if line.isQuotedPrintable { line = line.withBinary(photo, version: parsed.version) }
      result.photo = photo
      result.photoLine = ImportedCard.PhotoLine(text: texts[index], index: index + (parsed.version == .v30 ? 0 : 1))
      texts[index] = PhotoLine.kept(line, digest: SHA256.hexadecimal(of: photo.bytes)).verbatim
    }
    result.contact.cardLines = KeptLines.texts(texts, version: parsed.version)
  }

  private func kind(of parsed: ParsedCard) -> ImportedCard.Kind {
    var members: [String] = []
    var isGroup = false
    for (index, line) in parsed.lines.enumerated() {
      guard case nil = parsed.fields[index] else { continue }
      if line.isKindOfGroup { isGroup = true }
      switch line.key {
      case "MEMBER", "X-ADDRESSBOOKSERVER-MEMBER": members.append(line.text.trimmedBlanks)
      default: break
      }
    }
    // A group with numbers or addresses of its own, and without members, is an organization.
    guard isGroup, !members.isEmpty || !parsed.hasOwnValues else { return .contact }
    return .group(name: parsed.formattedName ?? parsed.contact.displayName, memberUIDs: members)
  }
}
