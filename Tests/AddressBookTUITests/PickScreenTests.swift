import AddressBookModel
import Contacts
import TerminalKit
import Testing

@testable import AddressBookTUI

/// `addressbook pick` on the screen: a search field, and keys that only choose.
@MainActor
struct PickScreenTests {
  private func harness(
    _ kind: ScreenPick.Kind = .email, isMultiple: Bool = false, query: String = "",
    _ contacts: [Contact] = ScreenPeople.few
  ) throws -> (harness: ScreenHarness, pick: ScreenPick) {
    let pick = ScreenPick(kind, isMultiple: isMultiple, query: query)
    let harness = try ScreenHarness(pick: pick, contacts)
    try harness.wait("the list") { harness.browser.list.pending == nil }
    return (harness, pick)
  }

  private func values(_ pick: ScreenPick) -> [String]? { pick.choices?.map(\.value) }

  @Test func onlyContactsThatHaveIt() throws {
    let (harness, pick) = try harness()
    #expect(harness.screen.contains("李小龙") && harness.screen.contains("Åsa"))
    #expect(!harness.screen.contains("国藩") && harness.screen.contains("2 found"))
    harness.press("Enter")
    #expect(values(pick) == ["asa@example.com"] && harness.loop.isStopped)
    #expect(try self.harness(.phone).harness.screen.contains("10 found"))
    #expect(try self.harness(.contact).harness.screen.contains("10 found"))
  }

  @Test func theQueryIsInTheField() throws {
    let (harness, pick) = try harness(query: "asa")
    #expect(harness.screen.contains("/ asa"))
    harness.press("Enter")
    #expect(values(pick) == ["asa@example.com"] && pick.query == "asa")
  }

  /// Enter may be typed before the list shows what was typed.
  @Test func enterWaitsForTheSearch() throws {
    let (harness, pick) = try harness()
    for character in "asa" { harness.browser.type(.character(character), in: harness.environment.screens) }
    harness.browser.perform(.pickAccept, in: harness.environment.screens)
    #expect(pick.choices == nil)
    try harness.wait("the choice") { pick.choices != nil }
    #expect(values(pick) == ["asa@example.com"] && pick.query == "asa")
    // Typing more takes it back.
    let (other, second) = try self.harness()
    other.browser.type(.character("a"), in: other.environment.screens)
    other.browser.perform(.pickAccept, in: other.environment.screens)
    other.browser.type(.character("s"), in: other.environment.screens)
    try other.wait("the list") { other.browser.list.pending == nil }
    #expect(second.choices == nil)
  }

  @Test func tabMarksOnlyIfSeveralCanBeChosen() throws {
    let (harness, pick) = try harness(isMultiple: true)
    harness.press("Tab Tab Enter")
    #expect(values(pick) == ["asa@example.com", "lee@example.com"])
    let (up, second) = try self.harness(.phone, isMultiple: true)
    up.press("Down S-Tab S-Tab Enter")
    #expect(second.choices?.count == 2)
    let (single, third) = try self.harness()
    single.press("Tab Tab Down Enter")
    #expect(values(third) == ["lee@example.com"])
  }

  @Test func nothingFoundIsNotCanceled() throws {
    let (harness, pick) = try harness()
    harness.type("nobody")
    try harness.wait("the list") { harness.browser.list.pending == nil }
    #expect(harness.screen.contains("No match for “nobody”"))
    harness.press("Enter")
    #expect(pick.choices?.isEmpty == true && pick.query == "nobody")
    for key in ["Esc", "^C", "^G"] {
      let (canceled, pick) = try self.harness()
      canceled.press(key)
      #expect(pick.choices == nil && canceled.loop.isStopped)
    }
    let (empty, _) = try self.harness(.email, [ScreenPeople.few[1]])
    #expect(empty.screen.contains("no contacts to choose from"))
  }

  /// Letters are typed into the field, the others have no command that changes the book.
  @Test func noKeyChangesTheBook() throws {
    let keys = KeyTable.standard.bindings(in: .pick)
    #expect(!keys.isEmpty && keys.allSatisfy { !$0.isWriting })
    let (harness, _) = try harness(.contact)
    let before = try harness.book.contacts(ids: Array(1...20))
    for key in "adeum*+-xiDTMw q" { harness.type(String(key)) }
    harness.press("^R ^S ^X ^O Del Backspace ^Z")
    #expect(harness.environment.screens.screens.count == 1)
    #expect(try harness.book.contacts(ids: Array(1...20)) == before)
  }

  /// A double-click chooses; with an empty field, Backspace does not leave it.
  @Test func theFieldStays() throws {
    let (harness, pick) = try harness()
    harness.press("Backspace Backspace")
    harness.type("asa")
    #expect(harness.screen.contains("/ asa"))
    try harness.wait("the list") { harness.browser.list.pending == nil }
    try harness.doubleClick("Åsa")
    #expect(values(pick) == ["asa@example.com"])
  }
}
