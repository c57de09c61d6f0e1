import GRDB

/// The SQL of the triggers that fill a log.
///
/// Triggers are compared by their text, and those that differ are replaced at the next installation. Shipped migrations
/// contain the text for tables with an `INTEGER PRIMARY KEY`, so it must not change.
struct TrackingTriggers {
  /// The maximum size in bytes of the text and blobs of a content or key that is kept; quoting may double it.
  static let keptLength = 1024
  /// The number of new lines between two prunings of the log.
  static let pruningInterval = 256

  private let tracking: ChangeTracking
  private let key: PrimaryKey
  private let target: String
  private let log: String
  private let contentColumns: [String]
  /// The names of the numeric columns, in lower case.
  private let numbers: Set<String>
  /// Whether the table is STRICT: its numeric columns hold only numbers.
  private let isStrict: Bool

  init(_ tracking: ChangeTracking, _ db: Database) throws {
    self.tracking = tracking
    key = try PrimaryKey(table: tracking.table, in: db)
    target = tracking.table.quotedDatabaseIdentifier
    log = tracking.quotedLog
    contentColumns = try tracking.columns(db)
    numbers = try Set(db.columns(in: tracking.table).filter(\.isNumber).map { $0.name.lowercased() })
    isStrict =
      try Bool.fetchOne(
        db, sql: "SELECT strict FROM pragma_table_list WHERE schema = 'main' AND name = ?", arguments: [tracking.table])
      ?? false
  }

  static func name(_ name: String, _ table: String) -> String { "results_\(name)_\(table)" }

  /// Returns the SQL of the triggers, by name.
  func texts(_ db: Database) throws -> [String: String] {
    var result: [String: String] = [:]
    func define(_ name: String, _ event: String, on table: String, _ body: String) {
      let name = Self.name(name, tracking.table)
      result[name] = "CREATE TRIGGER \(name.quotedDatabaseIdentifier) \(event) ON \(table) BEGIN \(body) END"
    }
    let nulls = key.columns.map { _ in "NULL" }.joined(separator: ", ")
    let content = keptContent("OLD.")
    define("inserted", "AFTER INSERT", on: target, line("VALUES (\(nulls), \(keptKey("NEW.")), NULL)"))
    define("updated", "AFTER UPDATE", on: target, line("VALUES (\(keptKeys()), \(content))"))
    define("deleted", "AFTER DELETE", on: target, line("VALUES (\(keptKey("OLD.")), \(nulls), \(content))"))
    define(
      "pruned", "AFTER INSERT", on: "\(log) WHEN NEW.seq % \(Self.pruningInterval) = 0",
      "DELETE FROM \(log) WHERE seq <= NEW.seq - \(tracking.capacity);")

    // The rows that a REPLACE evicts: those with the new row's key, or with its values in another unique key.
    func logEvicted(_ condition: String) -> String {
      line("SELECT \(keptKey("")), \(nulls), \(keptContent("")) FROM \(target) WHERE \(condition)")
    }
    let evictedByKey = logEvicted(key.match)
    var onInsert = [evictedByKey]
    for (index, unique) in try uniqueKeys(db).enumerated() {
      let statement =
        unique.match.map { logEvicted("\($0) AND \(key.differs)") } ?? line("VALUES (\(nulls), \(nulls), NULL)")
      onInsert.append(statement)
      define("evicts_key\(index)_on_update", "BEFORE UPDATE", on: "\(target) WHEN \(unique.changes)", statement)
    }
    define("evicts_on_insert", "BEFORE INSERT", on: target, onInsert.joined(separator: " "))
    // UPDATE OF cannot name a rowid that is not a column.
    let event = key.isHidden ? "BEFORE UPDATE" : "BEFORE UPDATE OF \(key.list())"
    define("evicts_id_on_update", event, on: "\(target) WHEN \(key.changes)", evictedByKey)
    return result
  }

  private func line(_ values: String) -> String {
    "INSERT INTO \(log)(\((key.logColumns + ["old_content"]).joined(separator: ", "))) \(values);"
  }

  /// Returns SQL for the content that the log keeps of a row: NULL if it is too long.
  private func keptContent(_ row: String) -> String {
    let parts = contentColumns.map { "quote(\(row)\($0.quotedDatabaseIdentifier))" }
    let content = parts.isEmpty ? "''" : parts.joined(separator: "||','||")
    let lengths = contentColumns.compactMap { length($0, row + $0.quotedDatabaseIdentifier) }
    guard !lengths.isEmpty else { return content }
    return "CASE WHEN \(lengths.joined(separator: "+"))<=\(Self.keptLength) THEN \(content) END"
  }

  /// Returns SQL for the columns of a row's key: NULLs if it is too long. The line then identifies no row, and any row
  /// may have been written.
  private func keptKey(_ row: String) -> String { keptKey(row, if: isShort(row).map { [$0] } ?? []) }

  /// Returns SQL for the columns of the old and the new key of an update: NULLs if one of the keys is NULL or too long.
  /// With only one of them, the line would be an insertion or a deletion.
  private func keptKeys() -> String {
    let rows = ["OLD.", "NEW."]
    let conditions = rows.flatMap { row in
      [isShort(row)].compactMap(\.self) + key.columns.map { "\(row)\($0.sql) IS NOT NULL" }
    }
    return rows.map { keptKey($0, if: key.isRowID ? [] : conditions) }.joined(separator: ", ")
  }

  private func keptKey(_ row: String, if conditions: [String]) -> String {
    guard !conditions.isEmpty else { return key.list(row) }
    let isKept = conditions.joined(separator: " AND ")
    return key.columns.map { "CASE WHEN \(isKept) THEN \(row)\($0.sql) END" }.joined(separator: ", ")
  }

  /// Returns an SQL condition for a key that is not too long; nil if none is.
  private func isShort(_ row: String) -> String? {
    let lengths = key.isRowID ? [] : key.columns.compactMap { length($0.name, row + $0.sql) }
    return lengths.isEmpty ? nil : "\(lengths.joined(separator: "+"))<=\(Self.keptLength)"
  }

  /// Returns SQL for the length of a value in bytes; nil if the value is never long. A numeric column accepts any text,
  /// unless the table is STRICT.
  private func length(_ column: String, _ value: String) -> String? {
    let length = "coalesce(length(CAST(\(value) AS BLOB)),0)"
    let column = column.lowercased()
    if !numbers.contains(column) { return length }
    let isInteger = key.isRowID && key.columns[0].name.lowercased() == column
    return isStrict || isInteger ? nil : "iif(typeof(\(value)) IN ('text','blob'),\(length),0)"
  }

  /// Returns two SQL conditions for each unique index except the key's: which rows match the new row, and when an
  /// update changes the index's columns. An index on an expression is matched by its plain columns. If it has none, any
  /// row may be evicted: the match is nil, and a line without keys makes readers reread the table.
  private func uniqueKeys(_ db: Database) throws -> [(match: String?, changes: String)] {
    let indexes = try Row.fetchAll(
      db, sql: "SELECT name FROM pragma_index_list(?) WHERE \"unique\" = 1 AND origin <> 'pk'",
      arguments: [tracking.table])
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

extension PrimaryKey {
  /// The log's columns for the key before and the key after a write.
  var logColumns: [String] {
    isRowID
      ? ["old_id", "new_id"] : columns.indices.map { "old_\($0 + 1)" } + columns.indices.map { "new_\($0 + 1)" }
  }

  /// The SQL condition that a row has the new row's key.
  fileprivate var match: String {
    if isRowID { return "\(columns[0].sql) = NEW.\(columns[0].sql)" }
    return columns.map { "\($0.sql) = NEW.\($0.sql) COLLATE \($0.collation.quotedDatabaseIdentifier)" }
      .joined(separator: " AND ")
  }

  /// The SQL condition that a row has another key than the new row.
  fileprivate var differs: String {
    if isRowID { return "\(columns[0].sql) IS NOT NEW.\(columns[0].sql)" }
    let parts = columns.map { "\($0.sql) IS NOT NEW.\($0.sql) COLLATE BINARY" }.joined(separator: " OR ")
    return "(\(parts))"
  }

  /// The SQL condition that an update changes a row's key.
  fileprivate var changes: String {
    if isRowID { return "OLD.\(columns[0].sql) IS NOT NEW.\(columns[0].sql)" }
    return columns.map { "OLD.\($0.sql) IS NOT NEW.\($0.sql) COLLATE BINARY" }.joined(separator: " OR ")
  }
}

extension ColumnInfo {
  /// Whether the declared type gives the column INTEGER or REAL affinity.
  fileprivate var isNumber: Bool {
    let type = type.uppercased()
    return type.contains("INT") || ["REAL", "FLOA", "DOUB"].contains { type.contains($0) }
  }
}
