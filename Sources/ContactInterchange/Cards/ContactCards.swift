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
      case "MEMBER", "X-ADDRESSBOOKSERVER-MEMBER": members.append(line.text.trimmed)
      default: break
      }
    }
    // A group with numbers or addresses of its own, and without members, is an organization.
    guard isGroup, !members.isEmpty || !parsed.hasOwnValues else { return .contact }
    return .group(name: parsed.formattedName ?? parsed.contact.displayName, memberUIDs: members)
  }
}

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
    if other.version == .v40, JSContactReader.reread(own) == other.lines.map({ PhotoLine.emptied($0) }) { return true }
    let writer = VCardWriter(version: other.version)
    return own.count == other.lines.count
      && zip(own, other.lines).allSatisfy { one, line in
        if PhotoLine.digest(in: line) != nil { return PhotoLine.emptied(line).verbatim == one.verbatim }
        // Writing changes a few lines, such as those in another charset, and a jCard changes more.
        return one.verbatim == line.verbatim || writer.reread(one)?.verbatim == line.verbatim
          || other.version == .v40 && JCardProperty.reread(one)?.verbatim == line.verbatim
      }
  }
}
