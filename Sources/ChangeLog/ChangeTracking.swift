import GRDB

/// The triggers and the log table that record the writes of any connection and process.
///
/// Each write of a row adds a line to the log: the key before, the key after, and the content before. Any primary key
/// works, as do tables without one, which have a rowid, and tables `WITHOUT ROWID`. If a row has more than a kilobyte
/// of text and blobs, its content is not kept; it then counts as changed when it is written, unless the reader knows
/// its fingerprint. If its key is longer than that, the line does not identify a row.
///
/// The triggers are plain SQL, so any program that writes the table feeds the log, including the `sqlite3` shell. Rows
/// that a REPLACE evicts are seen even with `recursive_triggers` off: before an insert or update, the rows that its
/// unique keys would evict are logged; if they stay and the log keeps their content, they are not reported as changed.
/// The oldest lines are removed, so the size of the log is limited (see ``maximumSize``); a reader that finds lines
/// missing rereads the table.
///
/// A table has one log. ``installMerging(in:)`` accepts triggers that keep more than requested, and extends those that
/// keep less, so several users of one table can share it.
///
/// Install it in a migration, and again in a later migration that adds a column:
/// ```swift
/// migrator.registerMigration("track contacts") { db in
///   try ChangeTracking(table: "contact").install(in: db)
/// }
/// ```
public struct ChangeTracking: Hashable, Sendable {
  /// The columns that make up a row's content.
  public enum Content: Hashable, Sendable {
    /// All columns.
    case allColumns
    /// These columns only, such as a version number that every writer increments.
    case columns([String])
  }

  /// The tracked table, unquoted.
  public var table: String
  /// The columns whose previous content is kept, to tell whether anything changed.
  public var content: Content
  /// The number of lines that the log keeps when it removes older ones; at least 1, to which a smaller number is raised.
  public var capacity: Int {
    didSet { capacity = max(1, capacity) }
  }

  /// Creates a tracking of a table.
  public init(table: String, content: Content = .allColumns, capacity: Int = 32_768) {
    self.table = table
    self.content = content
    self.capacity = max(1, capacity)
  }

  /// The log table's name, unquoted.
  public var logTable: String { "results_log_\(table)" }

  /// The maximum size of the log's text and blobs, in bytes: two keys and one content per line. It includes a kilobyte
  /// for the numbers in a content; more than about forty numeric columns may need more.
  public var maximumSize: Int { (capacity + TrackingTriggers.pruningInterval) * 5 * TrackingTriggers.keptLength }

  /// Creates the log and the triggers, or replaces installed triggers that differ. The log keeps its lines if the
  /// installed triggers fit the table. Otherwise, for example if some are missing, or if the key or the unique indexes
  /// have changed, writes may be missing from the log; it is then recreated, and earlier cursors into it are lost.
  ///
  /// Throws `unknownTable`, `noRowID` or the database's error.
  public func install(in db: Database) throws {
    try spelled(db).installTriggers(db)
  }

  private func installTriggers(_ db: Database) throws {
    let expected = try triggers(db)
    try makeLog(db)
    let present = try installedTriggers(db)
    for (name, sql) in expected where present[name] != sql {
      try db.execute(sql: "DROP TRIGGER IF EXISTS \(name.quotedDatabaseIdentifier)")
      try db.execute(sql: sql)
    }
    for name in present.keys where expected[name] == nil {
      try db.execute(sql: "DROP TRIGGER \(name.quotedDatabaseIdentifier)")
    }
  }

  /// Drops the triggers and the log.
  public func uninstall(in db: Database) throws {
    for name in try installedTriggers(db).keys {
      try db.execute(sql: "DROP TRIGGER \(name.quotedDatabaseIdentifier)")
    }
    try db.execute(sql: "DROP TABLE IF EXISTS \(quotedLog)")
  }

  /// Returns whether the log exists and the triggers are exactly this tracking's for the table's current columns.
  public func isInstalled(in db: Database) throws -> Bool {
    guard try db.tableExists(table), try db.tableExists(logTable) else { return false }
    let tracking = try spelled(db)
    return try tracking.installedTriggers(db) == tracking.triggers(db)
  }

  /// Returns the installed tracking if it keeps everything that this one asks for; nil if it keeps less, if there is
  /// none, or if there is no such table.
  public func installed(in db: Database) throws -> ChangeTracking? {
    guard try db.tableExists(table), try db.tableExists(logTable) else { return nil }
    let tracking = try spelled(db)
    if try tracking.installedTriggers(db) == tracking.triggers(db) { return tracking }
    guard let other = try tracking.anyInstalled(db), try tracking.merged(with: other, db) == other else { return nil }
    return other
  }

  /// Installs this tracking combined with the installed one: the log keeps what either asks for. Throws the same as
  /// ``install(in:)``.
  public func installMerging(in db: Database) throws {
    let tracking = try spelled(db)
    let other = try db.tableExists(logTable) ? tracking.anyInstalled(db) : nil
    try (other.map { try tracking.merged(with: $0, db) } ?? tracking).installTriggers(db)
  }

  /// Returns this tracking with the table's name in the database's spelling. Throws `unknownTable`.
  private func spelled(_ db: Database) throws -> ChangeTracking {
    let name = try String.fetchOne(
      db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE", arguments: [table])
    guard let name else { throw ChangeLogError.unknownTable(table) }
    var tracking = self
    tracking.table = name
    return tracking
  }

  /// Creates the log, or recreates it unless triggers that fit the table have filled it until now.
  private func makeLog(_ db: Database) throws {
    let key = try PrimaryKey(table: table, in: db)
    // A cursor into a dropped log must not fit the new one.
    var start = Int64.random(in: 1..<1 << 40) * Int64(TrackingTriggers.pruningInterval)
    if try db.tableExists(logTable) {
      let columns = try db.columns(in: logTable).map(\.name)
      if try anyInstalled(db) != nil, columns == ["seq"] + key.logColumns + ["old_content"] { return }
      start =
        (try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [logTable]) ?? start)
        + 1
      try db.execute(sql: "DROP TABLE \(quotedLog)")
    }
    let columns = key.logColumns.map { key.isRowID ? "\($0) INTEGER" : $0 }.joined(separator: ", ")
    try db.execute(
      sql: """
        CREATE TABLE \(quotedLog)(
          seq INTEGER PRIMARY KEY AUTOINCREMENT, \(columns), old_content)
        """)
    try db.execute(sql: "INSERT INTO sqlite_sequence(name, seq) VALUES (?, ?)", arguments: [logTable, start])
  }

  private func triggers(_ db: Database) throws -> [String: String] { try TrackingTriggers(self, db).texts(db) }

  /// Returns the installed tracking, whatever it keeps; nil if there are no triggers, or none that fit the table.
  private func anyInstalled(_ db: Database) throws -> ChangeTracking? {
    let present = try installedTriggers(db)
    guard let deleted = present[TrackingTriggers.name("deleted", table)],
      let pruned = present[TrackingTriggers.name("pruned", table)],
      let lines = pruned.firstMatch(of: /NEW\.seq - ([0-9]+);/).flatMap({ Int($0.1) })
    else { return nil }
    let columns = deleted.matches(of: /quote\(OLD\."((?:[^"]|"")*)"\)/).map { match in
      String(match.1).replacing("\"\"", with: "\"")
    }
    var other = self
    other.content = .columns(columns)
    other.capacity = max(1, lines)
    // The parsed tracking is right if it generates the same triggers.
    return try other.triggers(db) == present ? other : nil
  }

  /// Returns a tracking that keeps everything that this one and another ask for: the other one if it already does.
  private func merged(with other: ChangeTracking, _ db: Database) throws -> ChangeTracking {
    var merged = other
    merged.capacity = max(capacity, other.capacity)
    var columns = try other.columns(db)
    let known = Set(columns.map { $0.lowercased() })
    let missing = try self.columns(db).filter { !known.contains($0.lowercased()) }
    if !missing.isEmpty {
      columns += missing
      merged.content = .columns(columns)
    }
    return merged
  }

  package var quotedLog: String { logTable.quotedDatabaseIdentifier }

  func columns(_ db: Database) throws -> [String] {
    switch content {
    case .allColumns: try db.columns(in: table).map(\.name)
    case .columns(let names): names
    }
  }

  /// Returns an SQL expression for a row's content; `row` is a prefix such as `OLD.`.
  package func contentSQL(_ db: Database, row: String = "") throws -> String {
    let parts = try columns(db).map { "quote(\(row)\($0.quotedDatabaseIdentifier))" }
    return parts.isEmpty ? "''" : parts.joined(separator: "||','||")
  }

  private func installedTriggers(_ db: Database) throws -> [String: String] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, 8) = 'results_'
        AND tbl_name COLLATE NOCASE IN (?, ?)
        """,
      arguments: [table, logTable])
    return Dictionary(rows.map { ($0["name"], $0["sql"]) }, uniquingKeysWith: { first, _ in first })
  }
}
