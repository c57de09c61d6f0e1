import ChangeLog
import Foundation
import GRDB
import Synchronization
import Testing

@testable import ResultsController

/// How writes by anyone are noticed, and how lists get other requests and are iterated.
@Suite
struct TrackingTests {
  private func book(_ statements: String...) throws -> TestBook {
    let book = try TestBook()
    try book.write("INSERT INTO item(id, sec, key, uq) VALUES (1, 0, 10, 1), (2, 0, 20, 2), (3, 1, 30, 3)")
    for statement in statements { try book.write(statement) }
    return book
  }

  @Test func installingTwiceChangesNothing() throws {
    let book = try book()
    let tracking = ChangeTracking(table: "item")
    func schema() throws -> [String] {
      try book.pool.read {
        try String.fetchAll($0, sql: "SELECT name || coalesce(sql, '') FROM sqlite_master ORDER BY name")
      }
    }
    let before = try schema()
    try book.pool.write { try tracking.install(in: $0) }
    let installed = try schema()
    #expect(try book.pool.read { try tracking.isInstalled(in: $0) })
    try book.pool.write { try tracking.install(in: $0) }
    #expect(try schema() == installed)
    try book.write("ALTER TABLE item ADD COLUMN extra TEXT")
    #expect(try !book.pool.read { try tracking.isInstalled(in: $0) })
    try book.pool.write { try tracking.install(in: $0) }
    #expect(try book.pool.read { try tracking.isInstalled(in: $0) })
    try book.pool.write { try tracking.uninstall(in: $0) }
    #expect(try schema().count == before.count + 1, "only sqlite_sequence stays")
  }

  /// The log does not grow far beyond its capacity; a reader that falls behind rereads the list.
  @Test func prunedLogLeadsToARightChangeSet() throws {
    let book = try book()
    try book.pool.write { try ChangeTracking(table: "item", capacity: 100).install(in: $0) }
    let controller = FetchedRecordsController<AnyRecord>(
      book.pool, request: ContractRules.items, tracking: ChangeTracking(table: "item", capacity: 100),
      installsTriggers: true, deliver: ResultsDelivery { $0() })
    let told = controller.listen()
    try controller.performFetch()
    for _ in 0..<3 { controller.engine.queue.sync {} }
    try book.pool.write { db in
      for round in 0..<400 { try db.execute(sql: "UPDATE item SET body = ? WHERE id = 1", arguments: ["\(round)"]) }
      try db.execute(sql: "DELETE FROM item WHERE id = 2")
    }
    controller.engine.queue.sync {}
    let updates = told.takeUpdates()
    #expect(updates.count == 1)
    #expect(updates.first?.changes.updates.map(\.id) == [1])
    #expect(updates.first?.changes.deletes.map(\.id) == [2])
    let lines = try book.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM results_log_item") ?? 0 }
    #expect(lines <= 356)
  }

  /// REPLACE through a unique index of several columns, of another collation, over an expression, or partial; recursive
  /// triggers are off.
  @Test(arguments: [
    "CREATE UNIQUE INDEX u ON item(body, tag)", "CREATE UNIQUE INDEX u ON item(body COLLATE NOCASE)",
    "CREATE UNIQUE INDEX u ON item(lower(body))", "CREATE UNIQUE INDEX u ON item(lower(body), tag)",
    "CREATE UNIQUE INDEX u ON item(body) WHERE body <> ''",
  ])
  func evictedRowsAreReported(index: String) throws {
    let book = try TestBook()
    try book.write(
      "INSERT INTO item(id, sec, key, body) VALUES (1, 0, 10, 'p'), (2, 0, 20, 'q'), (3, 1, 30, 'r')", index)
    try book.open(ContractRules.items)
    let replaced = index.contains("NOCASE") || index.contains("lower") ? "Q" : "q"
    try book.write(
      ["INSERT OR REPLACE INTO item(id, sec, key, body) VALUES (9, 0, 20, '\(replaced)')"], writer: "other-process",
      commits: true)
    #expect(try book.waitForLog())
    var updates = book.updates()
    #expect(updates.flatMap(\.changes.deletes).map(\.id) == [2])
    #expect(updates.flatMap(\.changes.inserts).map(\.id) == [9])
    try book.write(
      ["UPDATE OR REPLACE item SET body = '\(replaced)' WHERE id = 3"], writer: "other-process", commits: true)
    #expect(try book.waitForLog())
    updates = book.updates()
    #expect(updates.flatMap(\.changes.deletes).map(\.id) == [9])
    #expect(updates.flatMap(\.changes.updates).map(\.id) == [3])
  }

  @Test func checkpointsOtherTablesAndFailedWritesAreSilent() throws {
    let book = try book()
    try book.open(ContractRules.items)
    try book.pool.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
    try book.write("INSERT INTO other(id, x) VALUES (1, 1)")
    #expect(throws: (any Error).self) { try book.write("INSERT INTO item(id, sec, key) VALUES (1, 0, 0)") }
    try book.write("INSERT OR IGNORE INTO item(id, sec, key) VALUES (1, 0, 0)", "UPDATE item SET key = key")
    try book.runSQLite(".timeout 10000\nPRAGMA wal_checkpoint(TRUNCATE);\nVACUUM;")
    book.waitForUpdates()
    #expect(book.updates().isEmpty)
    #expect(book.errors().isEmpty)
    try book.write("DELETE FROM item WHERE id = 1")
    book.waitForUpdates()
    #expect(book.updates().flatMap(\.changes.deletes).map(\.id) == [1])
  }

  @Test func cascadesAreSeen() throws {
    let book = try book("INSERT INTO grp VALUES (7)", "UPDATE item SET grp = 7 WHERE id < 3")
    try book.open(ContractRules.items)
    try book.runSQLite("PRAGMA foreign_keys = ON; DELETE FROM grp;")
    #expect(try book.waitForLog())
    #expect(book.updates().flatMap(\.changes.deletes).map(\.id) == [1, 2])
  }

  @Test func readOnlyDatabaseIsListed() throws {
    let book = try book()
    var configuration = Configuration()
    configuration.readonly = true
    let reader = try DatabaseQueue(path: book.path, configuration: configuration)
    let controller = FetchedRecordsController<AnyRecord>(
      reader, request: ContractRules.items, installsTriggers: true, deliver: ResultsDelivery { $0() })
    let told = controller.listen()
    try controller.performFetch()
    #expect(controller.snapshot.count == 3)
    try book.write("DELETE FROM item WHERE id = 1")
    for _ in 0..<3 { controller.engine.queue.sync {} }
    #expect(controller.snapshot.count == 3)
    #expect(told.takeErrors() == [.notTracked(table: "item")])
    #expect(told.takeUpdates().isEmpty)
  }

  /// A schema is never changed without a request.
  @Test func triggersAreInstalledOnlyOnRequest() throws {
    let book = try book()
    let controller = FetchedRecordsController<AnyRecord>(
      book.pool, request: ContractRules.items, deliver: ResultsDelivery { $0() })
    let told = controller.listen()
    try controller.performFetch()
    for _ in 0..<3 { controller.engine.queue.sync {} }
    #expect(told.takeErrors() == [.notTracked(table: "item")])
    #expect(
      try book.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") } == 0
    )
    // The triggers are there at the next fetch.
    try book.pool.write { try ChangeTracking(table: "item").install(in: $0) }
    try controller.performFetch()
    for _ in 0..<3 { controller.engine.queue.sync {} }
    try book.write("DELETE FROM item WHERE id = 1")
    controller.engine.queue.sync {}
    #expect(controller.snapshot.count == 2)
    #expect(told.takeErrors().isEmpty)
    // The triggers are removed while the list is tracked.
    try book.pool.write { try ChangeTracking(table: "item").uninstall(in: $0) }
    for _ in 0..<3 { controller.engine.queue.sync {} }
    #expect(told.takeErrors().count == 1)
  }

  /// A controller delivers on the main actor unless it is told otherwise; a second callback replaces the first.
  @Test @MainActor func theCallbackRunsOnTheMainActor() async throws {
    let book = try book()
    let controller = FetchedRecordsController<AnyRecord>(
      book.pool, request: ContractRules.items, installsTriggers: true)
    let (deleted, continuation) = AsyncStream.makeStream(of: [Int64].self)
    controller.listen { _ in Issue.record("it was replaced") }
    controller.listen { event in
      guard case .changed(let update) = event else { return }
      MainActor.assertIsolated()
      if update.after.count == 2 { #expect(controller.snapshot.count == 2) }
      continuation.yield(update.changes.deletes.map(\.id))
    }
    try controller.performFetch()
    try book.write("DELETE FROM item WHERE id = 1")
    for await seen in deleted where seen == [1] { break }
    controller.stopTracking()
  }

  @Test func olderRequestIsNeverDelivered() throws {
    let book = try book()
    try book.open(ContractRules.items)
    let gate = DispatchSemaphore(value: 0)
    book.controller.engine.queue.async { gate.wait() }
    var older = ContractRules.items
    older.filter = .sql("id = 1")
    var newer = ContractRules.items
    newer.filter = .sql("id = 2")
    try book.controller.setRequest(older)
    try book.controller.setRequest(newer)
    gate.signal()
    book.waitForUpdates()
    let updates = book.updates()
    #expect(updates.count == 1)
    #expect(updates.first.map { PlainList($0.after).description } == "0[2]")
  }

  /// A query that is running is stopped, not waited for.
  @Test func runningQueryIsInterrupted() throws {
    let book = try book()
    let cancellation = Cancellation()
    let queue = DispatchQueue(label: "cancel")
    try book.pool.read { db in
      var request = ContractRules.items
      // Endless unless it is interrupted.
      request.filter = .sql(
        "id IN (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0)")
      let plan = try FetchPlan(request, db)
      queue.async { cancellation.cancel() }
      #expect(throws: ResultsError.cancelled) { try IndexQuery.run(plan, db, cancellation) }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 3)
    }
  }

  /// A partial index serves a filter only if it contains the filter's columns.
  @Test(arguments: [("sec, key, id", false), ("sec, key, id, tag", true)])
  func coveredFilterIsOrderedBySQLite(columns: String, isCovering: Bool) throws {
    let book = try book("CREATE INDEX live ON item(\(columns)) WHERE tag = ''")
    var request = ContractRules.items
    request.filter = .sql("tag = ''")
    try book.pool.read { db in
      let plan = try FetchPlan(request, db)
      #expect(try plan.sortsInSQLite(db) == isCovering)
    }
    try book.open(request)
    #expect(PlainList(book.controller.snapshot).description == "0[1, 2] 1[3]")
  }

  @Test func anotherTableNeedsAnotherController() throws {
    let book = try book()
    try book.open(ContractRules.items)
    #expect(throws: ResultsError.otherTable("grp")) {
      try book.controller.setRequest(ResultsRequest(table: "grp", sortKeys: [RowSortKey("id")]))
    }
  }

  @Test func wrongRequestIsReportedAndTheListStays() throws {
    let book = try book()
    try book.open(ContractRules.items)
    var wrong = ContractRules.items
    wrong.filter = .sql("nothing = 1")
    try book.controller.setRequest(wrong)
    book.waitForUpdates()
    #expect(book.errors().count == 1)
    #expect(book.controller.snapshot.count == 3)
    try book.controller.setRequest(ContractRules.items)
    try book.write("DELETE FROM item WHERE id = 1")
    book.waitForUpdates()
    #expect(book.updates().flatMap(\.changes.deletes).map(\.id) == [1])
  }

  @Test func eachIteratorGetsMergedUpdatesOfItsOwn() async throws {
    let book = try book()
    try book.open(ContractRules.items, listens: false)
    var first = book.controller.updates.makeAsyncIterator()
    var second = book.controller.updates.makeAsyncIterator()
    book.waitForUpdates()
    let initial = try await first.next()
    #expect(initial?.isInitial == true)
    #expect(initial?.changes.insertedSections.count == 2)
    #expect(initial?.changes.inserts.map(\.id) == [1, 2, 3])
    #expect(initial.map { PlainList($0.after) } == PlainList(book.controller.snapshot))
    #expect(try await second.next()?.isInitial == true)
    try book.write("UPDATE item SET key = 25 WHERE id = 1")
    book.waitForUpdates()
    let moved = try await first.next()
    #expect(moved?.changes.moves.map(\.id) == [1])
    #expect(moved?.after.indexPath(of: 1) == RowPath(section: 0, row: 1))
    try book.write("UPDATE item SET key = 10 WHERE id = 1")
    try book.write("DELETE FROM item WHERE id = 3")
    book.waitForUpdates()
    let back = try await first.next()
    #expect(back?.changes.moves.map(\.id) == [1])
    #expect(back?.changes.deletes.map(\.id) == [3])
    // The slow listener never received the move, which was undone.
    let merged = try await second.next()
    #expect(merged?.changes.moves.isEmpty == true)
    #expect(merged?.changes.updates.isEmpty == true)
    #expect(merged?.changes.deletes.map(\.id) == [3])
    book.release()
    let end = try await first.next()
    #expect(end == nil)
  }

  /// The triggers are installed after the list was read, which is then read again: unchanged rows are not reported.
  @Test func installingTheTriggersChangesNoRow() async throws {
    let book = try book()
    let controller = FetchedRecordsController<AnyRecord>(
      book.pool, request: ContractRules.items, installsTriggers: true, deliver: ResultsDelivery { $0() })
    var updates = controller.updates.makeAsyncIterator()
    // This lock lets all rows be read before the triggers can be installed.
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: book.path, configuration: configuration)
    try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    try controller.performFetch()
    #expect(try await updates.next()?.isInitial == true)
    for row in 0..<3 { _ = try controller.object(atFlatRow: row) }
    try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    try book.write("DELETE FROM item WHERE id = 1")
    let update = try await updates.next()
    #expect(update?.changes.deletes.map(\.id) == [1])
    #expect(update?.changes.updates.isEmpty == true)
  }

  /// The same if the list was read before there was a listener.
  @Test func listeningLaterChangesNoRow() throws {
    let book = try book()
    let controller = FetchedRecordsController<AnyRecord>(
      book.pool, request: ContractRules.items, installsTriggers: true, deliver: ResultsDelivery { $0() })
    try controller.performFetch()
    for row in 0..<3 { _ = try controller.object(atFlatRow: row) }
    let listener = controller.listen()
    for _ in 0..<4 { controller.engine.queue.sync {} }
    #expect(listener.takeUpdates().isEmpty)
    try book.write("DELETE FROM item WHERE id = 1")
    for _ in 0..<4 { controller.engine.queue.sync {} }
    let told = listener.takeUpdates()
    #expect(told.flatMap { update in update.changes.deletes.map { $0.id } } == [1])
    #expect(told.allSatisfy { $0.changes.updates.isEmpty })
  }

  /// The initial update has everything that was written before the iterator takes it. The list may be fetched after the
  /// iterator was made, and fetched again.
  @Test func theInitialListIsTheNewest() async throws {
    let book = try book()
    let controller = FetchedRecordsController<AnyRecord>(
      book.pool, request: ContractRules.items, installsTriggers: true, deliver: ResultsDelivery { $0() })
    var updates = controller.updates.makeAsyncIterator()
    try controller.performFetch(.firstRows)
    controller.fetchRest()
    for _ in 0..<4 { controller.engine.queue.sync {} }
    try book.write("DELETE FROM item WHERE id = 1")
    for _ in 0..<2 { controller.engine.queue.sync {} }
    let initial = try await updates.next()
    #expect(initial?.isInitial == true)
    #expect(initial?.changes.inserts.map(\.id) == [2, 3])
    try book.write("DELETE FROM item WHERE id = 2")
    try controller.performFetch()
    for _ in 0..<2 { controller.engine.queue.sync {} }
    let again = try await updates.next()
    #expect(again?.isInitial == true)
    #expect(again?.changes.inserts.map(\.id) == [3])
  }

  @Test func inMemoryDatabaseIsTracked() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: TestBook.itemSchema) }
    let controller = FetchedRecordsController<AnyRecord>(
      queue, request: ContractRules.items, installsTriggers: true, deliver: ResultsDelivery { $0() })
    let told = controller.listen()
    try controller.performFetch()
    for _ in 0..<3 { controller.engine.queue.sync {} }
    try queue.write { try $0.execute(sql: "INSERT INTO item(id, sec, key) VALUES (1, 0, 1)") }
    controller.engine.queue.sync {}
    #expect(told.takeUpdates().flatMap(\.changes.inserts).map(\.id) == [1])
  }

  @Test func recordsDecodeTheTablesColumns() throws {
    let book = try book()
    try book.open(ContractRules.items)
    let record = try book.controller.object(atFlatRow: 0)
    #expect(Set(record.values.keys) == ["id", "sec", "key", "body", "tag", "grp", "uq"])
  }

  @Test func deletedRowIsNotAnotherRow() throws {
    let book = try book()
    try book.open(ContractRules.items)
    try book.write("DELETE FROM item WHERE id = 2")
    #expect(throws: ResultsError.rowGone(id: 2)) { try book.controller.object(at: RowPath(section: 0, row: 1)) }
    book.waitForUpdates()
    _ = book.updates()
    #expect(throws: ResultsError.outOfRange) { try book.controller.object(at: RowPath(section: 0, row: 1)) }
  }
}
