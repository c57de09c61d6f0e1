import AddressBookModel
import Contacts
import IDSets
import Messages
import ResultsController
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Marking all contacts of the list, a range, or those that are not marked; and what prompts say about them.
@MainActor
struct MarkManyTests {
  private func marked(_ harness: ScreenHarness) throws -> [String] {
    try harness.book.contacts(ids: harness.book.idsInOrder(of: Array(harness.browser.parts.listPane.marks.ids)))
      .map(\.displayName)
  }

  @Test(arguments: ScreenGoldenTests.views)
  func prompts(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' l A w")
    try Golden.check(harness.screen, "marks-export-\(size.columns)x\(size.rows)-\(language.rawValue)")
    harness.press("Esc +")
    try Golden.check(harness.screen, "marks-join-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func allContactsOfTheListAreMarkedOrUnmarked() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' m Space A")
    #expect(harness.browser.parts.listPane.marks.count == 10 && harness.screen.contains("● 10 marked"))
    harness.press("A")
    #expect(harness.browser.parts.listPane.marks.isEmpty)
    harness.press("/")
    harness.type("li")
    try harness.wait("the matches") { harness.browser.list.rowCount < 10 }
    let found = harness.browser.list.rowCount
    harness.press("Enter A Esc")
    #expect(harness.browser.parts.listPane.marks.count == found, "only those of the search")
    try harness.wait("all contacts") { harness.browser.list.rowCount == 10 }
    harness.press("A")
    #expect(harness.browser.parts.listPane.marks.count == 10, "the others are marked too")
  }

  @Test func invertedMarksAreThoseOfTheOthersInTheList() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' l Space Space I")
    #expect(try !marked(harness).contains("李强") && marked(harness).count == 8)
    harness.press("I")
    #expect(try marked(harness) == ["李强", "李小龙"])
    harness.press("/")
    harness.type("lin")
    try harness.wait("the matches") { harness.browser.list.rowCount == 3 }
    harness.press("Enter I")
    #expect(try marked(harness).contains("李强"), "a contact that the list does not show keeps its mark")
    #expect(try marked(harness).contains("林青霞") && !marked(harness).contains("李小龙"))
  }

  @Test func aRangeGoesFromTheLastMarkToTheSelectedContact() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' l Space j V")
    #expect(try marked(harness) == ["李强", "李小龙", "林青霞"])
    harness.press("Esc ' m V")
    #expect(try marked(harness) == ["马云"] && harness.screen.contains("press V to mark all in between"))
    harness.press("k k V")
    #expect(try marked(harness) == ["李小龙", "林青霞", "马云"], "upwards too")
    harness.press("G V")
    #expect(try marked(harness).count == 7, "the next one begins where the last one ended")
  }

  @Test func aMarkThatWasRemovedDoesNotBeginARange() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' l Space k Space G V")
    #expect(harness.browser.parts.listPane.marks.count == 1)
  }

  @Test func promptsSayToWhomTheyApply() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' l +")
    #expect(harness.screen.contains("│ 李强 "), "\(harness.screen)")
    harness.press("Esc A +")
    #expect(harness.screen.contains("10 contacts: Åsa Lindström, Jürgen Müller, 李强 and 7 more"), "\(harness.screen)")
    harness.press("Esc -")
    #expect(harness.screen.contains("10 contacts: Åsa Lindström"))
    harness.press("Esc w")
    #expect(harness.screen.contains("10 contacts: Åsa Lindström"))
    // A contact that is not in the list comes last.
    harness.press("Esc A ' m Space /")
    harness.type("lin")
    try harness.wait("the matches") { harness.browser.list.rowCount == 3 }
    harness.press("Enter g g Space +")
    #expect(harness.screen.contains("2 contacts:") && harness.screen.contains(", 马云"), "\(harness.screen)")
  }

  @Test func oneOfAMillionMarksIsRemovedAndAddedAgain() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    let pane = harness.browser.parts.listPane
    let all = IDSet(1...1_000_000)
    pane.marks = Marks(all)
    harness.press("' m")
    let id = try #require(harness.browser.list.selectedID)
    harness.press("Space")
    #expect(pane.marks.ids == all.subtracting([id]))
    #expect(harness.screen.contains("● 999,999 marked"), "\(harness.screen)")
    harness.press("k Space")
    #expect(pane.marks.ids == all && harness.screen.contains("● 1,000,000 marked"), "\(harness.screen)")
  }
}
