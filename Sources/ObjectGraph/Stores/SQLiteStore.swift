import Foundation
import GRDB
import Glibc
import Synchronization
import SystemCalls

/// A store in a SQLite file: tables made from the model, write-ahead log, every save on disk before it returns.
final class SQLiteStore: ObjectStore {
  private let metadata: SQLiteMetadata
  private let entities: [Entity]
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
    self.entities = entities
    do {
      // When GRDB makes a pool, it lowers `synchronous` to NORMAL after the configuration: a power failure could then
      // lose acknowledged saves.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      metadata = try SQLiteMetadata.prepare(pool, entities: entities)
    } catch {
      try pool.close()
      throw error
    }
  }

  var identifier: UUID { metadata.identifier }

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
        guard case .profile(let statement, let duration) = event, isAboutObjects(statement.sql) else { return }
        trace(SQLTraceEvent(sql: statement.sql, expandedSQL: statement.expandedSQL, duration: duration))
      }
    }
    return configuration
  }

  private static func isAboutObjects(_ sql: String) -> Bool {
    ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains { sql.hasPrefix($0) }
      && ![SQLiteMetadata.table, "sqlite_master", "sqlite_schema"].contains { sql.contains($0) }
  }

  func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
    try pool.read { db in try body(SQLiteReader(db: db, schema: schema)) }
  }

  func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
    try pool.writeWithoutTransaction { db in
      var result: Result?
      try db.inTransaction(.immediate) {
        try metadata.checkModel(db, entities)
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

/// The database files that this process has open through this library.
enum OpenDatabases {
  /// Counts a file as open during its lifetime.
  final class Registration: Sendable {
    private let identity: FileIdentity

    fileprivate init(_ identity: FileIdentity) { self.identity = identity }

    deinit { HeldFiles.remove(identity) }
  }

  /// Prepares a file for SQLite, and counts it as open. A missing file is created, accessible only to its owner. A file
  /// that is not a database is refused, because SQLite would take a short one for an empty database and overwrite it.
  static func register(_ path: String) throws -> Registration {
    if FileIdentity(of: path) == nil { try createPrivateFile(path) }
    try HeldFiles.ifClosed(path, orElse: { _ in }) { try checkHeader(path) }
    guard let identity = HeldFiles.add(path) else { throw StoreFailure.file(path) }
    return Registration(identity)
  }

  /// Creates an empty file that only its owner can read and write, unless the file exists. SQLite gives its journal
  /// files the same mode.
  static func createPrivateFile(_ path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 || errno == EEXIST else { throw StoreFailure.file(path) }
    if file >= 0 { close(file) }
  }

  private static func checkHeader(_ path: String) throws {
    guard let header = ReadableFile(path)?.bytes(upTo: 16) else { throw StoreFailure.file(path) }
    // A power failure during creation may leave zeros at the beginning, and a journal that says that the file was
    // empty.
    let isInterrupted = header.allSatisfy { $0 == 0 } && FileIdentity(of: "\(path)-journal") != nil
    guard header.isEmpty || isInterrupted || header == Array("SQLite format 3\u{0}".utf8) else {
      throw StoreFailure(reason: .unreadable, description: "the file is not a database")
    }
  }
}
