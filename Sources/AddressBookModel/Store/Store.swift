import Dispatch
import GRDB
import Synchronization

/// One SQLite file (or a book in memory) and its connections: opened carefully, read in snapshots, written in IMMEDIATE
/// transactions, checkpointed when closed.
final class Store: Sendable {
  /// What the opener wants to do.
  enum Access: Sendable {
    /// Read and write, several readers at once; falls back to reading when the file cannot be written.
    case readWrite
    /// Read with one connection and change nothing, unless the schema or the derived columns are out of date.
    case readOnly
  }

  let location: StoreLocation
  let isReadOnly: Bool
  let database: any DatabaseWriter
  /// Which file it is; nil for a book in memory.
  let identity: FileIdentity?
  private let isClosed = Mutex(false)

  private init(location: StoreLocation, isReadOnly: Bool, database: any DatabaseWriter) {
    self.location = location
    self.isReadOnly = isReadOnly
    self.database = database
    self.identity = OpenBooks.add(location.path)
  }

  deinit { close() }

  /// Opens a book, makes it when there is none, and brings its schema up to date.
  static func open(
    _ location: StoreLocation, access: Access, configuration: StoreConfiguration = StoreConfiguration()
  ) throws(StoreError) -> Store {
    let path = location.path ?? ""
    let state = try OpenBooks.inspect(location)
    do {
      guard location.path != nil else { return try openInMemory(location, configuration) }
      switch state {
      case .fresh(let exists):
        if access == .readOnly {
          if !exists, location.isExplicit { throw StoreError(.missingFile, path: path) }
          // Looking at a book that was never begun makes no file.
          return try openInMemory(location, configuration, isReadOnly: true)
        }
        if !exists {
          try StoreFile.prepare(location)
        } else if !StoreFile.isWritable(location, exists: true) {
          throw StoreError(.readOnly, path: path)
        }
        return try openFile(location, configuration, isNew: true)
      case .book(let schema):
        if !StoreFile.isWritable(location, exists: true) {
          guard schema == Schema.version else { throw StoreError(.olderReadOnly, path: path) }
          return try openUnwritable(location, configuration)
        }
        if access == .readOnly, schema == Schema.version { return try openToRead(location, configuration) }
        return try openFile(location, configuration, isNew: false)
      case nil:
        return try openFile(location, configuration, isNew: false)
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  // MARK: - Reading and writing

  /// Reads in one snapshot of the book.
  func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      try checkOpen()
      return try database.read(body)
    } catch {
      throw storeError(error)
    }
  }

  /// Writes in one IMMEDIATE transaction: all of it or nothing.
  func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try transaction(body)
    } catch {
      throw storeError(error)
    }
  }

  /// The same, for a caller that has errors of its own to hear of.
  /// - Parameters:
  ///   - isBulk: true for a write of many contacts. It has 64 MiB for pages instead of a quarter of one: in random order it
  ///     would otherwise write the same pages to the log again and again.
  ///   - raisesVersions: true when the body raises the version of every contact that it writes, or whose parts it writes;
  ///     else triggers do.
  func transaction<Value>(
    isBulk: Bool = false, raisesVersions: Bool = false, _ body: (Database) throws -> Value
  ) throws -> Value {
    try checkWritable()
    return try database.writeWithoutTransaction { db in
      if isBulk { try db.execute(sql: "PRAGMA cache_size = -65536") }
      defer {
        if isBulk {
          // Only memory is at stake: a failure here must not hide what became of the write.
          try? StoreConfiguration.limitPageCache(db)
        }
      }
      var value: Value?
      try db.inTransaction(.immediate) {
        if raisesVersions { try VersionSchema.beginOwnVersions(db) }
        value = try body(db)
        if raisesVersions { try VersionSchema.endOwnVersions(db) }
        return .commit
      }
      guard let value else { throw StoreError(.other, path: location.path ?? "") }
      return value
    }
  }

  /// Writes something that may be lost, such as the number that a cache is known by: without waiting for the disk, and
  /// hardly for another process.
  func noteInPassing<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      try checkOpen()
      return try database.writeWithoutTransaction { db in
        let patience = try Int.fetchOne(db, sql: "PRAGMA busy_timeout") ?? 0
        try db.execute(sql: "PRAGMA synchronous = OFF")
        _ = try Int.fetchOne(db, sql: "PRAGMA busy_timeout = 100")
        var value: Value?
        let result = Result {
          try db.inTransaction(.immediate) {
            value = try body(db)
            return .commit
          }
        }
        // The next commit flushes the whole log, this one with it.
        try db.execute(sql: "PRAGMA synchronous = FULL")
        _ = try Int.fetchOne(db, sql: "PRAGMA busy_timeout = \(patience)")
        try result.get()
        guard let value else { throw StoreError(.other, path: location.path ?? "") }
        return value
      }
    } catch {
      throw storeError(error)
    }
  }

  /// An error of the database layer in terms of this book; a busy one names the process that holds the lock.
  func storeError(_ error: any Error) -> StoreError {
    let path = location.path ?? ""
    let error = StoreError(error, path: path)
    guard error.reason == .busy, let process = WriteLock.holder(ofBookAt: path) else { return error }
    return StoreError(.busy, path: path, detail: "pid \(process)")
  }

  /// A reader that sees one state of the book for as long as it lives, where the store can give one.
  func snapshotReader() throws(StoreError) -> any DatabaseReader {
    guard let connections = database as? BookDatabase else { return database }
    do {
      try checkOpen()
      return try connections.makeSnapshot()
    } catch {
      throw storeError(error)
    }
  }

  /// Gives back what the connections of a book hold that was opened a while ago.
  func giveBackMemory() { (database as? BookDatabase)?.giveBackMemory() }

  /// Moves the write-ahead log into the file and closes. Closing twice is harmless; a reader elsewhere is not waited for.
  func close() {
    let first = isClosed.withLock { closed in
      defer { closed = true }
      return !closed
    }
    guard first else { return }
    do {
      try database.close()
    } catch {
      // A statement still runs in another thread. The log stays beside the file, whole, and the next start reads it.
    }
    OpenBooks.remove(identity)
  }

  private func checkOpen() throws(StoreError) {
    if isClosed.withLock({ $0 }) { throw StoreError(.closed, path: location.path ?? "") }
  }

  private func checkWritable() throws(StoreError) {
    try checkOpen()
    if isReadOnly { throw StoreError(.readOnly, path: location.path ?? "") }
  }

  // MARK: - Opening

  private static func openInMemory(
    _ location: StoreLocation, _ configuration: StoreConfiguration, isReadOnly: Bool = false
  ) throws -> Store {
    let queue = try DatabaseQueue(configuration: configuration.connection())
    try Migrations.migrate(queue)
    try DerivedColumns.rebuildIfNeeded(queue)
    return Store(location: location, isReadOnly: isReadOnly, database: queue)
  }

  private static func openFile(
    _ location: StoreLocation, _ configuration: StoreConfiguration, isNew: Bool
  ) throws -> Store {
    let path = location.path ?? ""
    if isNew { try stamp(path, configuration) }
    let first = try DatabaseQueue(path: path, configuration: configuration.connection())
    let database = BookDatabase(first: first) {
      let pool = try DatabasePool(path: path, configuration: configuration.connection(log: path + "-wal"))
      // See StoreConfiguration.setPragmas.
      try pool.writeWithoutTransaction { try StoreConfiguration.setPragmas($0) }
      return pool
    }
    if try !database.read({ try isCurrent($0, path) }) {
      try first.writeWithoutTransaction { db in
        let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        if version > 0, version < Schema.version { try SchemaBackup.make(db, of: path, version: version) }
      }
      try Migrations.migrate(database)
      try DerivedColumns.rebuildIfNeeded(database)
      // Other connections made the tables.
      try first.read { $0.clearSchemaCache() }
    }
    return Store(location: location, isReadOnly: false, database: database)
  }

  private static func openToRead(_ location: StoreLocation, _ configuration: StoreConfiguration) throws -> Store {
    let path = location.path ?? ""
    let queue = try DatabaseQueue(path: path, configuration: configuration.connection())
    guard try queue.read({ try isCurrent($0, path) }) else {
      try queue.close()
      return try openFile(location, configuration, isNew: false)
    }
    return Store(location: location, isReadOnly: true, database: queue)
  }

  /// A file or a folder that may not be written. Without a write-ahead log the file cannot change behind a reader that
  /// could not take a lock, so it is read as it stands (https://www.sqlite.org/uri.html#uriimmutable).
  private static func openUnwritable(_ location: StoreLocation, _ configuration: StoreConfiguration) throws -> Store {
    let path = location.path ?? ""
    let hasLog = StoreFile.size(of: path + "-wal") > 0
    let name = hasLog ? path : "file:" + percentEncoded(path) + "?immutable=1"
    let queue = try DatabaseQueue(path: name, configuration: configuration.connection(readonly: true))
    _ = try queue.read { try isCurrent($0, path) }
    return Store(location: location, isReadOnly: true, database: queue)
  }

  /// Marks a new file as ours in its first transaction, before any write-ahead log exists, so that the header of a book
  /// always shows whose it is.
  ///
  /// Until the log takes over there is a rollback journal, whose removal must reach the disk too (`EXTRA`): a journal that
  /// a power failure brought back would empty the book.
  private static func stamp(_ path: String, _ configuration: StoreConfiguration) throws {
    let queue = try DatabaseQueue(path: path, configuration: configuration.connection())
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = EXTRA")
      try db.inTransaction(.exclusive) {
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        let owner = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        guard owner == Schema.applicationID || (owner == 0 && tables == 0) else {
          throw StoreError(.foreign, path: path)
        }
        if owner == 0 { try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)") }
        return .commit
      }
      _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
    }
    try queue.close()
  }

  /// The same question as in the file's header, asked of the write-ahead log too.
  /// - Returns: true when neither the schema nor the derived columns are out of date.
  private static func isCurrent(_ db: Database, _ path: String) throws -> Bool {
    guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID else {
      throw StoreError(.foreign, path: path)
    }
    let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard version <= Schema.version else { throw StoreError(.newerSchema, path: path) }
    guard version == Schema.version else { return false }
    let applied = try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")
    guard applied.allSatisfy(Migrations.migrator.migrations.contains) else {
      throw StoreError(.newerSchema, path: path)
    }
    return try applied.count == Migrations.migrator.migrations.count && DerivedColumns.isCurrent(db)
  }

  private static func percentEncoded(_ path: String) -> String {
    path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"), 0...0x20, 0x7f...0xff:
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (digits.count == 1 ? "0" : "") + digits
      default: return String(UnicodeScalar(byte))
      }
    }.joined()
  }
}
