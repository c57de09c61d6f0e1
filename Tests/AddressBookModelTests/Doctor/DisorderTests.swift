import Contacts
import Foundation
import GRDB
import Testing

@testable import AddressBookModel
@testable import BookCare

/// Rows whose keys are out of order, with which every read of the book still ends, and damaged ranges of the history.
@Suite(.timeLimit(.minutes(2)))
struct DisorderTests {
  private let file: DamagedBookFile

  init() throws { file = try DamagedBookFile() }

  /// Gives the last row of `contact` an id that is not above the previous row's.
  private func changeLastID(to id: UInt8) throws {
    let uid = try #require(try file.contacts().last?.uid)
    var data = Data(file.bytes)
    var start = data.startIndex
    // In a row, the id is followed by the header, whose first byte is its length, and then by the uid.
    while let range = data.range(of: Data(uid.utf8), in: start..<data.endIndex) {
      start = range.upperBound
      for distance in 28...40 where data[range.lowerBound - distance + 1] == distance - 1 {
        guard data[range.lowerBound - distance] == 61 else { continue }
        data[range.lowerBound - distance] = id
        file.bytes = Array(data)
        return
      }
    }
    Issue.record("no row found")
  }

  @Test(arguments: [60, 1, 29] as [UInt8])
  func everyReadEndsDespiteAnIDOutOfOrder(id: UInt8) throws {
    let contacts = try file.contacts()
    try changeLastID(to: id)
    let examination = try file.doctor.examine()
    #expect(examination.needsSalvage)
    _ = try FileIntegrity.damagedContacts(file.path, isCancelled: { false })
    let book = try AddressBook.open(at: file.location)
    _ = try book.duplicates()
    try book.completeChecksums()
    try book.forEachContact { _ in true }
    book.close()
    _ = try file.doctor.repair()
    #expect(try file.integrity() == "ok")
    #expect(try file.contacts() == contacts)
  }

  @Test func anIndexEntryOutOfOrderEndsTheListing() throws {
    let book = try AddressBook.open(at: file.location)
    let key = try book.store.read { db in
      try Data.fetchOne(
        db,
        sql: """
          SELECT sort_key FROM contact WHERE section = 26 AND deleted_at IS NULL
          ORDER BY sort_key DESC, id DESC LIMIT 1
          """)
    }
    book.close()
    var data = Data(file.bytes)
    let wanted = try #require(key)
    var changed = 0
    var start = data.startIndex
    while let range = data.range(of: wanted, in: start..<data.endIndex) {
      start = range.upperBound
      // Only in the index: its leaf pages have type 10.
      guard data[range.lowerBound / 4096 * 4096] == 10, data[range.lowerBound - 1] == 26 else { continue }
      data[range.lowerBound - 1] = 10
      changed += 1
    }
    #expect(changed == 1)
    file.bytes = Array(data)

    let damaged = try AddressBook.open(at: file.location)
    defer { damaged.close() }
    var (contacts, rows) = (0, 0)
    try damaged.forEachContact(pageSize: 10) { _ in
      contacts += 1
      return contacts < 1000
    }
    #expect(contacts < 100)
    #expect(damaged.damage.isListIncomplete)
    try damaged.forEachRow { _ in
      rows += 1
      return rows < 1000
    }
    #expect(rows < 100)
  }

  /// A bit of the table is flipped; the index still has the right end of the range.
  @Test(arguments: [45, 60, 63, 29])
  func aFlippedEndOfARangeIsFoundAndRestored(end: Int) throws {
    let index = try file.withoutIndex("edit_entry_range") {
      try $0("UPDATE edit_entry SET last_id = \(end) WHERE last_id = 61")
    }
    #expect(index)
    #expect(try Set(file.kinds()) == [.history, .structure])
    let book = try AddressBook.open(at: file.location)
    let first = try #require(try book.history().last)
    #expect(throws: EditError.self) { try book.reverse(first, policy: .objectWins) }
    book.close()
    let report = try file.doctor.repair()
    #expect(report.actions.contains { $0.kind == .historyRestored && $0.count == 1 })
    #expect(!report.actions.contains { $0.kind == .historyRemoved })
    #expect(try file.kinds().isEmpty)
    let mended = try AddressBook.open(at: file.location)
    defer { mended.close() }
    let step = try #require(try mended.history().last)
    _ = try mended.reverse(step, policy: .objectWins)
    #expect(try mended.contactCount() == 0)
  }

  @Test(arguments: [
    "UPDATE edit_entry SET last_id = contact_id - 1 WHERE last_id IS NOT NULL",
    "UPDATE edit_entry SET last_id = 1 << 40 WHERE last_id IS NOT NULL",
    "UPDATE edit_entry SET last_id = last_id + 1 WHERE last_id IS NOT NULL",
    "UPDATE edit_entry SET was_there = 9 WHERE last_id IS NOT NULL",
  ])
  func aDamagedRangeOfTheHistoryIsNotUndone(_ sql: String) throws {
    try file.execute(sql)
    #expect(try file.kinds() == [.history])
    let book = try AddressBook.open(at: file.location)
    let first = try #require(try book.history().last)
    let count = try book.contactCount()
    let error = #expect(throws: EditError.self) { try book.reverse(first, policy: .objectWins) }
    guard case .store(let reason)? = error else { throw EditError.missing("") }
    #expect(reason.reason == .damaged && reason.path == file.path)
    #expect(try book.contactCount() == count)
    _ = try? book.changes(ofContact: 2)
    book.close()
    _ = try file.doctor.repair()
    #expect(try file.kinds().isEmpty)
  }
}
