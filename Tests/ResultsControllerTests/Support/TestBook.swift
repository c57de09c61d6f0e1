import ChangeLog
import Foundation
import GRDB
import Synchronization

@testable import ResultsController

/// A row of any table, as a dictionary.
struct AnyRecord: FetchableRecord, Sendable {
  let values: [String: DatabaseValue]

  init(row: Row) {
    values = Dictionary(row.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
  }

  var id: Int64 { Int64.fromDatabaseValue(values["id"] ?? .null) ?? -1 }
}

/// The consumer's thread of the tests: keeps work until it is told to run it.
final class HeldQueue: Sendable {
  private let work = Mutex<[@Sendable () -> Void]>([])

  func add(_ item: @escaping @Sendable () -> Void) { work.withLock { $0.append(item) } }

  /// Runs all waiting work, including work that arrives in the meantime.
  func run() {
    while let item = work.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { item() }
  }
}

/// What a controller told its callback, until it is taken.
final class Told: Sendable {
  private let events = Mutex<[ResultsEvent]>([])

  func add(_ event: ResultsEvent) { events.withLock { $0.append(event) } }

  func takeUpdates() -> [ResultsUpdate] {
    take { event in if case .changed(let update) = event { update } else { nil } }
  }

  func takeWrites() -> [ResultsWrites] {
    take { event in if case .written(let writes) = event { writes } else { nil } }
  }

  func takeErrors() -> [ResultsError] { take(Self.error) }

  /// The errors, without taking them.
  var errors: [ResultsError] { events.withLock { $0.compactMap(Self.error) } }

  private static func error(_ event: ResultsEvent) -> ResultsError? {
    if case .failed(let error) = event { error } else { nil }
  }

  private func take<Value: Sendable>(_ value: (ResultsEvent) -> Value?) -> [Value] {
    events.withLock { events in
      defer { events.removeAll { value($0) != nil } }
      return events.compactMap(value)
    }
  }
}

extension FetchedRecordsController {
  /// Listens, and keeps what it is told.
  func listen(includesWrites: Bool = false) -> Told {
    let told = Told()
    listen(includesWrites: includesWrites) { told.add($0) }
    return told
  }
}

/// A database in a folder of its own, with a controller that lists it and all that it delivered.
final class TestBook: @unchecked Sendable {
  static let itemSchema = """
    CREATE TABLE grp(id INTEGER PRIMARY KEY);
    CREATE TABLE other(id INTEGER PRIMARY KEY, x INTEGER);
    CREATE TABLE item(
      id INTEGER PRIMARY KEY, sec INTEGER, key INTEGER NOT NULL, body TEXT NOT NULL DEFAULT '', tag TEXT NOT NULL DEFAULT '',
      grp INTEGER REFERENCES grp(id) ON DELETE CASCADE, uq INTEGER UNIQUE);
    """

  let folder: String
  let path: String
  let pool: DatabasePool
  let held = HeldQueue()
  private let otherConnection: DatabaseQueue
  let told = Told()
  private(set) var controller: FetchedRecordsController<AnyRecord>!

  init(schema: String = TestBook.itemSchema, encoding: String = "UTF-8") throws {
    folder = NSTemporaryDirectory() + "results-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    path = folder + "/test.db"
    // The encoding can no longer be set once GRDB has opened the file.
    try Self.runSQLite("PRAGMA encoding = '\(encoding)'; \(schema)", path)
    pool = try DatabasePool(path: path)
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    otherConnection = try DatabaseQueue(path: path, configuration: configuration)
  }

  deinit {
    controller = nil
    // A leftover temporary folder does no harm.
    try? FileManager.default.removeItem(atPath: folder)
  }

  static func title(_ value: SectionValue) -> String {
    guard case .integer(let number) = value else { return value.plainTitle }
    return number == 26 ? "#" : String(UnicodeScalar(UInt8(65 + number)))
  }

  func open(_ request: ResultsRequest, listens: Bool = true, tracking: ChangeTracking? = nil) throws {
    controller = FetchedRecordsController<AnyRecord>(
      pool, request: request, tracking: tracking, installsTriggers: true, titles: { Self.title($0) },
      deliver: ResultsDelivery { [held] in held.add($0) })
    if listens { listen() }
    try controller.performFetch()
    // Tracking begins after the fetch has answered.
    waitForUpdates()
  }

  func listen(includesWrites: Bool = false) {
    controller.listen(includesWrites: includesWrites) { [told] in told.add($0) }
  }

  func write(_ sql: String...) throws { try pool.write { db in for sql in sql { try db.execute(sql: sql) } } }

  /// Runs one transaction.
  /// - Parameters:
  ///   - writer: `other-connection` or `other-process`; anything else is the connection of the list.
  ///   - commits: false to roll back.
  func write(_ statements: [String], writer: String, commits: Bool) throws {
    switch writer {
    case "other-connection": try Self.write(statements, commits, otherConnection)
    case "other-process":
      let end = commits ? "COMMIT;" : "ROLLBACK;"
      try runSQLite(
        ([".timeout 10000", "BEGIN IMMEDIATE;"] + statements.map { $0 + ";" } + [end]).joined(separator: "\n"))
    default: try Self.write(statements, commits, pool)
    }
  }

  private static func write(_ statements: [String], _ commits: Bool, _ writer: some DatabaseWriter) throws {
    try writer.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        for statement in statements { try db.execute(sql: statement) }
        return commits ? .commit : .rollback
      }
    }
  }

  /// Feeds SQL to the sqlite3 shell, a process of its own.
  func runSQLite(_ sql: String) throws { try Self.runSQLite(sql, path) }

  private static func runSQLite(_ sql: String, _ path: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-bail", path]
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    input.fileHandleForWriting.write(Data((sql + "\n").utf8))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Inconsistency("sqlite3 ended with \(process.terminationStatus)") }
  }

  /// Waits until the engine's queue has finished its work.
  func waitForUpdates() {
    controller.engine.queue.sync {}
    controller.engine.queue.sync {}
  }

  /// Waits until the controller has seen the last line of the log; false after ten seconds.
  func waitForLog() throws -> Bool {
    let last = try pool.read {
      try Int64.fetchOne($0, sql: "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'results_log_item'")
    }
    let seen = DispatchSemaphore(value: 0)
    let engine = controller.engine
    engine.queue.sync {
      engine.afterRefresh = { cursor in if cursor == last { seen.signal() } }
    }
    let lookedOnce = DispatchSemaphore(value: 0)
    engine.queue.async { lookedOnce.signal() }
    lookedOnce.wait()
    defer { engine.queue.sync { engine.afterRefresh = nil } }
    if engine.queue.sync(execute: { engine.lastSeenLine == last }) { return true }
    return seen.wait(timeout: .now() + 10) == .success
  }

  /// Runs what was delivered and returns the updates since the last call.
  func updates() -> [ResultsUpdate] {
    held.run()
    return told.takeUpdates()
  }

  func errors() -> [ResultsError] {
    held.run()
    return told.takeErrors()
  }

  func release() { controller = nil }
}
