import GRDB

/// The triggers and the log table by which writes of any connection and process are seen.
///
/// Each written row adds one line to the log: the id before, the id after, and the content before. Of a row with more than
/// a kilobyte of text and blobs the content is not kept; it counts as changed when it is written, unless a controller knows
/// its fingerprint. The triggers are plain SQL, so that any program that writes the table feeds the log, the `sqlite3` shell too. Rows that a REPLACE evicts are
/// seen even with `recursive_triggers` off: before an insert or update the rows that its unique keys would evict are
/// logged; if they stay, their content is unchanged and nothing comes of it. The log keeps its newest lines and forgets the
/// others by itself; a controller that finds lines missing reads the list again and compares.
///
/// A table has one log. A controller is content with triggers that keep more than it asks for, and widens those that keep
/// less, so that controllers with different trackings agree.
///
/// Install it in a migration, and again in a later migration that adds a column:
/// ```swift
/// migrator.registerMigration("track contacts") { db in
///   try ChangeTracking(table: "contact").install(in: db)
/// }
/// ```
public struct ChangeTracking: Hashable, Sendable {
  /// What makes a row's content differ.
  public enum Content: Hashable, Sendable {
    /// Any column.
    case allColumns
    /// These columns only, such as a version number that every writer raises.
    case columns([String])
  }

  /// The tracked table, unquoted.
  public var table: String
  /// What is kept of a row before it is written, to tell a change from none.
  public var content: Content
  /// How many lines the log keeps at least, from 1.
  public var capacity: Int

  /// Tracks a table with an `INTEGER PRIMARY KEY`.
  public init(table: String, content: Content = .allColumns, capacity: Int = 32_768) {
    self.table = table
    self.content = content
    self.capacity = max(1, capacity)
  }

  /// The log table's name, unquoted.
  public var logTable: String { "results_log_\(table)" }

  /// Creates the log and the triggers, or replaces triggers that no longer fit the table. Lines of the log stay.
  public func install(in db: Database) throws {
    guard let tracking = try spelled(db) else { throw ResultsError.unknownTable(table) }
    try tracking.installTriggers(db)
  }

  private func installTriggers(_ db: Database) throws {
    let wanted = try triggers(db)
    try db.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(quotedLog)(
          seq INTEGER PRIMARY KEY AUTOINCREMENT, old_id INTEGER, new_id INTEGER, old_content)
        """)
    let present = try installedTriggers(db)
    for (name, sql) in wanted where present[name] != sql {
      try db.execute(sql: "DROP TRIGGER IF EXISTS \(name.quotedDatabaseIdentifier)")
      try db.execute(sql: sql)
    }
    for name in present.keys where wanted[name] == nil {
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

  /// Whether the log and all triggers exist and fit the table's columns.
  public func isInstalled(in db: Database) throws -> Bool {
    guard let tracking = try spelled(db), try db.tableExists(logTable) else { return false }
    return try tracking.installedTriggers(db) == tracking.triggers(db)
  }

  /// The tracking that is installed, if it keeps all that this one asks for.
  func installed(in db: Database) throws -> ChangeTracking? {
    guard let tracking = try spelled(db), try db.tableExists(logTable) else { return nil }
    if try tracking.installedTriggers(db) == tracking.triggers(db) { return tracking }
    guard let other = try tracking.anyInstalled(db), try tracking.joined(with: other, db) == other else { return nil }
    return other
  }

  /// Installs this tracking together with what is installed already.
  func installJoined(in db: Database) throws {
    guard let tracking = try spelled(db) else { throw ResultsError.unknownTable(table) }
    let other = try db.tableExists(logTable) ? tracking.anyInstalled(db) : nil
    try (other.map { try tracking.joined(with: $0, db) } ?? tracking).installTriggers(db)
  }

  /// This tracking with the table's name as the database spells it; nil when there is no such table.
  private func spelled(_ db: Database) throws -> ChangeTracking? {
    let name = try String.fetchOne(
      db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE", arguments: [table])
    return name.map { name in
      var tracking = self
      tracking.table = name
      return tracking
    }
  }

  /// What is installed, whatever it keeps; nil when there are no triggers, or none that fit the table.
  private func anyInstalled(_ db: Database) throws -> ChangeTracking? {
    let present = try installedTriggers(db)
    guard let deleted = present[triggerName("deleted")], let pruned = present[triggerName("pruned")],
      let lines = pruned.firstMatch(of: /NEW\.seq - ([0-9]+);/).flatMap({ Int($0.1) })
    else { return nil }
    let columns = deleted.matches(of: /quote\(OLD\."((?:[^"]|"")*)"\)/).map { match in
      String(match.1).replacing("\"\"", with: "\"")
    }
    var other = self
    other.content = .columns(columns)
    other.capacity = max(1, lines)
    // Whatever was read out of the triggers is right if it makes the same triggers.
    return try other.triggers(db) == present ? other : nil
  }

  /// A tracking that keeps all that this one and another ask for; the other one if that does.
  private func joined(with other: ChangeTracking, _ db: Database) throws -> ChangeTracking {
    var joined = other
    joined.capacity = max(capacity, other.capacity)
    var columns = try other.columns(db)
    let known = Set(columns.map { $0.lowercased() })
    let missing = try self.columns(db).filter { !known.contains($0.lowercased()) }
    if !missing.isEmpty {
      columns += missing
      joined.content = .columns(columns)
    }
    return joined
  }

  var quotedLog: String { logTable.quotedDatabaseIdentifier }

  private func columns(_ db: Database) throws -> [String] {
    switch content {
    case .allColumns: try db.columns(in: table).map(\.name)
    case .columns(let names): names
    }
  }

  /// An expression for a row's content; `row` is a prefix such as `OLD.`.
  func contentSQL(_ db: Database, row: String = "") throws -> String {
    let parts = try columns(db).map { "quote(\(row)\($0.quotedDatabaseIdentifier))" }
    return parts.isEmpty ? "''" : parts.joined(separator: "||','||")
  }

  /// What the log keeps of a row: its content, or NULL when it is long. Numbers are never long.
  private func keptSQL(_ db: Database, row: String) throws -> String {
    let content = try contentSQL(db, row: row)
    let numbers = try Set(db.columns(in: table).filter { $0.isNumber }.map { $0.name.lowercased() })
    let lengths = try columns(db).filter { !numbers.contains($0.lowercased()) }
      .map { "coalesce(length(CAST(\(row)\($0.quotedDatabaseIdentifier) AS BLOB)),0)" }
    guard !lengths.isEmpty else { return content }
    return "CASE WHEN \(lengths.joined(separator: "+"))<=\(Self.keptLength) THEN \(content) END"
  }

  /// The bytes of text and blobs of which a row's content is kept; written out they may be twice as many.
  private static let keptLength = 1024

  private func triggerName(_ name: String) -> String { "results_\(name)_\(table)" }

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

  private func triggers(_ db: Database) throws -> [String: String] {
    guard let rowID = try db.primaryKey(table).rowIDColumn else {
      throw ResultsError.unsupportedPrimaryKey(table: table)
    }
    let id = rowID.quotedDatabaseIdentifier
    let target = table.quotedDatabaseIdentifier
    let content = try keptSQL(db, row: "")
    let oldContent = try keptSQL(db, row: "OLD.")
    var result: [String: String] = [:]
    func define(_ name: String, _ event: String, on table: String, _ body: String) {
      let name = triggerName(name)
      result[name] = "CREATE TRIGGER \(name.quotedDatabaseIdentifier) \(event) ON \(table) BEGIN \(body) END"
    }
    func log(_ values: String) -> String { "INSERT INTO \(quotedLog)(old_id, new_id, old_content) \(values);" }

    define("inserted", "AFTER INSERT", on: target, log("VALUES (NULL, NEW.\(id), NULL)"))
    define("updated", "AFTER UPDATE", on: target, log("VALUES (OLD.\(id), NEW.\(id), \(oldContent))"))
    define("deleted", "AFTER DELETE", on: target, log("VALUES (OLD.\(id), NULL, \(oldContent))"))
    define(
      "pruned", "AFTER INSERT", on: "\(quotedLog) WHEN NEW.seq % 256 = 0",
      "DELETE FROM \(quotedLog) WHERE seq <= NEW.seq - \(capacity);")

    // The rows that a REPLACE evicts: those with the new row's id or with its values in a unique key.
    let uniqueKeys = try uniqueKeys(db)
    func logEvicted(_ condition: String) -> String {
      log("SELECT \(id), NULL, \(content) FROM \(target) WHERE \(condition)")
    }
    var onInsert = [logEvicted("\(id) = NEW.\(id)")]
    for (index, key) in uniqueKeys.enumerated() {
      let statement =
        key.match.map { logEvicted("\($0) AND \(id) IS NOT NEW.\(id)") } ?? log("VALUES (NULL, NULL, NULL)")
      onInsert.append(statement)
      define("evicts_key\(index)_on_update", "BEFORE UPDATE", on: "\(target) WHEN \(key.changes)", statement)
    }
    define("evicts_on_insert", "BEFORE INSERT", on: target, onInsert.joined(separator: " "))
    define(
      "evicts_id_on_update", "BEFORE UPDATE OF \(id)", on: "\(target) WHEN OLD.\(id) IS NOT NEW.\(id)",
      logEvicted("\(id) = NEW.\(id)"))
    return result
  }

  /// For each unique index, which rows match the new row, and when an update changes the key. An index over an
  /// expression is matched by its plain columns; with one that has none, any row may be evicted: no match, and a line without
  /// ids makes the controllers read the list again.
  private func uniqueKeys(_ db: Database) throws -> [(match: String?, changes: String)] {
    let indexes = try Row.fetchAll(
      db, sql: "SELECT name FROM pragma_index_list(?) WHERE \"unique\" = 1", arguments: [table])
    return try indexes.map { index in
      let name: String = index["name"]
      let columns = try Row.fetchAll(
        db, sql: "SELECT cid, name, coll FROM pragma_index_xinfo(?) WHERE key = 1", arguments: [name])
      var matches: [String] = []
      var changes: [String] = []
      var hasExpression = false
      for column in columns {
        guard let columnName: String = column["name"] else {
          hasExpression = true
          continue
        }
        let quoted = columnName.quotedDatabaseIdentifier
        let collation: String = column["coll"] ?? "BINARY"
        matches.append("\(quoted) = NEW.\(quoted) COLLATE \(collation.quotedDatabaseIdentifier)")
        changes.append("OLD.\(quoted) IS NOT NEW.\(quoted) COLLATE BINARY")
      }
      return (
        matches.isEmpty ? nil : matches.joined(separator: " AND "),
        hasExpression || changes.isEmpty ? "1" : changes.joined(separator: " OR ")
      )
    }
  }
}

extension ColumnInfo {
  /// Whether the declared type makes whatever looks like a number one.
  fileprivate var isNumber: Bool {
    let type = type.uppercased()
    return type.contains("INT") || ["REAL", "FLOA", "DOUB"].contains { type.contains($0) }
  }
}
