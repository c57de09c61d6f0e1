import AddressBookModel
import Messages
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

  @Test(arguments: Language.allCases)
  func everyCommandIsDescribedInTheHelp(language: Language) {
    let strings = Strings(Localization(language: language))
    let lines = HelpLines(keys: table, strings: strings).lines
    for command in Command.allCases {
      let text = strings("command." + command.rawValue)
      #expect(text != "command." + command.rawValue, "\(command) has no strings")
      #expect(lines.contains { $0.text == text }, "\(command) is not in the help")
    }
    for binding in table.bindings { #expect(strings(binding.group) != binding.group) }
  }

  /// A sentence about a key is left out if the configuration file took the key away.
  @MainActor
  @Test func noSentenceNamesAKeyThatIsNotBound() throws {
    func screens(_ keys: KeyTable) throws -> [String] {
      let harness = try ScreenHarness(keys: keys, ScreenPeople.few)
      return ["F12", "d", "Esc f Down ^X", "n Esc", "T F12", "q M F12"].map { keys in
        harness.press(keys)
        return harness.screen
      }
    }
    let bound = try screens(.standard)
    for index in [0, 4, 5] { #expect(bound[index].contains("F12 is not bound here. ? shows all keys.")) }
    for index in [1, 2] { #expect(bound[index].contains("You can undo this with u.")) }
    var keys = KeyTable.standard
    keys.rebind(.undo, to: [])
    keys.rebind(.help, to: [])
    let unbound = try screens(keys)
    for index in [0, 4, 5] {
      #expect(unbound[index].contains("F12 is not bound here.") && !unbound[index].contains("shows all keys"))
    }
    for index in [1, 2] { #expect(unbound[index].contains("Delete") && !unbound[index].contains("You can undo")) }
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
