import AddressBookModel
import Contacts
import TerminalKit
import Testing

@testable import AddressBookTUI

/// What the mouse does in dialogs, choosers, the help and the bottom line, and that a disabled mouse does nothing.
@MainActor
struct MouseTests {
  private func click(_ text: String, clicks: Int = 1, _ harness: ScreenHarness) throws {
    harness.send(.mouse(Mouse(.press, at: try harness.position(of: text), clicks: clicks)))
  }

  @Test func aClickInAChooserSelectsAndADoubleClickChooses() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("f")
    try click("Hong Kong", harness)
    #expect(harness.screen.contains("▸ Hong Kong"))
    try click("Friends", harness)
    try click("Friends", clicks: 2, harness)
    #expect(harness.environment.screens.top === harness.browser)
    try harness.wait("the group") { harness.browser.list.rowCount == 1 }
  }

  @Test func theWheelMovesALongChooser() throws {
    let people = (0..<60).map { number in
      var contact = Contact()
      contact.family = "P\(number)"
      contact.groups = ["group \(number < 10 ? "0" : "")\(number)"]
      return contact
    }
    let harness = try ScreenHarness(people)
    harness.press("f")
    #expect(!harness.screen.contains("group 20"))
    for _ in 0..<100 { harness.send(.mouse(Mouse(.wheelDown, at: Point(row: 9, column: 40)))) }
    #expect(harness.screen.contains("group 59") && !harness.screen.contains("group 30"))
    try click("group 50", harness)
    #expect(harness.screen.contains("▸ group 50"))
    for _ in 0..<100 { harness.send(.mouse(Mouse(.wheelUp, at: Point(row: 9, column: 40)))) }
    #expect(harness.screen.contains("group 00") && !harness.screen.contains("group 30"))
    // Clicks outside the pane do nothing.
    harness.send(.mouse(Mouse(.press, at: Point(row: 0, column: 0), clicks: 2)))
    harness.send(.mouse(Mouse(.press, at: Point(row: 23, column: 79), clicks: 2)))
    #expect(harness.environment.screens.top?.keyContext == .groups)
  }

  @Test func clickingAnAnswerChoosesIt() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    let count = try harness.book.contactCount()
    harness.press("d")
    try click("Delete Å", harness)
    #expect(harness.environment.screens.top is Question, "a click on the question itself is not an answer")
    try click("n  keep", harness)
    #expect(try harness.book.contactCount() == count)
    harness.press("d")
    try click("y  delete", harness)
    #expect(try harness.book.contactCount() == count - 1)
  }

  @Test func theWheelMovesTheHelp() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("?")
    let before = harness.screen
    harness.send(.mouse(Mouse(.wheelDown, at: Point(row: 5, column: 5))))
    #expect(harness.screen != before)
    for _ in 0..<3 { harness.send(.mouse(Mouse(.wheelUp, at: Point(row: 5, column: 5)))) }
    #expect(harness.screen == before)
  }

  @Test func aKeyInTheBottomLineIsTypedByAClick() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    try click("f groups", harness)
    #expect(harness.environment.screens.top?.keyContext == .groups)
    // The bottom line is that of the pane.
    #expect(!harness.screen.contains("a add"))
    try click("new", harness)
    #expect(harness.screen.contains("New group"))
    harness.press("Esc Esc / Esc ' l")
    try click("mark", harness)
    #expect(harness.browser.parts.listPane.marks.count == 1)
    try click("A all", harness)
    #expect(harness.browser.parts.listPane.marks.count == 10)
    harness.press("Esc")
    // A message in the bottom line hides the keys.
    let delete = try harness.position(of: "d delete")
    harness.press("Tab")
    harness.send(.mouse(Mouse(.press, at: delete)))
    #expect(harness.environment.screens.top === harness.browser)
    harness.press("T")
    try click("back", harness)
    harness.press("?")
    let before = harness.screen
    try click("scroll", harness)
    #expect(harness.screen != before)
    try click("q back", harness)
    #expect(harness.environment.screens.top === harness.browser)
  }

  @Test func aDisabledMouseDoesNothing() throws {
    var configuration = Configuration()
    configuration.usesMouse = false
    let harness = try ScreenHarness(configuration: configuration, ScreenPeople.few)
    let before = harness.screen
    try click("马云", clicks: 2, harness)
    harness.send(.mouse(Mouse(.wheelDown, at: Point(row: 5, column: 5))))
    #expect(harness.screen == before)
  }
}
