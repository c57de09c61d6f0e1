import AddressBookModel
import TerminalKit
import Testing

@testable import AddressBookTUI

struct KeyTableTests {
  private let table = KeyTable.standard

  @Test func noKeyIsBoundTwiceInOneContext() {
    #expect(table.conflicts.isEmpty, "\(table.conflicts)")
  }

  @Test func incompleteSequencesWait() {
    var reader = KeyReader(table)
    let results = ["g", "g", "x"].map { reader.read(.character($0), in: .list) }
    #expect(results == [.waiting, .perform(.first), .unbound([.character("x")])])
  }

  @Test func everyHeadingOfTheHelpIsThereOnce() {
    let headings = HelpLines(keys: table, strings: Strings(Localization(language: .english))).lines
      .filter { $0.keys.isEmpty && !$0.text.isEmpty }.map(\.text)
    #expect(headings.count == Set(headings).count, "\(headings)")
  }

  @Test(arguments: [Language.english, .simplifiedChinese])
  func everyCommandIsDescribedInTheHelp(language: Language) {
    let strings = Strings(Localization(language: language))
    let lines = HelpLines(keys: table, strings: strings).lines
    for command in Command.allCases {
      let text = strings("command." + command.rawValue)
      #expect(text != "command." + command.rawValue, "\(command) has no strings")
      #expect(lines.contains { $0.text == text }, "\(command) is not in the help")
    }
    for binding in table.bindings { #expect(strings(binding.groupKey) != binding.groupKey) }
  }

  @MainActor
  @Test func longKeysAreWholeAndAlignedInAnEmptyBook() throws {
    var keys = KeyTable.standard
    keys.rebind(.add, to: [try #require(KeySequence(notation: "g a"))])
    keys.rebind(.import, to: [try #require(KeySequence(notation: "F10"))])
    let harness = try ScreenHarness(keys: keys)
    func label(_ command: Command) -> String { keys.label(of: command, in: .list) }
    let width = max(label(.add).count, label(.import).count)
    for (command, text) in [(Command.add, "add a contact"), (.import, "import a file"), (.quit, "quit")] {
      let key = label(command)
      #expect(harness.screen.contains(key + String(repeating: " ", count: width + 2 - key.count) + text))
    }
  }
}
