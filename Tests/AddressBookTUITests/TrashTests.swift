import AddressBookModel
import Contacts
import Messages
import Testing

@testable import AddressBookTUI

/// Deleted contacts on the screen, and the history of a contact.
@MainActor
struct TrashTests {
  /// Makes a screen on which all contacts but one are deleted, on up to 28 different days.
  private func deleted(
    rows: Int = 24, columns: Int = 80, language: Language = .english, _ contacts: [Contact] = ScreenPeople.few
  ) throws -> ScreenHarness {
    let harness = try ScreenHarness(rows: rows, columns: columns, language: language, contacts)
    let ids = try harness.book.listRows().map(\.id).dropLast()
    _ = try harness.book.bulkEdit(Array(ids), .delete, as: StepName(.delete), isCancelled: { false })
    try harness.book.database.write { db in
      try db.execute(
        sql: """
          UPDATE contact SET deleted_at = printf('2026-03-%02dT12:00:00Z', 1 + id % 28) WHERE deleted_at IS NOT NULL
          """)
    }
    try harness.wait("one contact to be left") { harness.browser.list.rowCount == 1 }
    return harness
  }

  @Test(arguments: ScreenGoldenTests.views)
  func matchesTheGoldens(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try deleted(rows: size.rows, columns: size.columns, language: language)
    harness.press("T Space")
    try Golden.check(harness.screen, "trash-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func restoringOneContactCanBeUndone() throws {
    let harness = try deleted()
    harness.press("T")
    let name = try #require(harness.selectedLine.split(separator: " ").dropFirst().first).description
    harness.press("r")
    #expect(harness.screen.contains("Restored \(name)"))
    #expect(!harness.selectedLine.contains(name))
    harness.press("q")
    try harness.wait("the restored contacts in the list") { harness.browser.list.rowCount == 2 }
    #expect(harness.screen.contains("Press u to undo."))
    harness.press("u")
    try harness.wait("the restored contacts to be gone") { harness.browser.list.rowCount == 1 }
    #expect(harness.screen.contains("Undone: Restore"))
  }

  @Test func allContactsAreRestoredAtOnce() throws {
    let harness = try deleted()
    let count = try harness.book.deletedCount()
    harness.press("T A r")
    #expect(harness.screen.contains("Restored \(count) contacts."))
    #expect(harness.screen.contains("There are no deleted contacts."))
    #expect(try harness.book.contactCount() == count + 1)
    harness.press("Esc u")
    try harness.wait("all contacts to be deleted again") { (try? harness.book.deletedCount()) == count }
  }

  @Test func onlyContactsThatAreStillDeletedAreCounted() throws {
    let harness = try deleted()
    let count = try harness.book.deletedCount()
    harness.press("T A")
    try harness.book.database.write { db in
      try db.execute(
        sql: "UPDATE contact SET deleted_at = NULL WHERE id = (SELECT min(id) FROM contact WHERE deleted_at > '')")
    }
    harness.press("r")
    #expect(harness.screen.contains("Restored \(count - 1) contacts."))
    #expect(try harness.book.deletedCount() == 0)
  }

  @Test func manyContactsAreRestoredInTheBackground() throws {
    let harness = try deleted(Array(SampleContacts(count: ContactEditor.bulkThreshold + 2, seed: 2)))
    harness.press("T A r")
    try harness.wait("all contacts to be back") { (try? harness.book.deletedCount()) == 0 }
    try harness.wait(for: "There are no deleted contacts.")
  }

  @Test func removingForGoodAsksFirst() throws {
    let harness = try deleted()
    let count = try harness.book.deletedCount()
    harness.press("T x")
    #expect(harness.screen.contains("for good?") && harness.screen.contains("This cannot be undone."))
    harness.press("n")
    #expect(try harness.book.deletedCount() == count)
    harness.press("x y")
    try harness.wait(for: "Removed 1 contact for good.")
    #expect(try harness.book.deletedCount() == count - 1)
  }

  @Test func anEmptyTrashSaysSo() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("T")
    #expect(harness.screen.contains("There are no deleted contacts."))
    harness.press("r x Space A Esc")
    #expect(harness.browser.list.rowCount == ScreenPeople.few.count)
  }

  @Test(arguments: ScreenGoldenTests.views)
  func theHistoryMatchesTheGoldens(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' j +")
    harness.type("Chess")
    harness.press("Enter u e")
    harness.type("-Ek")
    harness.press("^S")
    try harness.book.database.write { db in
      try db.execute(sql: "UPDATE edit_step SET user = 'ada', made_at = printf('2026-03-%02dT12:00:00Z', id)")
    }
    harness.press("H")
    try Golden.check(harness.screen, "history-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func aContactShowsItsHistory() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("H")
    #expect(harness.screen.contains("There is no history of"))
    harness.press("+")
    harness.type("Chess")
    harness.press("Enter u H")
    #expect(harness.screen.contains("2 changes"))
    #expect(harness.screen.contains("changed by undo: Groups") && harness.screen.contains("− Chess"))
    harness.press("j")
    #expect(harness.screen.contains("+ Chess") && harness.screen.contains("in the full-screen interface"))
    harness.press("q")
    #expect(harness.selectedLine.isEmpty == false)
  }

  @Test func workAndErrorsAreShown() throws {
    let folder = try BookFolder()
    let harness = try ScreenHarness(at: folder.book(), ScreenPeople.few)
    harness.press("d y")
    // A second key would concern the deleted contact until the list follows.
    try harness.wait("the list to follow") { !harness.selectedLine.contains("Åsa") }
    harness.press("d y T")
    let writer = OtherWriter(harness.book)
    harness.press("x y")
    #expect(harness.screen.contains("Removing contacts for good…"))
    harness.press("r")
    #expect(harness.screen.contains("Another task is still running."))
    writer.end()
    try harness.wait(for: "Removed 1 contact for good.")
    try harness.book.database.write { db in
      try db.execute(
        sql: "CREATE TEMP TRIGGER refuse BEFORE DELETE ON contact BEGIN SELECT RAISE(ABORT, 'refused'); END")
    }
    harness.press("x y")
    try harness.wait("the error") { harness.browser.parts.work.task == nil && harness.screen.contains("✗ ") }
    harness.book.close()
  }
}
