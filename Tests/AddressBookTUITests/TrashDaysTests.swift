import AddressBookModel
import GRDB
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
      #expect(ConfigurationReader(text).issues.map(\.reason) == [.number])
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

  /// Another writer holds the lock during the first run, which can make the backup, but cannot complete the checksums.
  @Test func whatABusyRunCouldNotDoIsDoneByTheNext() throws {
    let folder = try BookFolder()
    let harness = try ScreenHarness(at: folder.book(), ScreenPeople.few)
    let book = harness.book
    try book.database.write { try $0.execute(sql: "DELETE FROM contact_checksum") }
    func checksums() throws -> Int {
      try book.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM contact_checksum") ?? 0 }
    }
    let maintenance = DailyMaintenance(
      book: book, count: 1, trashDays: 30, status: harness.browser.parts.status,
      strings: harness.environment.strings, loop: harness.loop)
    let writer = OtherWriter(book)
    maintenance.schedule()
    harness.loop.advanceTime()
    try harness.wait("the backup") { !AddressBook.backups(of: book.location).isEmpty }
    writer.end()
    #expect(try checksums() == 0)
    try harness.wait("the checksums") {
      maintenance.schedule()
      harness.loop.advanceTime()
      return (try? checksums()) == ScreenPeople.few.count
    }
    maintenance.stop()
    book.close()
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
