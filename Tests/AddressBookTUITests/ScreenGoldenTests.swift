import AddressBookModel
import Contacts
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// What the screens look like: in English at 80×24, in Chinese at 40×12, and where there is a second pane also at 120×40.
@MainActor
struct ScreenGoldenTests {
  typealias Window = (rows: Int, columns: Int)
  nonisolated static let languages = [Language.english, .simplifiedChinese]
  nonisolated static let views = zip([(rows: 24, columns: 80), (rows: 12, columns: 40)] as [Window], languages)
  /// For screens with a second pane in a wide window.
  nonisolated static let wideViews = zip(
    [(rows: 24, columns: 80), (rows: 12, columns: 40), (rows: 40, columns: 120)] as [Window],
    languages + [.english])

  private func name(_ screen: String, _ harness: ScreenHarness, _ language: Language) -> String {
    "\(screen)-\(harness.terminal.size.columns)x\(harness.terminal.size.rows)-\(language.rawValue)"
  }

  @Test(arguments: wideViews)
  func list(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' l j")
    try Golden.check(harness.screen, name("list", harness, language))
  }

  @Test(arguments: wideViews)
  func detail(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' l j Enter")
    try Golden.check(harness.screen, name("detail", harness, language))
  }

  @Test(arguments: views)
  func form(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' l j e")
    try Golden.check(harness.screen, name("form", harness, language))
  }

  /// Its words may be longer than in Simplified Chinese.
  @Test func traditionalChinese() throws {
    let harness = try ScreenHarness(rows: 12, columns: 40, language: .traditionalChinese, ScreenPeople.few)
    harness.press("' l j")
    try Golden.check(harness.screen, name("list", harness, .traditionalChinese))
    harness.press("e")
    try Golden.check(harness.screen, name("form", harness, .traditionalChinese))
  }

  @Test(arguments: wideViews)
  func search(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("/ l i")
    try harness.wait("the matches") { harness.browser.list.rowCount < 10 }
    try Golden.check(harness.screen, name("search", harness, language))
  }

  @Test(arguments: views)
  func pick(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(
      rows: size.rows, columns: size.columns, language: language, pick: ScreenPick(.email), ScreenPeople.few)
    try harness.wait("the list") { harness.browser.list.pending == nil }
    harness.press("Down Tab l")
    try harness.wait("the list") { harness.browser.list.pending == nil }
    try Golden.check(harness.screen, name("pick", harness, language))
  }

  /// Choosing a contact with several email addresses asks which one to use.
  @Test(arguments: views)
  func pickValue(size: (rows: Int, columns: Int), language: Language) throws {
    var contact = Contact()
    contact.given = "Ann"
    contact.emails = [
      LabeledValue(label: "home", value: "ann@example.com"), LabeledValue(label: "work", value: "a.ames@example.org"),
      LabeledValue(value: "ann@example.net"),
    ]
    let harness = try ScreenHarness(
      rows: size.rows, columns: size.columns, language: language, pick: ScreenPick(.email), [contact])
    try harness.wait("the list") { harness.browser.list.pending == nil }
    harness.press("Enter Down")
    try Golden.check(harness.screen, name("pick-value", harness, language))
  }

  /// No contact has a phone number.
  @Test(arguments: views)
  func pickNothing(size: (rows: Int, columns: Int), language: Language) throws {
    var contact = Contact()
    contact.given = "Ann"
    let harness = try ScreenHarness(
      rows: size.rows, columns: size.columns, language: language, pick: ScreenPick(.phone), [contact])
    try harness.wait("the list") { harness.browser.list.pending == nil }
    try Golden.check(harness.screen, name("pick-nothing", harness, language))
  }

  @Test(arguments: views)
  func noMatch(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("/ z z z")
    try harness.wait("no match") { harness.browser.list.rowCount == 0 }
    try Golden.check(harness.screen, name("no-match", harness, language))
  }

  @Test func aSearchForTheLastContactNamesTheMail() throws {
    let harness = try ScreenHarness(rows: 24, columns: 80, language: .english, ScreenPeople.few)
    harness.press("/")
    harness.type("contacted:<30d")
    try harness.wait("no match") { harness.browser.list.rowCount == 0 }
    #expect(harness.screen.contains("The times of the last contact come from your mail, which C reads."))
  }

  @Test(arguments: views)
  func empty(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language)
    try Golden.check(harness.screen, name("empty", harness, language))
  }

  @Test(arguments: views)
  func help(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("?")
    try Golden.check(harness.screen, name("help", harness, language))
  }

  @Test(arguments: views)
  func deleteQuestion(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' m d")
    try Golden.check(harness.screen, name("delete", harness, language))
  }

  @Test(arguments: views)
  func labelChooser(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' m e")
    harness.press(Array(repeating: "Tab", count: 7).joined(separator: " "))
    harness.press("^T")
    try Golden.check(harness.screen, name("label", harness, language))
  }

  @Test(arguments: views)
  func groups(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("f")
    try harness.waitForCounts()
    try Golden.check(harness.screen, name("groups", harness, language))
  }

  @Test(arguments: views)
  func discardQuestion(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' m e x Esc")
    try Golden.check(harness.screen, name("discard", harness, language))
  }

  @Test(arguments: languages)
  func tooSmall(language: Language) throws {
    let harness = try ScreenHarness(rows: 6, columns: 30, language: language, ScreenPeople.few)
    try Golden.check(harness.screen, name("too-small", harness, language))
  }
}
