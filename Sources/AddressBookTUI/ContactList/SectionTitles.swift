import AddressBookModel
import BookInterchange
import ResultsController

/// The titles of a list's sections: in their headers, and in the index bar, which has one column.
struct SectionTitles {
  /// The titles of the bar, from the top. A letter or `#`; a month by its number, or O, N, D for October to December; a
  /// year by its last digit; `–` for contacts without an organization or a birthday.
  let bar: [String]
  /// The ordinal in the bar of each section; nil for a section that is not in the bar.
  let ordinals: [Int?]
  /// The ordinals that have sections, ascending.
  let present: [Int]

  static let none = "–"

  init(_ sections: [SectionInfo], in order: ContactSortOrder, _ division: ContactSections = .latin) {
    let found = sections.map { ContactSection($0.value) }
    let shown: [ContactSection] =
      switch order {
      case .name: division.indexSections(for: found.compactMap(\.self))
      case .organization: (division.index == nil ? Self.letters : division.indexSections(for: [])) + [.noOrganization]
      case .birthday: Self.months + [.noBirthday]
      case .added, .changed, .contacted:
        found.compactMap { section -> ContactSection? in
          guard case .monthOfYear(let year, _)? = section else { return nil }
          return .monthOfYear(year: year, month: 1)
        }.uniqued()
      }
    bar = shown.map { division.title(of: $0) ?? Self.mark($0) }
    let positions = Dictionary(zip(shown.map(\.value), shown.indices), uniquingKeysWith: { first, _ in first })
    ordinals = found.map { section in
      if case .monthOfNextYear(let month)? = section { return positions[ContactSection.month(month).value] }
      guard case .monthOfYear(let year, _)? = section else { return section.flatMap { positions[$0.value] } }
      return positions[ContactSection.monthOfYear(year: year, month: 1).value]
    }
    present = Set(ordinals.compactMap(\.self)).sorted()
  }

  /// The section that a title of the bar leads to: the first with that title, or else the next section, or else the
  /// last; nil for a title that is not in the bar, or if there are no sections. A number is found by its last digit.
  /// - Parameter current: the ordinal that the list is at; from there, the same title leads to the next one.
  func section(ofTitle title: String, from current: Int? = nil) -> Int? {
    let named = bar.indices.filter { bar[$0] == title || Int(bar[$0]) != nil && bar[$0].hasSuffix(title) }
    // Of ordinals with the same title, such as 2006 and 2016, prefer one that has sections.
    let existing = named.filter(present.contains)
    let next = current.flatMap { named.contains($0) ? $0 : nil }.flatMap { at in existing.first { $0 > at } }
    guard let ordinal = next ?? existing.first ?? named.first else { return nil }
    return section(ofOrdinal: ordinal)
  }

  /// The section that a title of the bar leads to, by its ordinal; nil if there are no sections.
  func section(ofOrdinal ordinal: Int) -> Int? {
    ordinals.firstIndex { $0.map { $0 >= ordinal } ?? false } ?? ordinals.indices.last
  }

  /// The title of a section, in the header above its contacts.
  static func header(_ section: SectionInfo, _ strings: Strings) -> String {
    switch ContactSection(section.value) {
    case .letter, .script, .other: section.title
    // Sections of Chinese may be numbers of strokes.
    case .local:
      Int(section.title).map { strings.count("list.strokes", $0) } ?? section.title
    case .noOrganization: strings("list.noOrganization")
    case .month(let month), .monthOfNextYear(let month): strings("month.\(month)")
    case .noBirthday: strings("list.noBirthday")
    case .neverContacted: strings("list.neverContacted")
    case .monthOfYear(let year, let month): strings("date.month", strings("month.\(month)"), String(year))
    case nil: none
    }
  }

  private static let letters = (0...26).map(ContactSection.letter)
  private static let months = (1...12).map(ContactSection.month)

  private static func mark(_ section: ContactSection) -> String {
    switch section {
    case .month(let month), .monthOfNextYear(let month):
      ["1", "2", "3", "4", "5", "6", "7", "8", "9", "O", "N", "D"][month - 1]
    case .monthOfYear(let year, _): String(year % 10)
    case .letter, .script, .other, .local, .noOrganization, .noBirthday, .neverContacted: none
    }
  }
}

extension ContactSection {
  /// The section for a section value of the list.
  fileprivate init?(_ value: SectionValue) {
    guard case .integer(let integer) = value else { return nil }
    self.init(value: integer)
  }
}

extension [ContactSection] {
  /// The elements without those that equal the one before them.
  fileprivate func uniqued() -> [ContactSection] {
    reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }
}
