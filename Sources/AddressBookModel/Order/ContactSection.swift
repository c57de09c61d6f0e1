import Contacts
import Pinyin

/// A section of a list of contacts, in any sort order. Its value in SQL identifies it.
public enum ContactSection: Hashable, Sendable {
  /// Names, or organizations: 0 for A to 25 for Z, 26 for `#`.
  case letter(Int)
  /// Names that begin with a letter of another script, in a list that has sections for such letters.
  case script(ScriptSection)
  /// Other names, in a list that has sections for letters of other scripts.
  case other
  /// Contacts without an organization.
  case noOrganization
  /// Birthdays in a month, 1 to 12.
  case month(Int)
  /// Contacts without a birthday.
  case noBirthday
  /// Birthdays in a month, 1 to 12, in a list in which they come after those of this year.
  case monthOfNextYear(Int)
  /// Contacts added or changed in a month of a year.
  case monthOfYear(year: Int, month: Int)

  private static let letters = 0...26
  private static let months = 100
  private static let years = 1000
  /// The value of `other`, which comes after all scripts.
  private static let others = 0xFFF

  /// Creates the section with this value; nil if there is none.
  public init?(value: Int64) {
    guard let value = Int(exactly: value) else { return nil }
    switch value {
    case Self.letters: self = .letter(value)
    case 27: self = .noOrganization
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

  /// The letter or `#` of names or organizations; nil for other sections.
  public var letter: String? {
    switch self {
    case .letter(let ordinal): AddressBook.sectionTitle(ordinal)
    case .script(let section): section.title
    case .other: AddressBook.sectionTitle(Schema.sections.upperBound)
    case .noOrganization, .month, .noBirthday, .monthOfNextYear, .monthOfYear: nil
    }
  }

  /// The integer that the sections of a list are sorted by.
  public var value: Int {
    switch self {
    case .letter(let ordinal): ordinal
    case .script(let section): section.rawValue
    case .other: Self.others
    case .noOrganization: 27
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
