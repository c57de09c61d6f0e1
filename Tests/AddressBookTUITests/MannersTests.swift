import AddressBookModel
import Contacts
import Foundation
import TerminalKit
import Testing

@testable import AddressBookTUI

/// What a user expects without having been told: the order and the columns of collections, stars, marks, messages.
@MainActor
struct MannersTests {
  private func person(_ family: String, _ change: (inout Contact) -> Void) -> Contact {
    var contact = Contact()
    (contact.family, contact.uid) = (family, "manners-\(family)")
    change(&contact)
    return contact
  }

  private func open(_ text: String, _ harness: ScreenHarness, rows: Int) throws {
    harness.press("f")
    harness.type(text)
    harness.press("Enter")
    try harness.wait("\(rows) contacts") { harness.browser.list.rowCount == rows && !harness.browser.list.isReordering }
  }

  /// The position of each text on the screen, by line.
  private func lines(_ harness: ScreenHarness, _ texts: [String]) -> [Int] {
    let lines = harness.screen.split(separator: "\n", omittingEmptySubsequences: false)
    return texts.compactMap { text in lines.firstIndex { $0.contains(text) } }
  }

  // MARK: Collections

  /// 21 November 2026 is today; the next 30 days go on into December. A day that has passed is not in the list.
  @Test(arguments: [(Clock.noon, 3), (Clock.noon + 26 * 86_400, 3)])
  func birthdaysAreInOrderOfTheirDaysWithAges(moment: Int, count: Int) throws {
    let isDecember = moment != Clock.noon
    let people = [
      person("Zeta") { $0.birthday = PartialDate(isDecember ? "1950-12-18" : "1950-11-22") },
      person("Alfa") { $0.birthday = PartialDate(isDecember ? "2000-01-05" : "2000-12-02") },
      person("Mid") { $0.birthday = PartialDate(isDecember ? "--12-31" : "--11-30") },
      person("Past") { $0.birthday = PartialDate("1990-11-02") },
    ]
    let harness = try ScreenHarness(moment: moment, people)
    try open("birth", harness, rows: count)
    let order = lines(harness, ["Zeta", "Mid", "Alfa"])
    #expect(order.count == 3 && order == order.sorted(), "\(harness.screen)")
    let shown =
      isDecember
      ? ["18 December, turns 76", "31 December", "5 January, turns 27"]
      : ["22 November, turns 76", "30 November", "2 December, turns 26"]
    for text in shown { #expect(harness.screen.contains(text), "\(text):\n\(harness.screen)") }
    // The order of the whole list comes back, and is not that of the collection.
    harness.press("Esc")
    try harness.wait("all contacts") { harness.browser.list.rowCount == 4 && !harness.browser.list.isReordering }
    #expect(harness.browser.list.shown.order == .name && harness.browser.list.asked.chosenOrder == .name)
    #expect(!harness.screen.contains("turns"))
  }

  @Test func anotherOrderCanBeChosenInACollection() throws {
    let people = [
      person("Zeta") { $0.birthday = PartialDate("1950-11-22") },
      person("Alfa") { $0.birthday = PartialDate("2000-12-02") },
    ]
    let harness = try ScreenHarness(people)
    try open("birth", harness, rows: 2)
    harness.press("s")
    harness.type("name")
    harness.press("Enter")
    try harness.wait("the order by name") { harness.browser.list.shown.order == .name }
    let order = lines(harness, ["Alfa", "Zeta"])
    #expect(order == order.sorted() && harness.browser.list.asked.chosenOrder == .name)
    // The next time, the collection has its own order again.
    harness.press("Esc")
    try open("birth", harness, rows: 2)
    try harness.wait("the order of the collection") { harness.browser.list.shown.order == .birthday }
  }

  @Test func recentlyChangedSaysWhatWasChangedAndWhen() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    for row in try harness.book.listRows() {
      try harness.book.setTimes(of: row.id, added: "2020-01-01T00:00:00Z", changed: "2020-01-01T00:00:00Z")
    }
    harness.press("' m e")
    harness.press("^G")
    harness.type("nick")
    harness.press("Enter")
    harness.type("Jack")
    harness.press("^S")
    try open("recently changed", harness, rows: 1)
    #expect(harness.selectedLine.contains(/马云 .*20\d\d-\d\d-\d\d \d\d:\d\d  Nickname/), "\(harness.screen)")
  }

  // MARK: Favorites

  @Test func favoritesHaveAStarInTheList() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    #expect(!harness.screen.contains("★"))
    harness.press("' m *")
    try harness.wait(for: "▸ 马云 ★")
    harness.press("*")
    try harness.wait("the star to go") { !harness.selectedLine.contains("★") }
    // A name that is too long leaves room for the star.
    let long = try ScreenHarness(
      columns: 60, [person(String(repeating: "Long ", count: 20)) { $0.groups = ["starred"] }])
    #expect(long.selectedLine.contains("… ★"), "\(long.screen)")
  }

  // MARK: Marks

  @Test func marksApplyToCopyingAndOpening() throws {
    let people = [
      person("Ann") {
        $0.emails = [LabeledValue(value: "ann@example.com"), LabeledValue(value: "ann@home.example")]
        $0.phones = [LabeledValue(value: "111")]
      },
      person("Bob") { $0.emails = [LabeledValue(value: "bob@example.com")] },
      person("Cid") { $0.urls = [LabeledValue(value: "https://cid.example/")] },
      person("Dee") { $0.emails = [LabeledValue(value: "dee@example.com")] },
    ]
    let harness = try ScreenHarness(people)
    harness.press("g g Space Space Space y")
    #expect(harness.environment.screens.top is Chooser, "\(harness.screen)")
    harness.type("email")
    harness.press("Enter")
    #expect(harness.terminal.copiedTexts == ["Ann <ann@example.com>, Bob <bob@example.com>"])
    harness.press("Y")
    harness.type("name and")
    harness.press("Enter")
    #expect(harness.terminal.copiedTexts.last == "Ann <ann@example.com>, Bob <bob@example.com>")
    harness.press("Y Enter")
    #expect(harness.terminal.copiedTexts.last == "Ann\nBob\nCid")
    harness.press("o")
    harness.type("email")
    harness.press("Enter o")
    harness.type("web")
    harness.press("Enter")
    #expect(
      harness.opened.arguments.map(\.last) == ["mailto:ann@example.com,bob@example.com", "https://cid.example/"])
    // Without marks, the selected contact counts.
    harness.press("Esc g g j y")
    #expect(harness.terminal.copiedTexts.last == "bob@example.com")
  }

  @Test func tooManyMarksAreRefused() throws {
    let harness = try ScreenHarness(
      (1...101).map { number in person("P\(number)") { $0.emails = [LabeledValue(value: "p\(number)@example.com")] } })
    for key in ["y", "Y", "o"] {
      harness.press("A \(key)")
      #expect(harness.screen.contains("At most 100 can be opened or copied at once."))
      harness.press("A")
    }
    #expect(harness.terminal.copiedTexts.isEmpty && harness.opened.arguments.isEmpty)
  }

  // MARK: Messages

  @Test func sampleContactsInAFullBookAreRefusedWithAReason() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("D")
    #expect(harness.screen.contains("Sample contacts are only added to an empty book"))
    #expect(harness.browser.list.rowCount == ScreenPeople.few.count)
  }

  @Test func everyProblemOfTheConfigurationIsCounted() throws {
    let harness = try ScreenHarness(columns: 120, ScreenPeople.few)
    let text = "theme = \"nope\"\nmouse = 5\n\nfly = 1\nx y\n[kyes]\n"
    let issues = ConfigurationReader(text).issues
    #expect(issues.count == 5)
    harness.browser.parts.status.show(issues)
    #expect(
      harness.screen.contains(
        "config.toml has 5 problems; “addressbook config --check” lists them (lines 1, 2, 4, 5, 6)"))
  }

  // MARK: Language

  @Test func theSettingDecidesTheLanguage() throws {
    #expect(ConfigurationReader("language = \"zh-Hans\"").configuration.language == .simplifiedChinese)
    #expect(ConfigurationReader("language = \"zh-Hant\"").configuration.language == .traditionalChinese)
    let wrong = ConfigurationReader("language = \"zh-TW\"")
    #expect(wrong.configuration.language == nil)
    #expect(wrong.issues.map(\.reason) == [.choice] && wrong.issues.first?.values == ["en", "zh-Hans", "zh-Hant"])
  }
}
