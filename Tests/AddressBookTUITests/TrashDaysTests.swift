import AddressBookModel
import TerminalKitTesting
import Testing

@testable import AddressBookTUI

/// Deleted contacts are removed for good some days later, in the background.
@MainActor
struct TrashDaysTests {
  private func days(_ text: String) -> Int { ConfigurationReader(text).configuration.trashDays }

  @Test func theSettingIsANumberOfDays() {
    #expect(days("") == 30 && days("trash_days = 0") == 0 && days("trash_days = 400") == 400)
    for text in ["trash_days = -1", "trash_days = \"x\"", "trash_days = 40000"] {
      #expect(days(text) == 30)
      #expect(ConfigurationReader(text).issues.map(\.reason) == [.trashDays])
    }
  }

  @Test func oldDeletedContactsAreRemoved() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    let book = harness.book
    let ids = try book.listRows().map(\.id)
    _ = try book.bulkEdit(Array(ids.prefix(2)), .delete, as: StepName(.delete), isCancelled: { false })
    try book.database.write { db in
      try db.execute(sql: "UPDATE contact SET deleted_at = '2020-01-01T00:00:00Z' WHERE id = \(ids[0])")
    }
    let keeper = DailyMaintenance(
      book: book, count: 0, trashDays: 30, status: harness.browser.parts.status,
      strings: harness.environment.strings, loop: harness.loop)
    keeper.schedule()
    harness.loop.advanceTime()
    try harness.wait("the old contact to be gone") { (try? book.deletedCount()) == 1 }
    keeper.stop()
    #expect(try book.contactCount() == ids.count - 2)
  }

  @Test func aFailureIsNotCalledAFailedBackup() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    let book = harness.book
    _ = try book.bulkEdit([1], .delete, as: StepName(.delete), isCancelled: { false })
    try book.database.write { db in
      try db.execute(sql: "UPDATE contact SET deleted_at = '2020-01-01T00:00:00Z' WHERE id = 1")
      try db.execute(
        sql: "CREATE TEMP TRIGGER refuse BEFORE DELETE ON contact BEGIN SELECT RAISE(ABORT, 'refused'); END")
    }
    let maintenance = DailyMaintenance(
      book: book, count: 0, trashDays: 30, status: harness.browser.parts.status,
      strings: harness.environment.strings, loop: harness.loop)
    maintenance.schedule()
    harness.loop.advanceTime()
    try harness.wait(for: "Old deleted contacts could not be removed for good:")
    maintenance.stop()
  }
}
