import Foundation
import GRDB
import Synchronization

/// A store in a SQLite file: tables made from the model, write-ahead log, every save on disk before it returns.
final class SQLiteStore: ObjectStore {
  let identifier: UUID
  private let registration: Mutex<OpenDatabases.Registration?>
  let schema: SQLiteSchema
  let pool: DatabasePool

  /// Opens a store, and creates it if the file is missing or empty.
  /// - Throws: ``ObjectGraphError/modelMismatch`` when the file was made with a model that has another ``StoredModel``.
  init(path: String, model: ObjectModel, entities: [Entity], options: StackOptions) throws {
    registration = Mutex(try OpenDatabases.register(path))
    // A pool changes the file to write-ahead logging at once.
    try SQLiteMetadata.refuseForeignDatabase(at: path, timeout: options.busyTimeout)
    pool = try DatabasePool(path: path, configuration: Self.configuration(options))
    schema = SQLiteSchema(model: model, entities: entities)
    do {
      // When GRDB makes a pool, it lowers `synchronous` to NORMAL after the configuration: a power failure could then
      // lose acknowledged saves.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      identifier = try SQLiteMetadata.prepare(pool, entities: entities)
    } catch {
      try pool.close()
      throw error
    }
  }

  static func configuration(_ options: StackOptions) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(options.busyTimeout)
    configuration.foreignKeysEnabled = true
    configuration.label = "ObjectGraph"
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON")
      PredicateFunctions.register(in: db)
      guard let trace = options.trace else { return }
      db.trace(options: .profile) { event in
        guard case .profile(let statement, let duration) = event else { return }
        trace(SQLTraceEvent(sql: statement.sql, expandedSQL: statement.expandedSQL, duration: duration))
      }
    }
    return configuration
  }

  func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
    try pool.read { db in try body(SQLiteReader(db: db, schema: schema)) }
  }

  func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
    try pool.writeWithoutTransaction { db in
      var result: Result?
      try db.inTransaction(.immediate) {
        result = try body(SQLiteWriter(db: db, schema: schema))
        return .commit
      }
      guard let result else { throw StoreFailure(reason: .other, description: "the transaction has no result") }
      return result
    }
  }

  func close() throws {
    try pool.close()
    registration.withLock { $0 = nil }
  }
}

extension StoreFailure {
  /// Returns the failure of a system call, from `errno`.
  static func file(_ path: String) -> StoreFailure {
    StoreFailure(reason: .file, description: "\(path): \(String(cString: strerror(errno)))")
  }

  /// Creates a failure with SQLite's message, without the values of the statement.
  init(_ error: DatabaseError) {
    let reason: Reason =
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
      case .SQLITE_NOTADB, .SQLITE_CORRUPT: .unreadable
      case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_IOERR, .SQLITE_FULL, .SQLITE_PERM: .file
      default: .other
      }
    self.init(reason: reason, description: "SQLite error \(error.extendedResultCode.rawValue): \(error.message ?? "")")
  }
}
