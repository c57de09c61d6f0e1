import AddressBookModel
import TerminalKit
import Testing

@testable import AddressBookTUI

/// The mouse in forms, prompts, choosers and the search field, and on the index bar.
@MainActor
struct FormMouseTests {
  private func click(_ text: String, offset: Int = 0, _ harness: ScreenHarness) throws {
    let position = try harness.position(of: text)
    harness.send(.mouse(Mouse(.press, at: Point(row: position.row, column: position.column + offset))))
  }

  private func form(_ keys: String = "' l j e", _ rows: Int = 40) throws -> (ScreenHarness, ContactFormScreen) {
    let harness = try ScreenHarness(rows: rows, ScreenPeople.few)
    harness.press(keys)
    return (harness, try #require(harness.environment.screens.top as? ContactFormScreen))
  }

  @Test func aClickChoosesTheFieldAndPlacesTheCursor() throws {
    let (harness, form) = try form()
    try click("Golden Harvest", offset: 6, harness)
    harness.type("-")
    #expect(form.contact.organization == "Golden- Harvest")
    // A click to the right of the text puts the cursor at its end.
    try click("Actor", offset: 20, harness)
    harness.type("!")
    #expect(form.contact.title == "Actor!")
  }

  @Test func aClickInTheNotePlacesTheCursorInItsLines() throws {
    let (harness, form) = try form()
    try click("Second line.", offset: 6, harness)
    harness.type("x")
    #expect(form.contact.note == "Be water, my friend.\nSecondx line.")
  }

  @Test func buttonsChoicesAndLabelsAreClicked() throws {
    let (harness, form) = try form()
    try click("○ organization", harness)
    #expect(form.contact.kind == .organization)
    try click("◉ organization", offset: -8, harness)
    #expect(form.contact.kind == .person)
    try click("+ add a phone number", harness)
    harness.type("110")
    #expect(form.contact.phones.map(\.value) == ["13922223333", "110"])
    try click("mobile", harness)
    #expect(harness.environment.screens.top is Chooser)
    try click("pager", harness)
    try harness.doubleClick("pager")
    #expect(form.contact.phones.map(\.label) == ["pager", "home"])
  }

  @Test func theWheelMovesThroughTheForm() throws {
    let (harness, _) = try form("' l j e", 12)
    #expect(!harness.screen.contains("Second line."))
    for _ in 0..<20 { harness.send(.mouse(Mouse(.wheelDown, at: Point(row: 5, column: 30)))) }
    #expect(harness.screen.contains("Second line."))
    for _ in 0..<20 { harness.send(.mouse(Mouse(.wheelUp, at: Point(row: 5, column: 30)))) }
    #expect(harness.screen.contains("◉ person"))
  }

  @Test func aClickPlacesTheCursorInAPromptAChooserAndTheSearch() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("w")
    harness.type("/tmp/ab")
    try click("/tmp/ab", offset: 4, harness)
    harness.type("x")
    #expect(harness.screen.contains("/tmpx/ab"))
    harness.press("Esc f")
    harness.type("ends")
    try click("ends", harness)
    harness.type("i")
    #expect(harness.screen.contains("iends"))
    harness.press("Esc Esc /")
    harness.type("in")
    try harness.wait("the matches") { harness.browser.list.rowCount < 10 }
    harness.press("Enter")
    try click("/ in", offset: 2, harness)
    #expect(harness.browser.mode == .search)
    harness.type("l")
    #expect(harness.screen.contains("/ lin"))
  }

  @Test func clicksInTheLastColumnHitTheIndexBar() throws {
    for columns in [80, 120] {
      let harness = try ScreenHarness(columns: columns, ScreenPeople.few)
      let line = try #require(harness.screen.split(separator: "\n").firstIndex { $0.hasSuffix("Z") })
      harness.send(.mouse(Mouse(.press, at: Point(row: line, column: columns - 1))))
      #expect(harness.selectedLine.contains("曾国藩"))
      let first = try #require(harness.screen.split(separator: "\n").firstIndex { $0.hasSuffix("A") })
      harness.send(.mouse(Mouse(.drag, at: Point(row: first, column: columns - 1))))
      #expect(harness.selectedLine.contains("Åsa"))
    }
  }
}
