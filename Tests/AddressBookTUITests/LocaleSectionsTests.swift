import AddressBookModel
import BookInterchange
import Contacts
import Messages
import Testing

@testable import AddressBookTUI

/// `sections = "sv"`: letters of the locale stand where its readers look.
@MainActor
@Suite struct LocaleSectionsTests {
  private static func contact(_ name: String, organization: String = "") -> Contact {
    var contact = Contact()
    contact.uid = "locale-\(name)"
    contact.formattedName = name
    contact.organization = organization
    return contact
  }

  private static let swedish = [
    contact("Östen Ek", organization: "Zeta"), contact("Åsa Berg", organization: "Åhus"), contact("Ärla Dahl"),
    contact("Olof Alm", organization: "Alfa"), contact("Zoë"), contact("李强"), contact("42"),
  ]

  private func harness(
    _ locale: String, _ contacts: [Contact], columns: Int = 80, language: Language = .english
  ) throws -> ScreenHarness {
    var configuration = Configuration()
    configuration.sections = try #require(ContactSections(rawValue: locale))
    let harness = try ScreenHarness(
      rows: columns == 40 ? 12 : 24, columns: columns, language: language, configuration: configuration, contacts)
    try wait(harness)
    return harness
  }

  private func wait(_ harness: ScreenHarness) throws {
    try harness.wait("the order") { !harness.browser.list.isReordering && harness.browser.list.pending == nil }
  }

  /// Returns the title of each section with the names in it.
  private func sections(_ harness: ScreenHarness) throws -> [String] {
    let snapshot = harness.browser.list.snapshot
    return try snapshot.sections.indices.map { section in
      let first = try #require(snapshot.firstFlatRow(ofSection: section))
      let names = try (first..<first + snapshot.sections[section].count)
        .map { try harness.browser.list.controller.object(atFlatRow: $0).displayName }
      return "\(snapshot.sections[section].title): \(names.joined(separator: ", "))"
    }
  }

  @Test func swedishLettersComeAfterZ() throws {
    let harness = try harness("sv", Self.swedish)
    #expect(
      try sections(harness) == [
        "L: 李强", "O: Olof Alm", "Z: Zoë", "Å: Åsa Berg", "Ä: Ärla Dahl", "Ö: Östen Ek", "#: 42",
      ])
    #expect(harness.selectedLine.contains("李强"), "not Åsa Berg, the first in the order of the book")
    #expect(harness.browser.list.indexTitles.joined() == "ABCDEFGHIJKLMNOPQRSTUVWXYZÅÄÖ#")
    #expect(harness.browser.list.presentTitles == [11, 14, 25, 26, 27, 28, 29])
    for (key, name) in [("ö", "Östen"), ("Å", "Åsa"), ("o", "Olof"), ("#", "42"), ("ò", "Olof"), ("p", "Zoë")] {
      harness.press("'")
      harness.type(key)
      #expect(harness.selectedLine.contains(name), "\(key): \(harness.selectedLine)")
    }
    harness.press("' z j e")
    #expect(harness.screen.contains("Section Å"), "\(harness.screen)")
  }

  @Test func changesReachTheSections() throws {
    let harness = try harness("sv", Self.swedish)
    let new = Self.contact("Åke")
    _ = try harness.book.bulkWrite { [new] in try $0.write(new) }
    try harness.wait("the new contact") { (try? self.sections(harness))?.contains("Å: Åke, Åsa Berg") == true }
    harness.press("/ e k")
    try harness.wait("the match") { harness.browser.list.rowCount == 1 }
    #expect(try sections(harness) == ["Ö: Östen Ek"])
  }

  @Test func organizationsHaveTheSameLetters() throws {
    let harness = try harness("sv", Self.swedish)
    harness.browser.list.sort(by: .organization)
    try wait(harness)
    #expect(
      try sections(harness).map { String($0.prefix { $0 != "," }) } == [
        "A: Olof Alm", "Z: Östen Ek", "Å: Åsa Berg", ": 李强",
      ])
  }

  /// The order of names is that of the locale and of the setting for family names.
  @Test func familyNamesComeFirstInTheLocaleToo() throws {
    var contact = Contact()
    (contact.given, contact.family) = ("Anna", "Öberg")
    let index = try #require(ContactSections(rawValue: "sv")?.index)
    var names = NameStyle()
    names.latin = .family
    #expect(index.titles[Int(names.sortKey(of: contact, in: index)[0])] == "Ö")
    #expect(index.titles[Int(NameStyle().sortKey(of: contact, in: index)[0])] == "A")
  }

  @Test func chineseByStrokes() throws {
    let names = ["陳大文", "王小明", "丁一", "李四", "謝安", "林美"].map { Self.contact($0) }
    let harness = try harness("zh-u-co-stroke", names, columns: 40, language: .traditionalChinese)
    #expect(try sections(harness) == ["2: 丁一", "4: 王小明", "7: 李四", "8: 林美", "11: 陳大文", "17: 謝安"])
    #expect(harness.screen.contains("4 畫"), "\(harness.screen)")
    for (key, name) in [("7", "李四"), ("7", "謝安"), ("7", "李四"), ("1", "陳大文"), ("2", "丁一")] {
      harness.press("'")
      harness.type(key)
      #expect(harness.selectedLine.contains(name), "\(key): \(harness.selectedLine)")
    }
  }

  @Test func theSettingTakesALocale() {
    let sections = ConfigurationReader("sections = \"cs\"").configuration.sections
    #expect(sections.rawValue == "cs" && sections.index?.titles.contains("CH") == true)
    let wrong = ConfigurationReader("sections = \"klingon\"")
    #expect(wrong.configuration.sections == .latin && wrong.issues.map(\.reason) == [.choice])
  }
}
