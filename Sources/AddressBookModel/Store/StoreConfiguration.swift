import CSystem
import GRDB
import GRDBSQLite
import SystemCalls

/// The configuration of every connection to a book. GRDB's defaults are not suitable: writes fail at once if another
/// process is writing, and `synchronous` is lowered to NORMAL in WAL mode, which can lose acknowledged commits in a
/// power failure.
package struct StoreConfiguration: Sendable {
  /// How long a write waits for other processes, in seconds.
  var busyTimeout: Double = 8
  /// The maximum size of the file in pages; nil for SQLite's own. Tests use it to simulate a full disk.
  var maximumPageCount: Int?
  /// Called with each statement and its duration.
  var trace: (@Sendable (String) -> Void)?

  package init(
    busyTimeout: Double = 8, maximumPageCount: Int? = nil, trace: (@Sendable (String) -> Void)? = nil
  ) {
    self.busyTimeout = busyTimeout
    self.maximumPageCount = maximumPageCount
    self.trace = trace
  }

  /// Returns the configuration of one connection.
  /// - Parameters:
  ///   - log: the write-ahead log that the connections of a pool share; if it is empty, the first of them that may
  ///     write starts it.
  ///   - file: the file that the connection must have opened.
  ///   - isExclusive: true to exclude all others, which needs no index of the log in shared memory.
  package func connection(
    readonly: Bool = false, log: String? = nil, file: OpenedFile? = nil, isExclusive: Bool = false
  ) -> Configuration {
    var configuration = Configuration()
    configuration.label = "addressbook"
    configuration.readonly = readonly
    configuration.busyMode = .timeout(busyTimeout)
    // GRDB's own statement for foreign keys costs more than all those of `setPragmas` together: see `Database.run`.
    configuration.foreignKeysEnabled = false
    // See Store.withSnapshot.
    configuration.allowsUnsafeTransactions = true
    let (pages, trace) = (maximumPageCount, trace)
    configuration.prepareDatabase { db in
      try file?.checkConnection(db)
      if isExclusive { _ = try String.fetchOne(db, sql: "PRAGMA locking_mode = EXCLUSIVE") }
      try Self.setPragmas(db)
      for function in OrderFunctions.all { db.add(function: function) }
      if db.configuration.readonly { try Self.limitPageCache(db) }
      if let pages { _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages)") }
      if let trace { db.trace(options: .profile) { trace($0.description) } }
      if let log, !db.configuration.readonly, FileBytes.count(of: log) == 0 {
        // Starting the log changes the mark that distinguishes a checkpoint from a file that was copied over the book.
        try db.inTransaction(.deferred) {
          _ = try Int32.fetchOne(db, sql: "PRAGMA user_version")
          try file?.check(db)
          return .commit
        }
        try Self.beginLog(db, log)
      }
    }
    return configuration
  }

  /// Writes a first page to an empty write-ahead log, without waiting for the disk.
  ///
  /// GRDB would create and drop a table for this, which makes every other process reread the schema, and would wait
  /// some milliseconds for the disk. Only this commit may skip the wait: nothing in it is acknowledged, an empty log has
  /// nothing to copy into the file and no older frames that a lost header could bring back, and the next commit flushes
  /// the whole log and its folder before it is acknowledged. So the size is checked again inside the transaction, where
  /// no one else can write.
  private static func beginLog(_ db: Database, _ log: String) throws {
    guard try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" else { return }
    try db.execute(sql: "PRAGMA synchronous = OFF")
    let result = Result {
      try db.inTransaction(.immediate) {
        guard FileBytes.count(of: log) == 0 else { return .rollback }
        if try !LogMark.renew(db) {
          let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
          try db.execute(sql: "PRAGMA user_version = \(version)")
        }
        return .commit
      }
    }
    try db.execute(sql: "PRAGMA synchronous = FULL")
    try result.get()
  }

  /// Limits the page cache of a connection to 256 KiB. SQLite's default of 2,000 KiB for each of several connections
  /// would take as much memory as the list of a hundred thousand contacts, and the system caches the file's pages too.
  ///
  /// It reads the schema, so do not use it for a connection that may exist before the tables do.
  static func limitPageCache(_ db: Database) throws {
    try db.execute(sql: "PRAGMA cache_size = -256; PRAGMA shrink_memory")
  }

  /// Sets what SQLite does not store in the file. GRDB changes `synchronous` of a pool's writer after
  /// `prepareDatabase`, so ``Store`` calls this again once the pool is open.
  static func setPragmas(_ db: Database) throws {
    try db.execute(
      sql: """
        PRAGMA foreign_keys = ON;
        PRAGMA synchronous = FULL;
        PRAGMA recursive_triggers = ON;
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
        """)
    // Do not plan a statement again for the values that are bound to it: there are no statistics about them.
    try check(sqlite_keep_plans(db.sqliteConnection))
  }

  /// Makes a connection to a book of the current schema refuse writes, and stops GRDB from tracking what statements
  /// read and write, which costs more than preparing them. Nothing observes the connection, and its schema does not
  /// change.
  static func onlyRead(_ db: Database) throws {
    try db.execute(sql: "PRAGMA query_only = 1")
    try check(sqlite3_set_authorizer(db.sqliteConnection, nil, nil))
  }

  /// See ``AddressBook/simplifySQLiteMemory()``.
  static func simplifyMemory() { sqlite_simplify_memory() }

  private static func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
