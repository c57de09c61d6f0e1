import GRDB

/// The triggers and the log table by which writes of any connection and process are seen.
///
/// Each written row adds one line to the log: the id before, the id after, and the content before. The triggers are plain
/// SQL, so that any program that writes the table feeds the log, the `sqlite3` shell too. Rows that a REPLACE evicts are
/// seen even with `recursive_triggers` off: before an insert or update the rows that its unique keys would evict are
/// logged; if they stay, their content is unchanged and nothing comes of it. The log keeps its newest lines and forgets the
/// others by itself; a controller that finds lines missing reads the list again and compares.
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
    guard try db.tableExists(table), try db.tableExists(logTable) else { return false }
    return try installedTriggers(db) == triggers(db)
  }

  var quotedLog: String { logTable.quotedDatabaseIdentifier }

  /// An expression for a row's content; `row` is a prefix such as `OLD.`.
  func contentSQL(_ db: Database, row: String = "") throws -> String {
    let columns =
      switch content {
      case .allColumns: try db.columns(in: table).map(\.name)
      case .columns(let names): names
      }
    guard columns.count > 1 else { return columns.first.map { "quote(\(row)\($0.quotedDatabaseIdentifier))" } ?? "''" }
    return columns.map { "quote(\(row)\($0.quotedDatabaseIdentifier))" }.joined(separator: "||','||")
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

  private func triggers(_ db: Database) throws -> [String: String] {
    guard try db.tableExists(table) else { throw ResultsError.unknownTable(table) }
    guard let rowID = try db.primaryKey(table).rowIDColumn else {
      throw ResultsError.unsupportedPrimaryKey(table: table)
    }
    let id = rowID.quotedDatabaseIdentifier
    let target = table.quotedDatabaseIdentifier
    let content = try contentSQL(db)
    let oldContent = try contentSQL(db, row: "OLD.")
    var result: [String: String] = [:]
    func define(_ name: String, _ event: String, on table: String, _ body: String) {
      let name = "results_\(name)_\(self.table)"
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
