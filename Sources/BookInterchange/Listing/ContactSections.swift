import AddressBookModel
import Contacts
import Pinyin

/// How a list of contacts is divided into sections. The order of contacts is the same in any case, and so is what the
/// book stores: names in other scripts are in the section `#` of the store, and their sort keys contain the number of
/// their `ScriptSection`.
public enum ContactSections: String, CaseIterable, Sendable {
  /// A to Z, then `#` for everything else.
  case latin
  /// A to Z, then the letters of other scripts, then `#`.
  case scripts

  /// Returns an SQL expression for the number of a section (`ContactSection`).
  /// - Parameters:
  ///   - section: an expression for the section of the store.
  ///   - sortKey: an expression for the sort key.
  public func key(section: String = "section", sortKey: String = "sort_key") -> String {
    switch self {
    case .latin: section
    case .scripts: Self.key(section: section, sortKey: sortKey)
    }
  }

  /// An SQL statement for the number of contacts in each section that is not empty, in the order of the list.
  ///
  /// For `latin`, triggers maintain the counts. For `scripts`, they maintain those of the letters A to Z; for the rest,
  /// the statement jumps from each section to the next in the index.
  public var countsSQL: String {
    switch self {
    case .latin: "SELECT section, count FROM section_count WHERE count > 0 ORDER BY section"
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

  /// Returns the title of a contact's section.
  public func title(of contact: Contact) -> String {
    let derived = DerivedColumns(contact)
    guard self == .scripts, derived.section == Self.hash, let number = NameCollation.scriptSection(of: derived.sortKey)
    else { return AddressBook.sectionTitle(derived.section) }
    return number.title
  }

  /// Returns the sections that an index bar shows for a list with these sections: all letters from A to Z, the letters
  /// of other scripts that have contacts, and `#`.
  public func indexSections(for sections: [ContactSection]) -> [ContactSection] {
    guard self == .scripts else { return Schema.sections.map(ContactSection.letter) }
    let letters = Schema.sections.dropLast().map(ContactSection.letter)
    let scripts = sections.filter { if case .script = $0 { true } else { false } }
    return letters + scripts + [.other]
  }

  /// Returns the number of the section that a text typed by the user jumps to; nil if the text does not begin with a
  /// letter of another script, and for `latin`.
  public func number(jumpingTo text: String) -> Int? {
    self == .scripts ? ScriptSection(beginning: text)?.rawValue : nil
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
