import AddressBookModel
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// The list of all commands, and the filter of the list of keys.
@MainActor
struct PaletteTests {
  @Test(arguments: ScreenGoldenTests.views)
  func palette(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' m :")
    harness.type("und")
    try Golden.check(harness.screen, "palette-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test(arguments: ScreenGoldenTests.views)
  func filteredHelp(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("? /")
    harness.type("^S")
    try Golden.check(harness.screen, "help-filter-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func everyCommandOfTheListIsThereOnceWithItsKeys() {
    let strings = Strings(Localization(language: .english))
    let bindings = CommandPalette.bindings(.standard, in: .list)
    let items = CommandPalette.items(bindings, strings: strings)
    let expected = KeyTable.standard.bindings(in: .list).map(\.action).filter { $0 != .palette }
    #expect(Set(bindings.map(\.action)) == Set(expected) && bindings.count == expected.count)
    #expect(bindings.prefix(2).map(\.action) == [.moveDown, .moveUp] && bindings.last?.action == .suspend)
    #expect(items.contains { $0.text == strings("command.edit") && $0.detail == "e" })
    #expect(Set(items.map(\.text)).count == items.count, "two commands have the same description")
  }

  @Test func enterPerformsTheCommandAndEscClosesTheList() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' m :")
    harness.type("mark the")
    harness.press("Enter")
    #expect(harness.browser.parts.listPane.marks.count == 1)
    harness.press(": x Esc")
    #expect(harness.environment.screens.top is Chooser, "Esc clears first")
    harness.press("Esc")
    #expect(harness.environment.screens.top === harness.browser)
    harness.press(":")
    harness.type("list of keys")
    harness.press("Enter")
    #expect(harness.environment.screens.top?.keyContext == .help)
    harness.press("q :")
    harness.type("quit")
    harness.press("Enter")
    #expect(harness.loop.isStopped)
  }

  @Test(arguments: ["undo", "撤销", "u"])
  func aCommandIsFoundInBothLanguagesAndByItsKey(text: String) throws {
    for language in ScreenGoldenTests.languages {
      let harness = try ScreenHarness(language: language, ScreenPeople.few)
      harness.press(":")
      harness.type(text)
      let line = harness.screen.split(separator: "\n").first { $0.contains("│ ▸") }
      #expect(line?.contains(harness.environment.strings("command.undo")) == true, "\(harness.screen)")
    }
  }

  /// A book that cannot be changed offers nothing that would change it, and says why if a key is typed nevertheless.
  @Test func aReadOnlyBookOffersNoChanges() throws {
    let folder = try BookFolder()
    let path = folder.file("book.db")
    try AddressBook.open(at: .file(path)).close()
    let book = try AddressBook.open(at: .file(path), mode: .readOnly)
    let harness = try ScreenHarness(book: book)
    #expect(!harness.screen.contains("a add") && harness.screen.contains("q quit"))
    harness.press(":")
    harness.type("add a contact")
    #expect(!harness.screen.contains("▸ add a contact"))
    harness.press("Esc Esc a")
    #expect(harness.environment.screens.top === harness.browser && harness.screen.contains("✗"))
    harness.press("f ^O")
    #expect(harness.environment.screens.top?.keyContext == .groups && harness.screen.contains("✗"))
    #expect(!harness.screen.contains("^O new"))
  }

  @Test(arguments: [("exit", "quit"), ("remove", "delete"), ("label", "addToGroup"), ("退", "quit")])
  func otherWordsFindACommand(word: String, command: String) throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press(":")
    harness.type(word)
    let text = harness.environment.strings("command." + command)
    #expect(harness.screen.contains("▸ " + text.prefix(20)), "\(harness.screen)")
  }

  @Test func aCommandWithoutKeysIsStillThere() throws {
    var keys = KeyTable.standard
    keys.rebind(.history, to: [])
    let harness = try ScreenHarness(keys: keys, ScreenPeople.few)
    harness.press(":")
    harness.type("history")
    #expect(harness.screen.contains("▸ show the contact’s history"))
    harness.press("Enter")
    #expect(!(harness.environment.screens.top is Chooser))
  }

  @Test func inAFormAltXListsTheCommandsOfTheForm() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("a :")
    #expect(!(harness.environment.screens.top is Chooser), ": is text there")
    harness.press("M-x")
    harness.type("leave")
    harness.press("Enter")
    #expect(harness.environment.screens.top is Question)
  }

  @Test(arguments: ScreenGoldenTests.views)
  func commandsOfAQuestion(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' m d M-x")
    try Golden.check(harness.screen, "palette-question-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  /// Chooses a command from the list of all commands, which must have opened over the screen.
  private func choose(_ command: String, _ harness: ScreenHarness) throws {
    let screen = try #require(harness.environment.screens.top)
    harness.press("M-x")
    #expect(harness.environment.screens.top is Chooser && harness.environment.screens.top !== screen)
    harness.type(command)
    harness.press("Enter")
  }

  @Test func aCommandIsPerformedInTheChooserBelow() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("s")
    try choose("last line", harness)
    harness.press("Enter")
    #expect(harness.browser.list.asked.chosenOrder == .contacted, "the last order")
  }

  @Test func aCommandIsPerformedInThePromptBelow() throws {
    let folder = try BookFolder()
    try "x".write(toFile: folder.file("people.vcf"), atomically: true, encoding: .utf8)
    let harness = try ScreenHarness(columns: 200, ScreenPeople.few)
    harness.press("w")
    let prompt = try #require(harness.environment.screens.top)
    harness.type(folder.file("pe"))
    try choose("complete", harness)
    try harness.wait(for: "/people.vcf")
    #expect(harness.environment.screens.top === prompt)
    try choose("cancel", harness)
    #expect(harness.environment.screens.top === harness.browser)
    #expect(try harness.book.contactCount() == ScreenPeople.few.count)
  }

  @Test func aCommandIsPerformedInTheQuestionBelow() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("d")
    let question = harness.environment.screens.top
    #expect(question is Question)
    harness.press("M-x")
    harness.type("answer")
    harness.press("Esc Esc")
    #expect(harness.environment.screens.top === question)
    try choose("next answer", harness)
    #expect(harness.environment.screens.top === question)
    try choose("choose the selected answer", harness)
    #expect(harness.environment.screens.top === harness.browser)
    #expect(try harness.book.contactCount() == ScreenPeople.few.count - 1)
  }

  @Test func theFilterOfTheHelpEndsBeforeTheHelp() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("? /")
    harness.type("jq")
    #expect(harness.screen.contains("No match for “jq”."), "letters are text while it is typed")
    harness.press("^U")
    harness.type("search")
    harness.press("Enter j")
    #expect(harness.screen.contains("search by name") && !harness.screen.contains("suspend"))
    harness.press("Esc")
    #expect(harness.environment.screens.top?.keyContext == .help && harness.screen.contains("next contact"))
    harness.press("/ Backspace")
    #expect(harness.environment.screens.top?.keyContext == .help)
    harness.press("Esc")
    #expect(harness.environment.screens.top === harness.browser)
  }
}
