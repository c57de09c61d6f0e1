import Contacts
import VCard

/// The lines of a card, what each says, and the contact that they make. Import, export and the comparison of a contact
/// with its original card all read a card in this way.
struct ParsedCard {
  let version: CardVersion
  let lines: [CardLine]
  /// What each line says; nil where a contact has no field for it: unknown properties, forms that the book does not
  /// support, and further lines of a field that a contact has only once.
  private(set) var fields: [CardField?]
  /// The contact, without its lines.
  private(set) var contact = Contact()
  /// The photo that the contact gets: the first one embedded in the card.
  private(set) var photo: CardBinary?
  private(set) var photoIndex: Int?
  /// The digest of the photo in a line that was kept without it.
  private(set) var photoDigest: String?
  /// The values of fields that cannot be read, and are only kept: photos that are not valid base64, texts that are not
  /// dates.
  private(set) var unread: [Diagnostic] = []
  private(set) var formattedName: String?
  /// Where the phonetic name comes from, unless the card has the properties of its fields.
  private(set) var reading: ReadingSource?
  private let vocabulary: CardVocabulary
  /// The labels of groups by X-ABLabel; the keys are the groups in lower case.
  private var labels: [String: String] = [:]

  init(_ card: Card, _ vocabulary: CardVocabulary) {
    self.init(card.lines, card.version, vocabulary, isKept: false)
  }

  /// Reads the lines that a contact keeps, see ``ContactCardReader``.
  /// - Parameter version: the version that the card will be written in; nil for its own.
  init(kept texts: [String], for version: CardVersion? = nil, _ vocabulary: CardVocabulary) {
    var card = KeptLines.card(texts)
    if let version { card = card.arranged(for: version) }
    self.init(card.lines, card.version, vocabulary, isKept: true)
  }

  private init(_ lines: [CardLine], _ version: CardVersion, _ vocabulary: CardVocabulary, isKept: Bool) {
    self.version = version
    self.lines = lines
    self.vocabulary = vocabulary
    fields = Array(repeating: nil, count: lines.count)
    for line in lines where line.hasGroup && line.isNamed("X-ABLABEL") {
      labels[line.group.lowercased()] = CardLabels.label(ofAppleLabel: line.text)
    }
    read(isKept: isKept)
  }

  /// Returns the label of the line's group by X-ABLabel; nil if there is none.
  func label(of line: CardLine) -> String? {
    guard line.hasGroup, !labels.isEmpty else { return nil }
    return labels[line.group.lowercased()]
  }

  /// Whether the contact has a field for every line.
  var hasAllFields: Bool {
    fields.indices.allSatisfy { index in
      switch fields[index] {
      case nil: false
      // A birthday that is not a date is kept only as a line.
      case .birthday(nil)?: lines[index].text.trimmed.isEmpty
      // So are components after those that the contact has fields for.
      case .parts(_, let texts)? where texts.allSatisfy(\.isEmpty):
        lines[index].components.allSatisfy { $0.trimmed.isEmpty }
      default: true
      }
    }
  }

  /// Moves the contact out, because copying it takes dozens of retains; an empty one remains.
  mutating func takeContact() -> Contact {
    var taken = Contact()
    swap(&taken, &contact)
    return taken
  }

  /// Whether there is an FN or N. The lines that a contact keeps may have neither.
  var hasName: Bool {
    lines.contains { $0.isNamed("FN") || $0.isNamed("N") }
  }

  /// Whether a line says something that the contact has no field for. Lines about the card itself and the label of a
  /// value do not count.
  var hasFurtherLines: Bool {
    lines.indices.contains { index in
      // A birthday that is not a date is kept only as a line.
      guard fields[index] == nil || fields[index] == .birthday(nil) else { return false }
      let line = lines[index]
      return !["VERSION", "PRODID", "REV"].contains(line.key) && !(line.hasGroup && line.isNamed("X-ABLABEL"))
    }
  }

  /// Whether the card says how to reach someone.
  var hasOwnValues: Bool {
    !(contact.phones.isEmpty && contact.emails.isEmpty && contact.addresses.isEmpty && contact.urls.isEmpty
      && contact.handles.isEmpty)
  }

  /// Returns what a line would say with this label.
  func field(of line: CardLine, label: String?) -> CardField? { vocabulary.parse(line, label: label)?.stored }

  /// The indices of the lines of each field, in their order.
  var indicesByField: [CardField.Identity: [Int]] {
    fields.enumerated().reduce(into: [:]) { indices, entry in
      if let field = entry.element { indices[field.identity, default: []].append(entry.offset) }
    }
  }

  private mutating func read(isKept: Bool) {
    // A card has a dozen single fields at most: no need to hash.
    var singles: [(identity: CardField.Identity, index: Int, rank: Int)] = []
    var seen: Set<CardField> = []
    var addressKeys: Set<String>?
    var preferences = PreferredValues()
    for (index, line) in lines.enumerated() {
      if line.isNamed("PHOTO") {
        readPhoto(line, index, isKept: isKept)
        continue
      }
      let field = field(of: line, label: label(of: line))
      if !isKept, field == nil || field == .birthday(nil), vocabulary.isDate(line), !line.text.trimmed.isEmpty {
        unread.append(
          Diagnostic(line: line.lineNumber, problem: .notADate(property: line.name, text: line.text.trimmed)))
      }
      guard let field else { continue }
      if case .address = field, line.isNamed("LABEL") {
        if addressKeys == nil { addressKeys = Set(lines.filter(\.isWrittenAddress).flatMap(Card.labelKeys)) }
        if addressKeys?.contains(Card.labelKey(of: line)) == true { continue }
      }
      if field.isSingle {
        let (identity, rank) = (field.identity, line.preference ?? PreferredValues.none)
        if let known = singles.firstIndex(where: { $0.identity == identity }) {
          guard rank < singles[known].rank, !vocabulary.isEarlier else { continue }
          fields[singles[known].index] = nil
          singles[known] = (identity, index, rank)
        } else {
          singles.append((identity, index, rank))
        }
      }
      fields[index] = field
      if field.isOftenRepeated, !seen.insert(field).inserted { continue }
      if case .shownName(let text) = field {
        formattedName = text
      } else {
        field.store(in: &contact)
        preferences.note(field, line)
      }
    }
    preferences.apply(to: &contact)
    finishName()
    if !vocabulary.isEarlier { finishReading() }
  }

  /// Reads the line of a photo. A kept line with a photo instead of a digest is not that of the contact's photo,
  /// because the book did not store the photo.
  private mutating func readPhoto(_ line: CardLine, _ index: Int, isKept: Bool) {
    guard photoIndex == nil else { return }
    if isKept {
      guard let digest = PhotoLine.digest(in: line) else { return }
      photoDigest = digest
    } else if let binary = line.binary {
      photo = binary
    } else {
      if !line.text.contains(":") {
        unread.append(Diagnostic(line: line.lineNumber, problem: .unreadablePhoto))
      }
      return
    }
    photoIndex = index
    fields[index] = .photo
  }

  /// Keeps FN only if the contact would not display that name anyway. A card with an ORG and no name in N is an
  /// organization, unless its FN is another name.
  private mutating func finishName() {
    if contact.groups.count > 1 { contact.groups = Array(Set(contact.groups)).sorted() }
    let name = formattedName ?? ""
    if !vocabulary.isEarlier, lines.contains(where: \.isKindOfGroup) { contact.kind = .organization }
    if !contact.hasNamePart, !contact.organization.isEmpty, name.isEmpty || name == contact.organization {
      contact.kind = .organization
    }
    contact.setFullName(name)
  }

  /// Takes the phonetic name of a card without the properties for it from the reading of its name (RFC 9554, 4.6), from
  /// that of an organization, or from the text that the card is sorted by (RFC 6350, 5.9; RFC 2426, 3.6.5).
  private mutating func finishReading() {
    guard vocabulary.readings.allSatisfy({ contact[$0].isEmpty }) else { return }
    let isOrganization = contact.kind == .organization
    for (index, line) in lines.enumerated() {
      if line.isReading { return take(line.components, from: .line(index)) }
      if isOrganization, line.isNamed("X-PHONETIC-ORG") { return take([line.text], from: .line(index)) }
    }
    for (index, line) in lines.enumerated() where line.hasParameters && fields[index] != nil {
      guard line.isNamed(isOrganization ? "ORG" : "N") || line.isNamed("FN") else { continue }
      let texts = line.values(of: "SORT-AS")
      if !texts.isEmpty { return take(texts.count == 1 ? Self.sortTexts(texts[0]) : texts, from: .parameter(index)) }
    }
    if let index = lines.firstIndex(where: { $0.isNamed("SORT-STRING") }) {
      take(Self.sortTexts(lines[index].text), from: .line(index))
    }
  }

  private mutating func take(_ texts: [String], from source: ReadingSource) {
    for (field, text) in zip(vocabulary.readings, texts) { contact[field] = text.trimmed }
    if vocabulary.readings.contains(where: { !contact[$0].isEmpty }) { reading = source }
  }

  /// Returns the family and the given name of `Harten, Rene`.
  private static func sortTexts(_ text: String) -> [String] {
    text.split(separator: ",", maxSplits: 1).map(String.init)
  }
}

extension CardLine {
  /// Whether the property is an address with parts.
  fileprivate var isWrittenAddress: Bool { isNamed("ADR") && components.contains { !$0.isEmpty } }

  /// Whether the property says that the card is that of a group.
  var isKindOfGroup: Bool {
    (isNamed("KIND") || isNamed("X-ADDRESSBOOKSERVER-KIND")) && text.trimmed.lowercased() == "group"
  }
}

/// Where a phonetic name comes from that has no property of its own.
enum ReadingSource {
  /// The whole property: an N with PHONETIC, X-PHONETIC-ORG, SORT-STRING.
  case line(Int)
  /// The parameter SORT-AS of a property.
  case parameter(Int)
}

/// The preferences of values, by which preferred ones come before the others of their list.
private struct PreferredValues {
  /// The list and the preference of each value, in the order of the lines.
  private var noted: [(identity: CardField.Identity, rank: Int)] = []
  private var hasPreferred = false
  /// After every other rank (RFC 6350, 5.3).
  static let none = 101

  mutating func note(_ field: CardField, _ line: CardLine) {
    switch field {
    case .value, .address: break
    default: return
    }
    let rank = line.preference ?? Self.none
    if rank < Self.none { hasPreferred = true }
    noted.append((field.identity, rank))
  }

  func apply(to contact: inout Contact) {
    guard hasPreferred else { return }
    let ranks = noted.reduce(into: [:]) { $0[$1.identity, default: []].append($1.rank) }
    for (identity, ranks) in ranks where ranks.contains(where: { $0 < Self.none }) {
      switch identity {
      case .values(let field): contact[keyPath: field.property] = sorted(contact[keyPath: field.property], ranks)
      case .address: contact.addresses = sorted(contact.addresses, ranks)
      default: break
      }
    }
  }

  private func sorted<Value>(_ values: [Value], _ ranks: [Int]) -> [Value] {
    guard values.count == ranks.count else { return values }
    return values.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { values[$0] }
  }
}
