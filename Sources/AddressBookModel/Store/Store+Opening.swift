import GRDB
import Glibc
import SystemCalls

extension Store {
  /// The number of descriptors for a book with two connections, its search index, and Dispatch.
  private static let descriptors = 10
  /// The address space for such a book, in bytes, with the caches of the connections.
  private static let addresses = 16 << 20

  /// Opens a book, and migrates an older schema. If there is no book, it creates one; for reading, it opens an empty
  /// one in memory, or throws `missingFile` if the user named a file that does not exist.
  static func open(
    _ location: StoreLocation, access: Access, configuration: StoreConfiguration = StoreConfiguration()
  ) throws(StoreError) -> Store {
    let log = try ForeignLog.setAside(location)
    let store = try openOwn(location, access, configuration)
    store.renamedLog.withLock { $0 = log }
    return store
  }

  /// Opens a book whose log, if there is one, belongs to it.
  private static func openOwn(
    _ location: StoreLocation, _ access: Access, _ configuration: StoreConfiguration
  ) throws(StoreError) -> Store {
    let path = location.path ?? ""
    // Dispatch would hang without a thread when a connection is closed, and would end the program without descriptors.
    guard SystemLimits.hasAddresses(addresses), SystemThread.isAvailable, SystemLimits.canOpen(descriptors) else {
      throw StoreError(.outOfResources, path: path)
    }
    let state = try StoreFile.inspectUnlessOpen(location)
    do {
      guard location.path != nil else { return try openInMemory(location, configuration) }
      switch state {
      case .fresh(let exists):
        if access == .readOnly {
          if !exists, location.isExplicit { throw StoreError(.missingFile, path: path) }
          // Reading a book that does not exist yet must not create a file.
          return try openInMemory(location, configuration, readOnlyReason: .readOnly)
        }
        if !exists {
          try StoreFile.prepare(location)
        } else if !StoreFile.isWritable(location, exists: true) {
          throw StoreError(.readOnly, path: path)
        }
        return try openFile(location, configuration, isNew: true)
      case .book(let schema) where !StoreFile.isWritable(location, exists: true):
        guard schema == Schema.version else { throw StoreError(.olderReadOnly, path: path) }
        return try openReadOnlyFile(location, configuration)
      case .book, nil:
        if access == .readOnly { return try openToRead(location, configuration) }
        return try openFile(location, configuration, isNew: false)
      }
    } catch {
      let error = StoreError(error, path: path)
      guard error.reason == .diskFull, case .book(let schema)? = state, schema == Schema.version else { throw error }
      return try openOnFullDisk(location, configuration, error)
    }
  }

  private static func openInMemory(
    _ location: StoreLocation, _ configuration: StoreConfiguration, readOnlyReason: StoreError.Reason? = nil
  ) throws -> Store {
    let queue = try DatabaseQueue(configuration: configuration.connection())
    try Migrations.migrate(queue)
    try DerivedColumns.rebuildIfNeeded(queue)
    try queue.write { try CardReading.markCurrent($0) }
    return Store(location: location, readOnlyReason: readOnlyReason, database: queue)
  }

  private static func openFile(
    _ location: StoreLocation, _ configuration: StoreConfiguration, isNew: Bool
  ) throws -> Store {
    let path = location.path ?? ""
    if isNew { try stamp(path, configuration) }
    let first = try DatabaseQueue(path: path, configuration: configuration.connection())
    let (wasCurrent, file) = try first.inDatabase { db in
      let found = try db.reading { try hasLog(db) ? findings(db, path) : nil }
      if let found { return found }
      // SQLite's shell may have turned WAL off, and the check of the files uses the index of the log.
      try startLog(db, configuration)
      return try db.reading { try findings(db, path) }
    }
    let database = BookDatabase(first: first, file: file) {
      let pool = try DatabasePool(path: path, configuration: configuration.connection(log: file.log, file: file))
      // See StoreConfiguration.setPragmas.
      try pool.writeWithoutTransaction { try StoreConfiguration.setPragmas($0) }
      return pool
    }
    if wasCurrent {
      try first.inDatabase(StoreConfiguration.onlyRead)
    } else {
      try first.writeWithoutTransaction { db in
        let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        if version > 0, version < Schema.version { try SchemaBackup.make(db, of: path, version: version) }
      }
      try Migrations.migrate(database)
      try DerivedColumns.rebuildIfNeeded(database)
      try database.writeWithoutTransaction { db in
        // The log may have been begun before there were tables.
        try db.inTransaction(.immediate) { try LogMark.renew(db) ? .commit : .rollback }
      }
      // Other connections created the tables.
      try first.read { $0.clearSchemaCache() }
    }
    let store = Store(location: location, readOnlyReason: nil, database: database, file: file)
    if !wasCurrent { try CardReading.updateIfNeeded(store) }
    return store
  }

  private static func hasLog(_ db: Database) throws -> Bool {
    try String.fetchOne(db.makeStatement(sql: "PRAGMA journal_mode")) == "wal"
  }

  /// Checks the file that a connection has opened.
  private static func findings(_ db: Database, _ path: String) throws -> (isCurrent: Bool, file: OpenedFile) {
    try (isCurrent(db, path), OpenedFile(path: path, db))
  }

  /// Opens a book to read, after updating it if it is out of date.
  private static func openToRead(_ location: StoreLocation, _ configuration: StoreConfiguration) throws -> Store {
    let path = location.path ?? ""
    var queue = try DatabaseQueue(path: path, configuration: configuration.connection())
    if try !queue.read({ try isCurrent($0, path) }) {
      try queue.close()
      try openFile(location, configuration, isNew: false).close()
      queue = try DatabaseQueue(path: path, configuration: configuration.connection())
    }
    try queue.inDatabase(StoreConfiguration.onlyRead)
    return Store(location: location, readOnlyReason: .readOnly, database: queue)
  }

  /// Opens a book whose file or folder cannot be written. If the write-ahead log is missing or empty, the file is
  /// opened as immutable, which needs neither locks nor files beside it (https://www.sqlite.org/uri.html#uriimmutable).
  private static func openReadOnlyFile(_ location: StoreLocation, _ configuration: StoreConfiguration) throws -> Store {
    let path = location.path ?? ""
    let hasLog = StoreFile.hasOwnLog(path)
    let queue = try DatabaseQueue(
      path: hasLog ? path : ImmutableFile.name(of: path), configuration: configuration.connection(readonly: true))
    _ = try queue.read { try isCurrent($0, path) }
    return Store(location: location, readOnlyReason: .readOnly, database: queue)
  }

  /// Opens a book on a disk without room for the index of the write-ahead log, which all connections share: a single
  /// connection can work without it. If the log is missing or empty, the file is opened as immutable; otherwise it is
  /// opened exclusively (https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory).
  /// - Parameter error: thrown if another process may have the book open, or if the book is not up to date.
  private static func openOnFullDisk(
    _ location: StoreLocation, _ configuration: StoreConfiguration, _ error: StoreError
  ) throws(StoreError) -> Store {
    let path = location.path ?? ""
    do {
      guard !WriteLock.isOpen(bookAt: path) else { throw error }
      let hasLog = StoreFile.hasOwnLog(path)
      let queue = try DatabaseQueue(
        path: hasLog ? path : ImmutableFile.name(of: path),
        configuration: configuration.connection(readonly: !hasLog, isExclusive: hasLog))
      guard try queue.read({ try isCurrent($0, path) }) else { throw error }
      return Store(location: location, readOnlyReason: .diskFull, database: queue)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Marks a new file as ours in its first transaction, before there is a write-ahead log, so that the header of a book
  /// always identifies it.
  ///
  /// Until then there is a rollback journal, whose removal must reach the disk too (`EXTRA`): a journal that
  /// reappears after a power failure would empty the book.
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
      try startLog(db, configuration)
    }
    try queue.close()
  }

  /// Makes the database use a write-ahead log. SQLite does not wait for another connection that does so at the same time.
  private static func startLog(_ db: Database, _ configuration: StoreConfiguration) throws {
    let end = ContinuousClock.now + .seconds(configuration.busyTimeout)
    while true {
      do {
        _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        return
      } catch let error as DatabaseError {
        guard error.resultCode == .SQLITE_BUSY, ContinuousClock.now < end else { throw error }
        usleep(10_000)
      }
    }
  }

  /// Repeats the check of the file's header in the database, which includes the write-ahead log.
  /// - Returns: true if neither the schema nor the derived columns are out of date, nor what contacts have of their cards.
  private static func isCurrent(_ db: Database, _ path: String) throws -> Bool {
    guard try Int32.fetchOne(db.makeStatement(sql: "PRAGMA application_id")) == Schema.applicationID else {
      throw StoreError(.foreign, path: path)
    }
    let version = try Int32.fetchOne(db.makeStatement(sql: "PRAGMA user_version")) ?? 0
    guard version <= Schema.version else { throw StoreError(.newerSchema, path: path) }
    guard version == Schema.version else { return false }
    let applied = try String.fetchAll(db.makeStatement(sql: "SELECT identifier FROM grdb_migrations"))
    guard applied.allSatisfy(Migrations.identifiers.contains) else { throw StoreError(.newerSchema, path: path) }
    try CardReading.learn(db)
    return try applied.count == Migrations.identifiers.count && DerivedColumns.isCurrent(db)
      && CardReading.isCurrent(db)
  }
}
