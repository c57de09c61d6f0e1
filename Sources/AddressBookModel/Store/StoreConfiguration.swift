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
  func connection(readonly: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.label = "addressbook"
    configuration.readonly = readonly
    configuration.busyMode = .timeout(busyTimeout)
    configuration.foreignKeysEnabled = true
    let (pages, trace) = (maximumPageCount, trace)
    configuration.prepareDatabase { db in
      try Self.setPragmas(db)
      if let pages { _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages)") }
      if let trace { db.trace(options: .profile) { trace($0.description) } }
    }
    return configuration
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
