import ChangeLog
import GRDB
import Glibc
import Synchronization
import Testing

@testable import ResultsController

/// Several controllers and iterators that share one table, and databases that cannot be written when the list opens.
@Suite
struct SharedTableTests {
  private let book: TestBook

  init() throws {
    book = try TestBook()
    try book.write("INSERT INTO item(id, sec, key, uq) VALUES (1, 0, 10, 1), (2, 0, 20, 2), (3, 1, 30, 3)")
  }

  /// A separate controller and its updates, delivered at once.
  private final class Watch: Sendable {
    let controller: FetchedRecordsController<AnyRecord>
    private let told: Told

    init(_ database: any DatabaseReader, tracking: ChangeTracking? = nil) throws {
      controller = FetchedRecordsController(
        database, request: ContractRules.items, tracking: tracking, installsTriggers: true,
        deliver: ResultsDelivery { $0() })
      told = controller.listen()
      try controller.performFetch()
    }

    func waitForUpdates() { for _ in 0..<3 { controller.engine.queue.sync {} } }

    func take() -> [ResultsUpdate] { told.takeUpdates() }

    /// Polls until a condition holds; returns false after about a minute.
    func waits(until holds: (FetchedRecordsController<AnyRecord>) -> Bool) -> Bool {
      for _ in 0..<60_000 {
        waitForUpdates()
        if holds(controller) { return true }
        usleep(1000)
      }
      return false
    }

    var failures: [ResultsError] { told.errors }
  }

  private func schemaVersion() throws -> Int32 { try book.pool.read { try SQLite.schemaVersion($0) } }

  // MARK: Trackings

  /// Each controller accepts triggers that keep more than it needs, whichever controller came first.
  @Test(arguments: [
    [
      ChangeTracking(table: "item"), ChangeTracking(table: "item", content: .columns(["body"]), capacity: 100_000),
      ChangeTracking(table: "item", capacity: 100),
    ],
    [
      ChangeTracking(table: "item", content: .columns(["body"])),
      ChangeTracking(table: "item", content: .columns(["key", "tag"])), ChangeTracking(table: "ITEM", capacity: 5),
    ],
    [
      ChangeTracking(table: "item", content: .columns(["BODY"])),
      ChangeTracking(table: "item", content: .columns(["body"]), capacity: 50),
    ],
  ])
  func controllersWithDifferentTrackingsAgree(trackings: [ChangeTracking]) throws {
    let watches = try trackings.map { try Watch(book.pool, tracking: $0) }
    for _ in 0..<4 { for watch in watches { watch.waitForUpdates() } }
    for watch in watches { _ = watch.take() }
    let version = try schemaVersion()
    for round in 0..<5 {
      try book.write("UPDATE item SET body = 'round \(round)' WHERE id = 2")
      for watch in watches { watch.waitForUpdates() }
      for watch in watches { #expect(watch.take().flatMap(\.changes.updates).map(\.id) == [2]) }
    }
    #expect(try schemaVersion() == version, "the triggers were installed again")
    for watch in watches { #expect(watch.failures.isEmpty) }
  }

  /// A controller whose triggers another one widens reports no change for that, and later reports every change.
  @Test func widenedTriggersAreNotAChange() throws {
    let narrow = try Watch(book.pool, tracking: ChangeTracking(table: "item", content: .columns(["body"])))
    narrow.waitForUpdates()
    let wide = try Watch(book.pool)
    for _ in 0..<3 {
      wide.waitForUpdates()
      narrow.waitForUpdates()
    }
    #expect(narrow.take().isEmpty)
    #expect(wide.take().isEmpty)
    try book.write("DELETE FROM results_log_item", "UPDATE item SET body = 'x' WHERE id = 3")
    wide.waitForUpdates()
    narrow.waitForUpdates()
    #expect(narrow.take().flatMap(\.changes.updates).map(\.id) == [3])
    #expect(wide.take().flatMap(\.changes.updates).map(\.id) == [3])
  }

  // MARK: Large rows

  private func longestLine() throws -> Int {
    try book.pool.read { try Int.fetchOne($0, sql: "SELECT max(length(old_content)) FROM results_log_item") ?? 0 }
  }

  /// What is kept of a row is bounded; a row that is longer counts as changed unless its fingerprint is known.
  @Test func theLogKeepsNoLongValues() throws {
    try book.write("UPDATE item SET body = zeroblob(1000000) WHERE id = 1", "UPDATE item SET body = 'é' WHERE id = 2")
    let watch = try Watch(book.pool)
    watch.waitForUpdates()
    for statement in [
      "UPDATE item SET key = key", "INSERT OR IGNORE INTO item(id, sec, key) VALUES (1, 5, 5)",
      "UPDATE item SET tag = 'x' WHERE id = 1; UPDATE item SET tag = '' WHERE id = 1",
    ] {
      try book.write(statement)
      watch.waitForUpdates()
      #expect(watch.take().isEmpty)
    }
    try book.write("UPDATE item SET body = zeroblob(999999) || x'01' WHERE id = 1")
    watch.waitForUpdates()
    #expect(watch.take().flatMap(\.changes.updates).map(\.id) == [1])
    try book.write("UPDATE item SET body = 'short' WHERE id = 1")
    watch.waitForUpdates()
    #expect(watch.take().flatMap(\.changes.updates).map(\.id) == [1])
    try book.write("DELETE FROM item WHERE id = 1")
    watch.waitForUpdates()
    #expect(watch.take().flatMap(\.changes.deletes).map(\.id) == [1])
    #expect(try longestLine() < 4096)
  }

  /// Without fingerprints no change to a long row is missed.
  @Test func aLongRowOfALongListIsSeen() throws {
    try book.write(
      """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < \(ListReader.fingerprintLimit + 20))
      INSERT INTO item(id, sec, key) SELECT i, 3, i FROM n
      """, "UPDATE item SET body = hex(zeroblob(5000)) WHERE id = 2")
    let watch = try Watch(book.pool)
    watch.waitForUpdates()
    try book.write("UPDATE item SET body = body || 'x' WHERE id = 2", "UPDATE item SET key = key WHERE id = 3")
    watch.waitForUpdates()
    #expect(watch.take().flatMap(\.changes.updates).map(\.id) == [2])
    #expect(try longestLine() < 4096)
  }

  // MARK: Databases that cannot be written

  /// Opens a connection that holds the database's lock for writing.
  private func lock() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let lock = try DatabaseQueue(path: book.path, configuration: configuration)
    try lock.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE; DELETE FROM item WHERE id = 2") }
    return lock
  }

  /// The list opens although a writer holds the lock; tracking begins when the lock is released.
  @Test func aLockedDatabaseIsListed() throws {
    let lock = try lock()
    let watch = try Watch(book.pool)
    #expect(PlainList(watch.controller.snapshot).description == "0[1, 2] 1[3]")
    watch.waitForUpdates()
    try lock.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    #expect(watch.waits { $0.snapshot.count == 2 })
    #expect(watch.failures.isEmpty)
    #expect(watch.take().flatMap(\.changes.deletes).map(\.id) == [2])
    try book.write("UPDATE item SET body = 'x' WHERE id = 3")
    watch.waitForUpdates()
    #expect(watch.take().flatMap(\.changes.updates).map(\.id) == [3])
  }

  /// A lock that is met after a series of rechecks has ended starts another series.
  @Test func aRequestWaitsForALockAfterAllRechecks() throws {
    let path = book.folder + "/journal.db"
    let database = try DatabaseQueue(path: path)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    configuration.busyMode = .timeout(10)
    let other = try DatabaseQueue(path: path, configuration: configuration)
    try database.write { try $0.execute(sql: TestBook.itemSchema) }
    let watch = try Watch(database)
    let engine = watch.controller.engine
    engine.queue.sync { engine.longestRecheck = 2 }
    try other.write { try $0.execute(sql: "INSERT INTO item(id, sec, key) VALUES (1, 0, 10), (2, 0, 20)") }
    #expect(watch.waits { $0.snapshot.count == 2 })
    #expect(watch.waits { !$0.engine.isRechecking })
    engine.queue.sync { engine.longestRecheck = 1 << 20 }
    var request = ContractRules.items
    request.filter = .sql("id = 2")
    try other.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
    try watch.controller.setRequest(request)
    watch.waitForUpdates()
    #expect(watch.controller.snapshot.count == 2)
    try other.inDatabase { try $0.execute(sql: "COMMIT") }
    #expect(watch.waits { $0.snapshot.count == 1 })
    #expect(watch.failures.isEmpty)
  }

  /// A request that met a lock for a whole series of rechecks is fetched when the lock is released, even if nothing was
  /// written.
  @Test func aRequestWaitsForALockAsLongAsItIsHeld() throws {
    let path = book.folder + "/journal.db"
    let database = try DatabaseQueue(path: path)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: path, configuration: configuration)
    try database.write { db in
      try db.execute(sql: TestBook.itemSchema)
      try db.execute(sql: "INSERT INTO item(id, sec, key) VALUES (1, 0, 10), (2, 0, 20)")
    }
    let watch = try Watch(database)
    let engine = watch.controller.engine
    watch.waitForUpdates()
    engine.queue.sync { engine.longestRecheck = 2 }
    var request = ContractRules.items
    request.filter = .sql("id = 2")
    try other.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
    try watch.controller.setRequest(request)
    #expect(watch.waits { _ in !watch.failures.isEmpty })
    usleep(20_000)
    #expect(watch.controller.snapshot.count == 2)
    try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
    #expect(watch.waits { $0.snapshot.count == 1 })
    #expect(watch.waits { !$0.engine.isRechecking })
    #expect(watch.failures.count == 1, "the lock is reported once")
  }

  /// The list also opens while the writing connection of its own pool is busy.
  @Test func openingDoesNotWaitForAWriterOfTheProcess() throws {
    let written = try book.pool.writeWithoutTransaction { _ in
      let watch = try Watch(book.pool)
      #expect(watch.controller.snapshot.count == 3)
      return watch
    }
    written.waitForUpdates()
    try book.write("DELETE FROM item WHERE id = 1")
    written.waitForUpdates()
    #expect(written.take().flatMap(\.changes.deletes).map(\.id) == [1])
  }

  /// Only an attempt to write shows that a database refuses writes. Its list is shown, but not updated.
  @Test func aDatabaseThatRefusesTriggersIsListed() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA query_only = 1") }
    let watch = try Watch(DatabasePool(path: book.path, configuration: configuration))
    #expect(PlainList(watch.controller.snapshot).description == "0[1, 2] 1[3]")
    watch.waitForUpdates()
    try book.write("DELETE FROM item WHERE id = 1")
    watch.waitForUpdates()
    #expect(watch.failures == [.notTracked(table: "item")])
    #expect(watch.controller.snapshot.count == 3)
    // After another connection has installed the triggers, the list that is fetched next is updated.
    try book.pool.write { try ChangeTracking(table: "item").install(in: $0) }
    try watch.controller.performFetch()
    watch.waitForUpdates()
    try book.write("DELETE FROM item WHERE id = 2")
    #expect(watch.waits { $0.snapshot.count == 1 })
  }

  // MARK: Iterators

  /// An iterator is a listener of its own: it does not move the list that the consumer's thread sees.
  @Test func iteratorsDoNotAdvanceTheList() async throws {
    try book.open(ContractRules.items)
    let controller = try #require(book.controller)
    var updates = controller.updates.makeAsyncIterator()
    book.waitForUpdates()
    #expect(try await updates.next()?.isInitial == true)
    #expect(try controller.object(atFlatRow: 0).id == 1)
    try book.write("DELETE FROM item WHERE id = 1; UPDATE item SET body = 'new' WHERE id = 2")
    book.waitForUpdates()
    let update = try #require(try await updates.next())
    #expect(PlainList(update.after).description == "0[2] 1[3]")
    #expect(PlainList(controller.snapshot).description == "0[1, 2] 1[3]")
    let path = RowPath(section: 0, row: 0)
    #expect(try controller.object(at: path, in: update.after).values["body"] == "new".databaseValue)
    #expect(throws: ResultsError.outOfRange) {
      try controller.object(at: RowPath(section: 0, row: 1), in: update.after)
    }
    #expect(throws: ResultsError.rowGone(id: 1)) { try controller.object(at: path) }
    #expect(book.updates().map { PlainList($0.after).description } == ["0[2] 1[3]"])
    #expect(PlainList(controller.snapshot).description == "0[2] 1[3]")
  }

  /// Without callbacks the list is updated on the consumer's thread as long as there is an iterator.
  @Test func anIteratorAloneKeepsTheListUpToDate() async throws {
    try book.open(ContractRules.items, listens: false)
    let controller = try #require(book.controller)
    do {
      var updates = controller.updates.makeAsyncIterator()
      book.waitForUpdates()
      #expect(try await updates.next()?.isInitial == true)
      try book.write("DELETE FROM item WHERE id = 1")
      book.waitForUpdates()
      #expect(try await updates.next()?.changes.deletes.map(\.id) == [1])
      #expect(controller.snapshot.count == 3)
      book.held.run()
      #expect(controller.snapshot.count == 2)
    }
    book.waitForUpdates()
    try book.write("DELETE FROM item WHERE id = 2")
    book.waitForUpdates()
    book.held.run()
    #expect(controller.snapshot.count == 2)
    #expect(controller.engine.hasListeners.load(ordering: .relaxed) == false)
  }
}
