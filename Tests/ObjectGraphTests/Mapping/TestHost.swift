import Foundation
import GRDB
import Synchronization

@testable import ObjectGraph

/// A database that a test opened, with a trace.
final class TestHost: SQLiteHost {
  struct Refusal: Error, Equatable {}

  let pool: DatabasePool
  private let refuses = Mutex(false)

  /// Opens the file, and creates the tables if there are none.
  init(path: String, statements: [String], trace: (@Sendable (SQLTraceEvent) -> Void)? = nil) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.trace(options: .profile) { event in
        guard case .profile(let statement, let duration) = event else { return }
        trace?(SQLTraceEvent(sql: statement.sql, expandedSQL: statement.expandedSQL, duration: duration))
      }
    }
    pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in
      guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0 else { return }
      for statement in statements { try db.execute(sql: statement) }
    }
  }

  /// Makes every later read and write throw ``Refusal``.
  func refuse() { refuses.withLock { $0 = true } }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    if refuses.withLock({ $0 }) { throw Refusal() }
    return try pool.read(body)
  }

  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    if refuses.withLock({ $0 }) { throw Refusal() }
    var result: Result?
    try pool.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        result = try body(db)
        return .commit
      }
    }
    guard let result else { throw Refusal() }
    return result
  }
}
