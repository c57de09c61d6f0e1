import AddressBookModel
import Contacts
import TerminalKit
import Testing

@testable import AddressBookTUI

/// `q` goes one level back, and quits only in the list.
@MainActor
struct BackKeyTests {
  @Test func itLeavesTheContactFirst() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("Enter")
    #expect(harness.browser.parts.detailPane.isOpen)
    harness.press("q")
    #expect(!harness.browser.parts.detailPane.isOpen && !harness.loop.isStopped)
    harness.press("q")
    #expect(harness.loop.isStopped)
  }

  @Test func itGivesTheSafeAnswerOfAQuestion() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    let count = harness.browser.list.rowCount
    harness.press("d")
    #expect(harness.environment.screens.top is Question)
    harness.press("q")
    #expect(harness.environment.screens.top === harness.browser && harness.browser.list.rowCount == count)
    harness.press("d n")
    #expect(harness.environment.screens.top === harness.browser, "a letter of an answer is not a command")
  }

  /// A question that appears while the user types takes no letter for an answer.
  @Test func itDoesNotAnswerAQuestionThatNobodyAsked() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.environment.ask("?", answers: [.init(key: "y", word: "yes") {}], isRequested: false)
    harness.press("q ? :")
    #expect(harness.environment.screens.top is Question)
    harness.press("Esc")
    #expect(harness.environment.screens.top === harness.browser)
  }

  /// Everywhere but where text is typed, a key that goes back has `q` beside it.
  @Test func itIsBoundWhereverItIsNoText() {
    let table = KeyTable.standard
    for context in KeyContext.allCases where !KeyContext.text.contains(context) {
      let bindings = table.bindings(in: context).filter { $0.sequences.contains("q") }
      #expect(bindings.count == 1, "\(context)")
      #expect(bindings.allSatisfy { ($0.action == .quit) == (context == .list) }, "\(context)")
    }
  }
}
