import AddressBookModel
import Contacts
import Messages
import Testing

@testable import AddressBookTUI

/// The steps of the book, and restoring a contact from its history.
@MainActor
struct HistoryScreenTests {
  /// Edits the first contact of the list twice, and another one.
  private func harness(
    rows: Int = 24, columns: Int = 80, language: Language = .english
  ) throws -> (harness: ScreenHarness, id: Int64) {
    let harness = try ScreenHarness(rows: rows, columns: columns, language: language, ScreenPeople.few)
    let id = try #require(harness.browser.list.selectedID)
    try edit(harness, id) { $0.title = "Poet" }
    try edit(harness, id) {
      $0.title = "Painter"
      $0.emails = [LabeledValue(label: "home", value: "new@example.org")]
    }
    let other = try #require(try harness.book.contacts(ids: [1]).first?.id)
    try edit(harness, other) { $0.nickname = "Dragon" }
    return (harness, id)
  }

  private func edit(_ harness: ScreenHarness, _ id: Int64, _ change: (inout Contact) -> Void) throws {
    let context = harness.book.newContext(session: harness.browser.parts.editor.session)
    _ = try context.edit(id, change)
  }

  @Test(arguments: ScreenGoldenTests.views)
  func theStepsMatchTheGoldens(size: (rows: Int, columns: Int), language: Language) throws {
    let (harness, _) = try harness(rows: size.rows, columns: size.columns, language: language)
    try harness.book.database.write { db in
      try db.execute(sql: "UPDATE edit_step SET user = 'ada', made_at = printf('2026-03-%02dT12:00:00Z', id)")
    }
    harness.press("U j")
    try Golden.check(harness.screen, "steps-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func aStepOnWhichNothingStandsIsUndone() throws {
    let (harness, id) = try harness()
    harness.press("U j u")
    #expect(harness.screen.contains("Undone:"))
    #expect(try harness.book.contact(id: id)?.title == "Poet")
    #expect(try harness.book.contact(id: 1)?.nickname == "Dragon", "the later step stays")
    #expect(harness.selectedLine.contains("undone"))
    harness.press("u")
    #expect(harness.screen.contains("undone already"))
    harness.press("k k u")
    #expect(try harness.book.contact(id: id)?.title == "Painter", "the undo is undone")
  }

  @Test func whatStandsOnAStepIsNamed() throws {
    let (harness, id) = try harness()
    harness.press("U j j u")
    #expect(harness.screen.contains("Job title"))
    #expect(harness.screen.contains("  Edit Åsa Lindström"), "the step that changed it since")
    harness.press("Esc")
    #expect(try harness.book.contact(id: id)?.title == "Painter")
  }

  @Test func allThatAStepChangedIsShown() throws {
    let (harness, _) = try harness()
    harness.press("U j")
    #expect(harness.screen.contains("Job title: Poet → Painter") && harness.screen.contains("new@example.org"))
    harness.press("G Enter")
    #expect(harness.screen.contains("Åsa Lindström: changed") && harness.screen.contains("Job title: + Poet"))
  }

  @Test func oneFieldIsRestored() throws {
    let (harness, id) = try harness()
    harness.press("H")
    #expect(harness.screen.contains("Job title: Poet → Painter"))
    harness.press("r")
    harness.type("job")
    harness.press("Enter")
    #expect(harness.screen.contains("Restored."))
    let contact = try #require(try harness.book.contact(id: id))
    #expect(contact.title == "Poet" && contact.emails.map(\.value) == ["new@example.org"])
    harness.press("q u")
    #expect(try harness.book.contact(id: id)?.title == "Painter")
  }

  @Test func anEarlierVersionIsRestored() throws {
    let (harness, id) = try harness()
    let first = try #require(try harness.book.contact(id, version: 1))
    harness.press("H j r Enter")
    let contact = try #require(try harness.book.contact(id: id))
    #expect(contact.changedFields(since: first).isEmpty)
    harness.press("j j r Enter")
    #expect(harness.screen.contains("The contact is like that already."))
  }
}
