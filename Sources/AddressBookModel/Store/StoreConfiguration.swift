import GRDB

/// What every connection to a book has in common. GRDB's own defaults would lose here: it fails at once when another
/// process writes, and turns `synchronous` down to NORMAL in WAL, which loses acknowledged commits when power fails.
struct StoreConfiguration: Sendable {
  /// How long a write waits for another process to finish, in seconds.
  var busyTimeout: Double = 8
  /// Largest size of the file in pages; nil for SQLite's own. Tests fill a disk with it.
  var maximumPageCount: Int?
  /// Called with each statement as it is run, with its time.
  var trace: (@Sendable (String) -> Void)?

  /// The configuration of one connection.
  /// - Parameters:
  ///   - log: the write-ahead log that the connections of a pool share; begun by the first of them that may write.
  ///   - file: the file that the connection must have opened.
  ///   - isExclusive: true to keep all others out, which needs no index of the log in shared memory.
  func connection(
    readonly: Bool = false, log: String? = nil, file: OpenedFile? = nil, isExclusive: Bool = false
  ) -> Configuration {
    var configuration = Configuration()
    configuration.label = "addressbook"
    configuration.readonly = readonly
    configuration.busyMode = .timeout(busyTimeout)
    configuration.foreignKeysEnabled = true
    let (pages, trace) = (maximumPageCount, trace)
    configuration.prepareDatabase { db in
      try file?.checkConnection(db)
      if isExclusive { _ = try String.fetchOne(db, sql: "PRAGMA locking_mode = EXCLUSIVE") }
      try Self.setPragmas(db)
      if db.configuration.readonly { try Self.limitPageCache(db) }
      if let pages { _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages)") }
      if let trace { db.trace(options: .profile) { trace($0.description) } }
      if let log, !db.configuration.readonly, StoreFile.size(of: log) == 0 {
        // Beginning the log changes the mark that tells a checkpoint from a file that was copied over the book.
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

  /// Puts a first page into an empty write-ahead log, without waiting for the disk.
  ///
  /// GRDB would do it with a table that it makes and drops, which makes every other process read the schema again, and
  /// would wait for the disk: some milliseconds before the first row is shown. This commit alone may skip the wait: the page
  /// is what the file holds already, an empty log has nothing to copy into the file and no older frames that a lost header
  /// could bring back, and the next commit flushes the whole log and its folder before it is acknowledged. So the size is
  /// looked at once more inside the transaction, where nobody else can write.
  private static func beginLog(_ db: Database, _ log: String) throws {
    guard try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" else { return }
    try db.execute(sql: "PRAGMA synchronous = OFF")
    let result = Result {
      try db.inTransaction(.immediate) {
        guard StoreFile.size(of: log) == 0 else { return .rollback }
        let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        try db.execute(sql: "PRAGMA user_version = \(version)")
        return .commit
      }
    }
    try db.execute(sql: "PRAGMA synchronous = FULL")
    try result.get()
  }

  /// Leaves a connection 256 KiB for pages. SQLite's own 2,000 for each of several connections would be as much as the list of a
  /// hundred thousand people, and the system keeps the file's pages too.
  ///
  /// It reads the schema, so that it is nothing for a connection that may be there before the tables are.
  static func limitPageCache(_ db: Database) throws {
    try db.execute(sql: "PRAGMA cache_size = -256; PRAGMA shrink_memory")
  }

  /// Sets what SQLite does not remember in the file. GRDB changes `synchronous` of a pool's writer after
  /// `prepareDatabase`, so that ``Store`` calls this again once the pool is open.
  static func setPragmas(_ db: Database) throws {
    try db.execute(
      sql: """
        PRAGMA synchronous = FULL;
        PRAGMA recursive_triggers = ON;
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
        """)
  }
}
