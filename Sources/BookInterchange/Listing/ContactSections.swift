import AddressBookModel
import Contacts
import Pinyin

/// How a list of contacts is divided into sections. What the book stores is the same in any case: names in other scripts
/// are in the section `#` of the store, and their sort keys contain the number of their `ScriptSection`. The order of
/// contacts is that of the store, unless it is that of a locale.
public enum ContactSections: RawRepresentable, Hashable, Sendable {
  /// A to Z, then `#` for everything else.
  case latin
  /// A to Z, then the letters of other scripts, then `#`.
  case scripts
  /// The letters of a locale, then `#`.
  case locale(LocaleIndex)

  /// Creates `latin`, `scripts`, or the sections of a locale; nil if ICU does not have the locale.
  public init?(rawValue: String) {
    switch rawValue {
    case "latin": self = .latin
    case "scripts": self = .scripts
    default:
      guard let index = LocaleIndex(rawValue) else { return nil }
      self = .locale(index)
    }
  }

  /// `latin`, `scripts`, or the locale.
  public var rawValue: String {
    switch self {
    case .latin: "latin"
    case .scripts: "scripts"
    case .locale(let index): index.locale
    }
  }

  /// The locale whose order the list has; nil for that of the store.
  public var index: LocaleIndex? { if case .locale(let index) = self { index } else { nil } }

  /// Whether sections are numbers of strokes.
  public var hasNumbers: Bool { index?.titles.contains { Int($0) != nil } ?? false }

  /// Returns an SQL expression for the number of a section (`ContactSection`).
  /// - Parameters:
  ///   - section: an expression for the section of the store.
  ///   - sortKey: an expression for the sort key.
  public func key(section: String = "section", sortKey: String = "sort_key") -> String {
    switch self {
    case .latin, .locale: section
    case .scripts: Self.key(section: section, sortKey: sortKey)
    }
  }

  /// An SQL statement for the number of contacts in each section that is not empty, in the order of the list.
  ///
  /// For `latin`, triggers maintain the counts. For `scripts`, they maintain those of the letters A to Z; for the rest,
  /// the statement jumps from each section to the next in the index.
  public var countsSQL: String {
    switch self {
    case .latin, .locale: "SELECT section, count FROM section_count WHERE count > 0 ORDER BY section"
    case .scripts:
      """
      WITH RECURSIVE
        rest(key) AS NOT MATERIALIZED
          (SELECT sort_key FROM contact WHERE section = \(Self.hash) AND deleted_at IS NULL),
        first(key) AS (
          SELECT min(key) FROM rest
          UNION ALL
          SELECT (SELECT min(key) FROM rest WHERE rest.key > \(Self.end(of: "first.key")))
          FROM first WHERE first.key IS NOT NULL)
      SELECT section, count FROM section_count WHERE count > 0 AND section < \(Self.hash)
      UNION ALL
      SELECT \(Self.key(section: "\(Self.hash)", sortKey: "first.key")),
        (SELECT count(*) FROM rest WHERE rest.key BETWEEN first.key AND \(Self.end(of: "first.key")))
      FROM first WHERE first.key IS NOT NULL
      ORDER BY 1
      """
    }
  }

  /// Returns the title of a section.
  public func title(of section: ContactSection) -> String? {
    guard case .local(let ordinal) = section else { return section.letter }
    return index.flatMap { $0.titles.indices.contains(ordinal) ? $0.titles[ordinal] : nil }
  }

  /// Returns the title of a contact's section.
  public func title(of contact: Contact) -> String {
    if let index, let section = NameStyle().sortKey(of: contact, in: index).first {
      return title(of: .local(Int(section))) ?? ""
    }
    let derived = DerivedColumns(contact)
    guard self == .scripts, derived.section == Self.hash, let number = NameCollation.scriptSection(of: derived.sortKey)
    else { return AddressBook.sectionTitle(derived.section) }
    return number.title
  }

  /// Returns the sections that an index bar shows for a list with these sections: all letters from A to Z, the letters
  /// of other scripts that have contacts, and `#`; or all of a locale.
  public func indexSections(for sections: [ContactSection]) -> [ContactSection] {
    if let index { return index.titles.indices.map(ContactSection.local) }
    guard self == .scripts else { return Schema.sections.map(ContactSection.letter) }
    let letters = Schema.sections.dropLast().map(ContactSection.letter)
    let scripts = sections.filter { if case .script = $0 { true } else { false } }
    return letters + scripts + [.other]
  }

  /// Returns the number of the section that a text typed by the user jumps to; nil if the text does not begin with a
  /// letter of another script or of the locale, and for `latin`.
  public func number(jumpingTo text: String) -> Int? {
    switch self {
    case .latin: nil
    case .scripts: ScriptSection(beginning: text)?.rawValue
    case .locale(let index): index.section(beginning: text).map { ContactSection.local($0).value }
    }
  }

  /// The section `#` of the store.
  private static let hash = Schema.sections.upperBound

  private static func key(section: String, sortKey: String) -> String {
    // The sort key of a name in another script has the number of its section as two bytes of UTF-8, which SQL can read.
    """
    CASE WHEN \(section) < \(hash) THEN \(section) WHEN \(sortKey) < x'1A02' THEN unicode(substr(\(sortKey), 3, 2)) \
    ELSE \(ContactSection.other.value) END
    """
  }

  /// Returns an SQL expression for a key that sorts after all keys in the section of this key.
  private static func end(of key: String) -> String {
    "CASE WHEN \(key) < x'1A02' THEN CAST(substr(\(key), 1, 4) || x'FF' AS BLOB) ELSE x'FF' END"
  }
}
