import AddressBookModel
import BookInterchange
import Contacts
import Foundation
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// The orders of the list, its columns, and the order of names.
@MainActor
struct SortingTests {
  private static let people: [Contact] = {
    func person(
      _ family: String, _ given: String, _ organization: String, _ birthday: String, _ phone: String, title: String = ""
    ) -> Contact {
      var contact = Contact()
      (contact.family, contact.given, contact.organization, contact.title) = (family, given, organization, title)
      contact.birthday = PartialDate(birthday)
      contact.phones = [LabeledValue(label: "mobile", value: phone)]
      contact.uid = family + given
      return contact
    }
    return [
      person("Smith", "John", "Acme", "1970-11-02", "+44 20 7946 0958", title: "Engineer"),
      person("马", "云", "阿里巴巴", "1964-09-10", "136 1111 0000"),
      person("李", "小龙", "Golden Harvest", "1940-11-27", "139 2222 3333", title: "演员"),
      person("Müller", "Jürgen", "", "--02-29", "+49 89 5550 12"),
      person("张", "三", "北京大学", "2001-01-31", "138 0000 1111"),
      person("Ames", "Ann", "acme", "--11-02", "555 0101"),
      person("王", "小明", "", "", "137 3333 2222"),
      person("Özil", "Åsa", "Éclair", "", "+46 31 555 01"),
      person("曾", "国藩", "#1 Shop", "", "135 4444 5555"),
    ]
  }()

  /// Makes a screen of these people, who were added and changed at certain times.
  private func harness(
    rows: Int = 24, columns: Int = 80, language: Language = .english, configuration: Configuration = Configuration()
  ) throws -> ScreenHarness {
    let book = try AddressBook.inMemory()
    try book.bulkWrite { writer in
      for contact in Self.people { try writer.write(contact) }
    }
    // The middle of a month is in the same month in every time zone.
    for id in 1...Self.people.count {
      try book.setTimes(
        of: Int64(id), added: ["2024-03-10T08:00:00Z", "2026-11-15T12:00:00Z", "2024-12-20T12:00:00Z"][id % 3],
        changed: ["2026-10-15T12:00:00Z", "2025-01-15T12:00:00Z"][id % 2])
    }
    try book.recordLastContact([4: 1_772_000_000, 6: 1_710_000_000])
    return try ScreenHarness(
      rows: rows, columns: columns, language: language, book: book, configuration: configuration)
  }

  /// Returns the given names in the order of the list, with a bar between sections.
  private func names(_ harness: ScreenHarness) throws -> String {
    let snapshot = harness.browser.list.snapshot
    return try snapshot.sections.indices.map { section in
      let first = try #require(snapshot.firstFlatRow(ofSection: section))
      let ids = (first..<first + snapshot.sections[section].count).compactMap(snapshot.id(atFlatRow:))
      return ids.map { Self.people[Int($0) - 1].given }.joined(separator: " ")
    }.joined(separator: " | ")
  }

  private func wait(for order: ContactSortOrder, _ harness: ScreenHarness) throws {
    try harness.wait("the new order") {
      !harness.browser.list.isReordering && harness.browser.list.shown.order == order
    }
  }

  private func sort(_ harness: ScreenHarness, by order: ContactSortOrder) throws {
    harness.press("s")
    harness.type(harness.environment.strings("sort." + order.rawValue))
    harness.press("Enter")
    try wait(for: order, harness)
  }

  private static let expected: [ContactSortOrder: String] = [
    .name: "Ann Åsa | John Jürgen | 小龙 | 云 | 小明 | 国藩 三",
    .organization: "云 Ann John | 三 | Åsa | 小龙 | 国藩 | Jürgen 小明",
    .added: "John Jürgen 小明 | Åsa 云 三 | Ann 小龙 国藩",
    .changed: "Ann Åsa Jürgen 云 | John 小龙 小明 国藩 三",
    .birthday: "三 | Jürgen | 云 | Ann John 小龙 | Åsa 小明 国藩",
    .contacted: "Jürgen | Ann | Åsa John 小龙 云 小明 国藩 三",
  ]

  @Test func eachOrderHasItsSections() throws {
    let harness = try harness()
    for order in ContactSortOrder.allCases.dropFirst() + [.name] {
      try sort(harness, by: order)
      #expect(try names(harness) == Self.expected[order], "\(order)")
      #expect(!harness.screen.contains("list.by"), "a text is missing")
      let ids = try harness.book.ids(sortedBy: order)
      #expect(ids == harness.browser.list.snapshot.ids(inFlatRows: 0..<9), "the command line, \(order)")
      #expect(try harness.book.ids(sortedBy: order, isReversed: true) == ids.reversed(), "\(order)")
      let some = try harness.book.ids([2, 99, 6, 1], sortedBy: order)
      #expect(some == ids.filter { [1, 2, 6].contains($0) }, "\(order)")
    }
  }

  @Test(arguments: ScreenGoldenTests.views)
  func looksAsItShould(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try harness(rows: size.rows, columns: size.columns, language: language)
    func check(_ name: String) throws {
      try Golden.check(harness.screen, "sort-\(name)-\(size.columns)x\(size.rows)-\(language.rawValue)")
    }
    for order in [ContactSortOrder.organization, .changed, .birthday] {
      try sort(harness, by: order)
      harness.press("g g j")
      try check(order.rawValue)
    }
    harness.press("s")
    try check("chooser")
    harness.press("Esc '")
    try check("jump")
  }

  /// The same contact stays selected and visible, on the same line if the new order allows it.
  @Test func theSelectionStaysOnItsContact() throws {
    let harness = try harness(rows: 10)
    harness.press("g g j j")
    func line() -> Int? { harness.screen.split(separator: "\n").firstIndex { $0.contains("▸ John") } }
    let before = try #require(line())
    try sort(harness, by: .changed)
    #expect(line() == before)
    try sort(harness, by: .birthday)
    #expect(line() != nil, "near the end of the list it may be on another line")
  }

  /// Saves a change of 李小龙 and waits until the list has it.
  private func edit(_ harness: ScreenHarness, _ change: (inout Contact) -> Void) throws {
    let base = try #require(try harness.book.contact(id: 3))
    var mine = base
    change(&mine)
    _ = try harness.book.newContext().save(ContactEdit(of: base, to: mine), as: StepName(.edit, ""))
    harness.browser.list.controller.waitForUpdates()
    harness.loop.drain()
  }

  @Test func anEditMovesTheContact() throws {
    let harness = try harness()
    try sort(harness, by: .birthday)
    harness.press("' n j j")
    #expect(harness.selectedLine.contains("李小龙"))
    try edit(harness) { $0.birthday = PartialDate("--12-01") }
    #expect(try names(harness) == "三 | Jürgen | 云 | Ann John | 小龙 | Åsa 小明 国藩")
    #expect(harness.selectedLine.contains("李小龙"))
    #expect(harness.screen.contains("December"))
    try edit(harness) { $0.birthday = nil }
    #expect(try names(harness) == "三 | Jürgen | 云 | Ann John | Åsa 小龙 小明 国藩")
    try sort(harness, by: .organization)
    try edit(harness) { $0.organization = "Zoo" }
    #expect(try names(harness) == "云 Ann John | 三 | Åsa | 小龙 | 国藩 | Jürgen 小明")
    try edit(harness) { $0.organization = "" }
    #expect(try names(harness) == "云 Ann John | 三 | Åsa | 国藩 | Jürgen 小龙 小明")
    try sort(harness, by: .changed)
    #expect(try names(harness).hasPrefix("小龙"), "it was changed last")
  }

  /// A search filters the list in its order, and Esc shows all of it again.
  @Test func aSearchKeepsTheOrder() throws {
    let harness = try harness()
    try sort(harness, by: .birthday)
    harness.press("/")
    harness.type("a")
    try harness.wait("the matches") { harness.browser.list.rowCount < 9 }
    #expect(try names(harness) == "云 | Ann John | Åsa")
    harness.press("Enter")
    try sort(harness, by: .organization)
    #expect(try names(harness) == "云 Ann John | Åsa")
    harness.press("Esc")
    try harness.wait("all contacts") { harness.browser.list.rowCount == 9 }
    #expect(try names(harness) == Self.expected[.organization])
  }

  @Test func aSearchWithoutMatchesCanBeSorted() throws {
    let harness = try harness()
    harness.press("/")
    harness.type("qqq")
    try harness.wait("an empty list") { harness.browser.list.rowCount == 0 }
    harness.press("Enter")
    try sort(harness, by: .added)
    harness.press("Esc")
    try harness.wait("all contacts") { harness.browser.list.rowCount == 9 }
    #expect(try names(harness) == Self.expected[.added])
  }

  @Test func lettersMonthsAndYearsAreJumpedTo() throws {
    let harness = try harness(rows: 10)
    try sort(harness, by: .organization)
    harness.press("' g")
    #expect(harness.selectedLine.contains("李小龙"))
    try sort(harness, by: .birthday)
    harness.press("' 2")
    #expect(harness.selectedLine.contains("Jürgen"))
    harness.press("' o")
    #expect(harness.selectedLine.contains("Ann"), "October has none; November is next")
    try sort(harness, by: .added)
    harness.press("' 6")
    #expect(harness.selectedLine.contains("John"))
    harness.press("' 4")
    #expect(harness.selectedLine.contains("Åsa"))
    harness.press("' x")
    #expect(harness.selectedLine.contains("Åsa"))
    #expect(harness.browser.list.indexTitles == ["6", "4"])
  }

  @Test func theOrderIsRestored() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("order-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func session(_ harness: ScreenHarness) -> SessionState {
      SessionState(browser: harness.browser, folder: folder, path: "/book.db")
    }
    let first = try harness()
    try sort(first, by: .birthday)
    first.press("' 9")
    #expect(session(first).save() == [])
    let second = try harness()
    session(second).restore()
    try wait(for: .birthday, second)
    #expect(second.selectedLine.contains("马云"))
    try sort(second, by: .name)
    #expect(session(second).save() == [])
    let third = try harness()
    session(third).restore()
    third.loop.drain()
    #expect(third.browser.list.shown.order == .name)
  }

  /// The order in the configuration applies until the user chooses another, even if that is the default order.
  @Test func theConfigurationNamesTheFirstOrder() throws {
    var configuration = Configuration()
    configuration.order = .added
    let first = try harness(configuration: configuration)
    #expect(first.selectedLine.contains("John"))
    #expect(first.browser.position?.order == nil)
    try sort(first, by: .name)
    #expect(first.browser.position?.order == "name")
  }

  // MARK: Columns

  @Test(arguments: ScreenGoldenTests.views)
  func chosenColumns(size: (rows: Int, columns: Int), language: Language) throws {
    var configuration = Configuration()
    configuration.columns = ["name", "title", "phone", "birthday", "organization"].compactMap(ContactColumn.init)
    let harness = try harness(
      rows: size.rows, columns: size.columns, language: language, configuration: configuration)
    try Golden.check(harness.screen, "columns-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  /// Returns the column with the value that the list is sorted by; nil for the name, or without such a column.
  private static func key(_ order: ContactSortOrder, _ layout: ListLayout) -> ListColumns.Field? {
    func other(_ column: ContactColumn) -> ListColumns.Field? {
      layout.others.firstIndex(of: column).map { .other($0) }
    }
    return switch order {
    case .name: nil
    case .organization: .organization
    case .added: other(.created)
    case .changed: other(.modified)
    case .birthday: other(.field(.birthday))
    case .contacted: other(.contacted)
    }
  }

  @Test(arguments: [10, 17, 20, 37, 40, 58, 65, 77, 80, 117, 200])
  func columnsFitAndKeepTheName(width: Int) throws {
    for names in [
      ["phone", "name"], ["email", "organization", "title", "groups", "name", "id"], ["name", "modified"],
    ] {
      for order in ContactSortOrder.allCases {
        var layout = ListLayout()
        layout.chosen = names.compactMap(ContactColumn.init)
        layout.order = order
        let columns = layout.columns(width: width).columns
        #expect(columns.contains { $0.field == .name }, "\(names) \(order)")
        for (one, next) in zip(columns, columns.dropFirst()) {
          #expect(one.start + one.width + ListColumns.gap <= next.start, "\(names) \(order)")
        }
        #expect(columns.last.map { $0.start + $0.width <= max(width, ListColumns.gutter) } == true)
        if width >= 40, let key = Self.key(order, layout) {
          #expect(columns.contains { $0.field == key }, "\(names) \(order)")
        }
      }
    }
  }

  @Test(arguments: [20, 37, 63, 77, 117]) func aStandardLayoutHasTheStandardColumns(width: Int) {
    #expect(ListLayout().columns(width: width) == ListColumns(width: width))
  }

  // MARK: Names

  @Test(arguments: ScreenGoldenTests.views)
  func familyNamesFirstMatchTheGoldens(size: (rows: Int, columns: Int), language: Language) throws {
    var configuration = Configuration()
    configuration.names.latin = .family
    let harness = try harness(
      rows: size.rows, columns: size.columns, language: language, configuration: configuration)
    harness.press("' m j")
    try Golden.check(harness.screen, "names-family-first-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func familyNamesFirst() throws {
    var configuration = Configuration()
    configuration.names.latin = .family
    let harness = try harness(rows: 30, columns: 120, configuration: configuration)
    #expect(try names(harness) == "Ann | 小龙 | 云 Jürgen | Åsa | John | 小明 | 国藩 三")
    harness.press("' m j")
    #expect(harness.selectedLine.contains("Müller, Jürgen"))
    harness.press("/")
    harness.type("jü")
    try harness.wait("the match") { harness.browser.list.rowCount == 1 }
    #expect(harness.selectedLine.contains("Müller, Jürgen"))
    // What is stored, and therefore every card, is unchanged.
    #expect(try harness.book.contact(id: 4)?.displayName == "Jürgen Müller")
  }

  @Test func namesInKanaAndHangulBeginWithTheFamilyName() throws {
    var people = [Contact(), Contact()]
    (people[0].family, people[0].given) = ("홍", "길동")
    (people[1].family, people[1].given) = ("山田", "たろう")
    let harness = try ScreenHarness(people)
    #expect(harness.screen.contains("홍길동") && harness.screen.contains("山田たろう"))
    var configuration = Configuration()
    (configuration.names.hangul, configuration.names.kana) = (.given, .given)
    let other = try ScreenHarness(configuration: configuration, people)
    #expect(other.screen.contains("길동 홍") && other.screen.contains("たろう 山田"))
  }
}
