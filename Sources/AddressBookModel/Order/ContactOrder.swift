import Contacts
import GRDB
import Pinyin

/// What a list of contacts is sorted by. Ties are broken by name.
public enum ContactSortOrder: String, CaseIterable, Codable, Hashable, Sendable {
  /// The name: Han by pinyin, others by ICU.
  case name
  /// The organization, in the same collation; contacts without one come last.
  case organization
  /// When the contact was added, the newest first.
  case added
  /// When the contact was last changed, the newest first.
  case changed
  /// The month and day of the birthday; contacts without one come last.
  case birthday
  /// When the contact last wrote or was written to, the latest first; the others come last.
  case contacted

  /// A sort key in SQL, over the columns of `contact`.
  public struct Term: Hashable, Sendable {
    /// The expression; texts and blobs are compared byte by byte.
    public let sql: String
    /// True if the smallest value comes first.
    public let ascending: Bool
  }

  /// The condition in SQL for contacts that are not deleted. The + keeps SQLite from reading the table in the order of
  /// the index on names.
  public static let condition = "+deleted_at IS NULL"

  /// Returns the section in SQL, an integer for ``ContactSection``. It is also the first sort key.
  /// - Parameters:
  ///   - names: how names are displayed, which decides the order of the names.
  ///   - day: the day whose birthdays come first; nil for 1 January.
  ///   - index: the locale's sections and order of names; nil for those that the book stores.
  public func section(
    names: NameStyle = NameStyle(), from day: CalendarDay? = nil, in index: LocaleIndex? = nil
  ) -> String {
    switch self {
    case .name: names == NameStyle() && index == nil ? "section" : OrderFunctions.nameSection(names, index)
    case .organization: OrderFunctions.organizationSection(index)
    case .added: Self.month(of: "created_at")
    case .changed: Self.month(of: "modified_at")
    case .contacted: "ifnull(\(Self.month(of: Self.contactedAt)), \(ContactSection.neverContacted.value))"
    case .birthday:
      """
      CASE WHEN ifnull(birthday, '') = '' THEN \(ContactSection.noBirthday.value) \(day.map(Self.nextYear) ?? "")\
      ELSE \(ContactSection.month(0).value) + substr(birthday, -5, 2) END
      """
    }
  }

  /// The section of the birthdays that come next year, because their days are before the given one.
  private static func nextYear(_ day: CalendarDay) -> String {
    let number = day.month * 100 + day.day
    return """
      WHEN substr(birthday, -5, 2) * 100 + substr(birthday, -2) < \(number) \
      THEN \(ContactSection.monthOfNextYear(0).value) + substr(birthday, -5, 2)\u{20}
      """
  }

  /// Returns the sort keys in SQL; the id comes after them.
  public func terms(
    names: NameStyle = NameStyle(), from day: CalendarDay? = nil, in index: LocaleIndex? = nil
  ) -> [Term] {
    let isNewestFirst = [.added, .changed, .contacted].contains(self)
    let isStored = names == NameStyle() && index == nil
    let name = Term(sql: isStored ? "sort_key" : OrderFunctions.nameKey(names, index), ascending: true)
    let section = Term(sql: section(names: names, from: day, in: index), ascending: !isNewestFirst)
    switch self {
    case .name: return [section, name]
    case .organization: return [section, Term(sql: OrderFunctions.organizationKey(index), ascending: true), name]
    case .added: return [section, Term(sql: "created_at", ascending: false), name]
    case .changed: return [section, Term(sql: "modified_at", ascending: false), name]
    case .contacted: return [section, Term(sql: Self.contactedAt, ascending: false), name]
    case .birthday: return [section, Term(sql: "substr(birthday, -5)", ascending: true), name]
    }
  }

  /// When the contact last wrote or was written to; NULL if that is not known. The table has no column `id`.
  private static let contactedAt = "(SELECT at FROM contacted WHERE contact_id = id)"

  /// Returns an SQL expression for the local month of a timestamp, such as 202603; its value is NULL if the column has
  /// no timestamp.
  private static func month(of column: String) -> String {
    "CAST(strftime('%Y%m', \(column), 'localtime') AS INTEGER)"
  }
}

extension AddressBook {
  /// Returns the ids of contacts in a sort order.
  /// - Parameters:
  ///   - ids: the contacts; nil for all. Unknown and deleted ones are left out.
  ///   - order: the order.
  ///   - isReversed: whether the order is reversed.
  public func ids(
    _ ids: [Int64]? = nil, sortedBy order: ContactSortOrder, isReversed: Bool = false
  ) throws(StoreError) -> [Int64] {
    let terms = order.terms().map { $0.sql + ($0.ascending != isReversed ? "" : " DESC") }
    let isWanted = ids == nil ? "" : " AND id IN (SELECT value FROM json_each(?))"
    return try store.values(
      """
      SELECT id FROM contact WHERE \(ContactSortOrder.condition)\(isWanted)
      ORDER BY \((terms + ["id" + (isReversed ? " DESC" : "")]).joined(separator: ", "))
      """, ids.map { [ContactLoader.json($0)] } ?? [])
  }
}

/// A section of a list of contacts, in any sort order. Its value in SQL identifies it.
public enum ContactSection: Hashable, Sendable {
  /// Names, or organizations: 0 for A to 25 for Z, 26 for `#`.
  case letter(Int)
  /// Names that begin with a letter of another script, in a list that has sections for such letters.
  case script(ScriptSection)
  /// Other names, in a list that has sections for letters of other scripts.
  case other
  /// Names, or organizations, in a section of a `LocaleIndex`.
  case local(Int)
  /// Contacts without an organization.
  case noOrganization
  /// Birthdays in a month, 1 to 12.
  case month(Int)
  /// Contacts without a birthday.
  case noBirthday
  /// Birthdays in a month, 1 to 12, in a list in which they come after those of this year.
  case monthOfNextYear(Int)
  /// Contacts of which is not known when they last wrote or were written to.
  case neverContacted
  /// Contacts added, changed or last written to in a month of a year.
  case monthOfYear(year: Int, month: Int)

  private static let letters = 0...26
  private static let locals = -1000
  private static let months = 100
  private static let years = 1000
  /// The value of `other`, which comes after all scripts.
  private static let others = 0xFFF

  /// Creates the section with this value; nil if there is none.
  public init?(value: Int64) {
    guard let value = Int(exactly: value) else { return nil }
    switch value {
    case Self.letters: self = .letter(value)
    case Self.locals..<0: self = .local(value - Self.locals)
    case 27: self = .noOrganization
    case 28: self = .neverContacted
    case Self.months + 1...Self.months + 12: self = .month(value - Self.months)
    case Self.months + 13: self = .noBirthday
    case Self.months + 14...Self.months + 25: self = .monthOfNextYear(value - Self.months - 13)
    case ScriptSection.first..<Self.others:
      guard let section = ScriptSection(rawValue: value) else { return nil }
      self = .script(section)
    case Self.others: self = .other
    case (Self.years * 100)...:
      let month = value % 100
      guard (1...12).contains(month) else { return nil }
      self = .monthOfYear(year: value / 100, month: month)
    default: return nil
    }
  }

  /// The letter or `#` of names or organizations; nil for other sections, and for those of a locale.
  public var letter: String? {
    switch self {
    case .letter(let ordinal): AddressBook.sectionTitle(ordinal)
    case .script(let section): section.title
    case .other: AddressBook.sectionTitle(Schema.sections.upperBound)
    case .local, .noOrganization, .neverContacted, .month, .noBirthday, .monthOfNextYear, .monthOfYear: nil
    }
  }

  /// The integer that the sections of a list are sorted by.
  public var value: Int {
    switch self {
    case .letter(let ordinal): ordinal
    case .script(let section): section.rawValue
    case .other: Self.others
    case .local(let ordinal): Self.locals + ordinal
    case .noOrganization: 27
    case .neverContacted: 28
    case .month(let month): Self.months + month
    case .noBirthday: Self.months + 13
    case .monthOfNextYear(let month): Self.months + 13 + month
    case .monthOfYear(let year, let month): year * 100 + month
    }
  }
}

extension Contact {
  /// The bytes by which a list sorts the contact: the section, then the name.
  public var sortKey: [UInt8] { DerivedColumns(self).sortKey }

  /// Title of the contact's section: `A` to `Z`, or `#`.
  public var sectionTitle: String {
    Section(rawValue: UInt8(clamping: DerivedColumns(self).section))?.title ?? Section.other.title
  }
}

extension ContactRow {
  /// Title of the contact's section: `A` to `Z`, or `#`.
  public var sectionTitle: String { AddressBook.sectionTitle(section) }
}

extension AddressBook {
  /// Returns the title of a section by its number in the store: 0 for `A` to 25 for `Z`; any other number is `#`.
  public static func sectionTitle(_ ordinal: Int) -> String {
    (UInt8(exactly: ordinal).flatMap(Section.init(rawValue:)) ?? .other).title
  }
}
