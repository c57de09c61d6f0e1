import AddressBookModel
import TerminalKit
import Testing

@testable import AddressBookTUI

/// The list of all commands, and the filter of the list of keys.
@MainActor
struct PaletteTests {
  @Test(arguments: ScreenGoldenTests.sizes, ScreenGoldenTests.languages)
  func palette(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' m :")
    harness.type("und")
    try Golden.check(harness.screen, "palette-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test(arguments: ScreenGoldenTests.sizes, ScreenGoldenTests.languages)
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
    #expect(harness.browser.parts.listPane.marked.count == 1)
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

  @Test(arguments: ScreenGoldenTests.sizes, ScreenGoldenTests.languages)
  func commandsOfAQuestion(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' m d M-x")
    try Golden.check(harness.screen, "palette-question-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func aCommandIsPerformedInTheChooserOrThePromptBelow() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("s M-x")
    harness.type("last")
    harness.press("Enter Enter")
    #expect(harness.browser.list.order == .birthday, "the last order")
    harness.press("i")
    harness.type("/nowhere")
    harness.press("M-x")
    harness.type("cancel")
    harness.press("Enter")
    #expect(harness.environment.screens.top === harness.browser)
    harness.press("d M-x")
    harness.type("answer")
    harness.press("Esc Esc")
    #expect(harness.environment.screens.top is Question)
    harness.press("Esc")
    #expect(try harness.book.contactCount() == ScreenPeople.few.count)
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
    #expect(harness.environment.screens.top?.keyContext == .help && harness.screen.contains("one page down"))
    harness.press("/ Backspace")
    #expect(harness.environment.screens.top?.keyContext == .help)
    harness.press("Esc")
    #expect(harness.environment.screens.top === harness.browser)
  }
}
