import AddressBookModel
import Contacts
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// What the screens look like, in three sizes and both languages.
@MainActor
struct ScreenGoldenTests {
  nonisolated static let sizes = [(rows: 24, columns: 80), (rows: 40, columns: 120), (rows: 12, columns: 40)]
  nonisolated static let languages = [Language.english, .simplifiedChinese]

  private func name(_ screen: String, _ harness: ScreenHarness, _ language: Language) -> String {
    "\(screen)-\(harness.terminal.size.columns)x\(harness.terminal.size.rows)-\(language.rawValue)"
  }

  @Test(arguments: sizes, languages)
  func list(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' l j")
    try Golden.check(harness.screen, name("list", harness, language))
  }

  @Test(arguments: sizes, languages)
  func detail(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' l j Enter")
    try Golden.check(harness.screen, name("detail", harness, language))
  }

  @Test(arguments: sizes, languages)
  func form(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' l j e")
    try Golden.check(harness.screen, name("form", harness, language))
  }

  @Test(arguments: sizes, languages)
  func search(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("/ l i")
    try harness.wait("the matches") { harness.browser.list.rowCount < 10 }
    try Golden.check(harness.screen, name("search", harness, language))
  }

  @Test(arguments: sizes, languages)
  func pick(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(
      rows: size.rows, columns: size.columns, language: language, pick: ScreenPick(.email), ScreenPeople.few)
    harness.press("' l j Space")
    try Golden.check(harness.screen, name("pick", harness, language))
  }

  /// Choosing a contact with several email addresses asks which one to use.
  @Test(arguments: sizes, languages)
  func pickValue(size: (rows: Int, columns: Int), language: Language) throws {
    var contact = Contact()
    contact.given = "Ann"
    contact.emails = [
      LabeledValue(label: "home", value: "ann@example.com"), LabeledValue(label: "work", value: "a.ames@example.org"),
      LabeledValue(value: "ann@example.net"),
    ]
    let harness = try ScreenHarness(
      rows: size.rows, columns: size.columns, language: language, pick: ScreenPick(.email), [contact])
    harness.press("Enter Down")
    try Golden.check(harness.screen, name("pick-value", harness, language))
  }

  /// The chosen contact has no phone number.
  @Test(arguments: sizes, languages)
  func pickNothing(size: (rows: Int, columns: Int), language: Language) throws {
    var contact = Contact()
    contact.given = "Ann"
    let harness = try ScreenHarness(
      rows: size.rows, columns: size.columns, language: language, pick: ScreenPick(.phone), [contact])
    harness.press("Enter")
    try Golden.check(harness.screen, name("pick-nothing", harness, language))
  }

  @Test(arguments: sizes, languages)
  func noMatch(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("/ z z z")
    try harness.wait("no match") { harness.browser.list.rowCount == 0 }
    try Golden.check(harness.screen, name("no-match", harness, language))
  }

  @Test(arguments: sizes, languages)
  func empty(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language)
    try Golden.check(harness.screen, name("empty", harness, language))
  }

  @Test(arguments: sizes, languages)
  func help(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("?")
    try Golden.check(harness.screen, name("help", harness, language))
  }

  @Test(arguments: sizes, languages)
  func deleteQuestion(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' m d")
    try Golden.check(harness.screen, name("delete", harness, language))
  }

  @Test(arguments: sizes, languages)
  func labelChooser(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' m e")
    harness.press(Array(repeating: "Tab", count: 7).joined(separator: " "))
    harness.press("^T")
    try Golden.check(harness.screen, name("label", harness, language))
  }

  @Test(arguments: sizes, languages)
  func groups(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("f")
    try harness.waitForCounts()
    try Golden.check(harness.screen, name("groups", harness, language))
  }

  @Test(arguments: sizes, languages)
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
