import ChangeLog
import Foundation
import GRDB
import IDSets
import Synchronization
import Testing

@testable import ResultsController

/// The written rows that the list does not show.
@Suite
struct WritesTests {
  private let book: TestBook

  init() throws {
    book = try TestBook()
    try book.write("INSERT INTO item(id, sec, key) VALUES (1, 0, 10), (2, 0, 20), (3, 1, 30), (4, 1, 40)")
  }

  /// Opens a list of some ids, and records the writes that it reports.
  private func open(_ ids: IDSet? = nil, tracking: ChangeTracking? = nil) throws -> Told {
    var request = ContractRules.items
    request.ids = ids
    try book.open(request, tracking: tracking)
    book.listen(includesWrites: true)
    book.waitForUpdates()
    return book.told
  }

  private func writes(inserted: Set<Int64> = [], updated: Set<Int64> = [], deleted: Set<Int64> = []) -> ResultsWrites {
    var writes = ResultsWrites()
    writes.inserted = inserted
    writes.updated = updated
    writes.deleted = deleted
    return writes
  }

  @Test func writesOfHiddenRowsAreReported() throws {
    let heard = try open([2])
    try book.write(
      "INSERT INTO item(id, sec, key) VALUES (9, 2, 1)", "UPDATE item SET body = 'x' WHERE id IN (1, 2)",
      "DELETE FROM item WHERE id = 4", "UPDATE item SET key = key")
    book.waitForUpdates()
    #expect(book.updates().flatMap(\.changes.updates).map(\.id) == [2])
    #expect(heard.takeWrites() == [writes(inserted: [9], updated: [1, 2], deleted: [4])])
    #expect(PlainList(book.controller.snapshot).description == "0[2]")
  }

  @Test func aFilterByIDsReportsNoWrite() throws {
    let heard = try open()
    var request = ContractRules.items
    request.ids = [1, 3]
    try book.controller.setRequest(request)
    book.waitForUpdates()
    #expect(book.updates().flatMap(\.changes.deletes).map(\.id) == [2, 4])
    request.filter = .sql("id <> 1")
    try book.controller.setRequest(request)
    book.waitForUpdates()
    #expect(book.updates().flatMap(\.changes.deletes).map(\.id) == [1])
    #expect(heard.takeWrites() == [writes(deleted: [1])])
  }

  @Test func changesForASlowConsumerAreMerged() throws {
    let heard = try open([1])
    for statement in [
      "INSERT INTO item(id, sec, key) VALUES (9, 2, 1)", "UPDATE item SET body = 'x' WHERE id = 9",
      "DELETE FROM item WHERE id = 2", "UPDATE item SET body = 'x' WHERE id = 3", "DELETE FROM item WHERE id = 3",
      "INSERT INTO item(id, sec, key) VALUES (2, 0, 20)", "INSERT INTO item(id, sec, key) VALUES (8, 2, 1)",
      "DELETE FROM item WHERE id = 8",
    ] {
      try book.write(statement)
      book.waitForUpdates()
    }
    #expect(book.updates().isEmpty)
    #expect(heard.takeWrites() == [writes(inserted: [9], updated: [2], deleted: [3])])
  }

  @Test func aLostLogIsComparedByContent() throws {
    let tracking = ChangeTracking(table: "item", capacity: 10)
    try book.pool.write { try tracking.install(in: $0) }
    let heard = try open([1], tracking: tracking)
    try book.pool.write { db in
      for round in 0..<600 { try db.execute(sql: "UPDATE item SET body = ? WHERE id = 3", arguments: ["\(round)"]) }
      try db.execute(sql: "DELETE FROM item WHERE id = 2; INSERT INTO item(id, sec, key) VALUES (7, 0, 5)")
    }
    book.waitForUpdates()
    #expect(heard.takeWrites().isEmpty)
    #expect(book.updates().isEmpty)
    #expect(heard.takeWrites() == [writes(inserted: [7], updated: [3], deleted: [2])])
  }

  @Test func aLongListReportsThatUpdatesMayBeMissing() throws {
    let count = ListReader.fingerprintLimit + 10
    try book.write(
      "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) INSERT INTO item(id, sec, key) SELECT i, 3, i FROM n"
    )
    let heard = try open([1])
    try book.write(
      "UPDATE item SET body = 'x' WHERE id = 50", "DELETE FROM item WHERE id = 2", "DELETE FROM results_log_item")
    book.waitForUpdates()
    #expect(book.updates().isEmpty)
    let writes = heard.takeWrites()
    #expect(writes.map(\.deleted) == [[2]])
    #expect(writes.map(\.mayLackUpdates) == [true])
  }

  @Test func aNewRowIsHiddenUntilTheFilterHasItsID() throws {
    let heard = try open([1])
    try book.write("INSERT INTO item(id, sec, key) VALUES (9, 0, 15)")
    book.waitForUpdates()
    #expect(book.updates().isEmpty)
    #expect(heard.takeWrites() == [writes(inserted: [9])])
    var request = ContractRules.items
    request.ids = [1, 9]
    try book.controller.setRequest(request)
    book.waitForUpdates()
    #expect(book.updates().flatMap(\.changes.inserts).map(\.id) == [9])
    #expect(heard.takeWrites().isEmpty)
    // An id that has no row yet: it appears with its row.
    request.ids = [1, 9, 10]
    try book.controller.setRequest(request)
    book.waitForUpdates()
    #expect(book.updates().isEmpty)
    try book.write("INSERT INTO item(id, sec, key) VALUES (10, 0, 1), (11, 0, 2)")
    book.waitForUpdates()
    #expect(book.updates().flatMap(\.changes.inserts).map(\.id) == [10])
    #expect(PlainList(book.controller.snapshot).description == "0[10, 1, 9]")
  }

  @Test func writesAreReportedUntilTrackingEnds() throws {
    try book.open(ContractRules.items, listens: false)
    book.listen(includesWrites: true)
    book.waitForUpdates()
    try book.write("DELETE FROM item WHERE id = 1")
    book.waitForUpdates()
    book.held.run()
    #expect(book.told.takeWrites().map(\.deleted) == [[1]])
    #expect(book.controller.snapshot.count == 3)
    book.controller.stopTracking()
    try book.write("DELETE FROM item WHERE id = 2")
    book.waitForUpdates()
    book.held.run()
    #expect(book.told.takeWrites().isEmpty)
  }
}
