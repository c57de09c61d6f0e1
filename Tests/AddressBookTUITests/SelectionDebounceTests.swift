import AddressBookModel
import Contacts
import TerminalKit
import Testing

@testable import AddressBookTUI

/// The detail next to the list follows when the selection has not changed for a moment.
@MainActor
@Suite struct SelectionDebounceTests {
  private func harness() throws -> ScreenHarness {
    let people = (1...30).map { number in
      var person = Contact()
      person.family = "Person \(number < 10 ? "0" : "")\(number)"
      person.note = "Note of \(number)."
      return person
    }
    let harness = try ScreenHarness(rows: 30, columns: 120, people)
    harness.browser.parts.detailPane.debounce.delay = SelectionDebounce.standardDelay
    #expect(!harness.screen.contains("Note of"), "the first rows are drawn before it")
    harness.loop.advanceTime()
    return harness
  }

  @Test func whileAKeyIsHeldOnlyTheListMoves() throws {
    let harness = try harness()
    #expect(harness.screen.contains("Note of 1."))
    harness.press("j")
    #expect(harness.terminal.changedLines.count == 2, "two lines of the list, and not even the title")
    #expect(harness.selectedLine.contains("Person 02"))
    #expect(harness.terminal.text.contains("Note of 1."), "the previous detail stays meanwhile")
    #expect(harness.terminal.text.contains("1 of 30"))
    harness.press("j j")
    #expect(harness.loop.timerCount == 1, "one timer, however many keys")
    harness.loop.advanceTime()
    #expect(harness.screen.contains("Note of 1."), "the cursor moved since the timer was set")
    #expect(harness.screen.contains("4 of 30"), "the position is shown while a key is held")
    harness.loop.advanceTime()
    #expect(harness.screen.contains("Note of 4."))
    #expect(harness.loop.timerCount == 0)
  }

  @Test func aFocusedDetailIsUpdatedAtOnce() throws {
    let harness = try harness()
    harness.press("j Enter")
    #expect(harness.terminal.text.contains("Note of 2."))
  }

  @Test func aStalePositionOfAnotherListIsNotUsed() throws {
    let harness = try harness()
    _ = harness.screen
    harness.press("j d y")
    try harness.wait(for: "2 of 29")
  }

  @Test func changesOfOtherProgramsShowAtOnce() throws {
    let harness = try harness()
    _ = harness.screen
    let id = try #require(harness.browser.list.selectedID)
    let context = harness.book.newContext()
    let person = try #require(try context.person(id))
    try person.set("note", to: "Written elsewhere.")
    try context.save()
    try harness.wait(for: "Written elsewhere.")
  }
}
