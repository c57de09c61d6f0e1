import GRDB

/// Triggers that increment a version number of a row whenever the row is updated, or a part of it inserted, updated or
/// deleted, by anyone. A ``ChangeTracking`` of that column then also reports changes to parts.
///
/// ```swift
/// try VersionTriggers(table: "contact", parts: [.init(table: "phone", owner: ["contact_id"])]).install(in: db)
/// ```
/// An update that changes the version itself is left alone. If a part moves from one owner to another, both versions
/// are incremented. Parts of parts are not covered, nor are rows that merely refer to the row, nor parts that a REPLACE
/// evicts while `recursive_triggers` is off.
public struct VersionTriggers: Hashable, Sendable {
  /// A table whose rows are parts of others.
  public struct Part: Hashable, Sendable {
    /// The table's name, unquoted.
    public var table: String
    /// The columns that hold the owner's key, in the key's order, unquoted.
    public var owner: [String]

    /// Creates a description of a table whose rows each belong to the row whose key is in the `owner` columns.
    public init(table: String, owner: [String]) {
      self.table = table
      self.owner = owner
    }
  }

  /// The table of the owners, unquoted.
  public var table: String
  /// The column with the version, an integer that grows by one, unquoted.
  public var version: String
  /// The tables of parts.
  public var parts: [Part]
  /// An SQL condition that suspends the triggers, for writers that increment versions themselves and record this
  /// in the database. It is evaluated for every written row.
  public var pause: String?

  /// Creates triggers for a table and its parts; ``install(in:)`` adds them to a database.
  public init(table: String, version: String = "version", parts: [Part], pause: String? = nil) {
    self.table = table
    self.version = version
    self.parts = parts
    self.pause = pause
  }

  /// Creates the triggers, and replaces those of the table whose text differs.
  ///
  /// Throws `unknownTable`, `unknownColumn` (also if a part does not hold the owner's whole key), `noRowID` or the
  /// database's error.
  public func install(in db: Database) throws {
    for (name, sql) in try statements(in: db).sorted(by: { $0.key < $1.key }) {
      let present = try String.fetchOne(
        db, sql: "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?", arguments: [name])
      if present == sql { continue }
      try db.execute(sql: "DROP TRIGGER IF EXISTS \(name.quotedDatabaseIdentifier)")
      try db.execute(sql: sql)
    }
  }

  /// Drops the triggers; versions stay as they are. Throws the same as ``install(in:)``.
  public func uninstall(in db: Database) throws {
    for name in try statements(in: db).keys {
      try db.execute(sql: "DROP TRIGGER IF EXISTS \(name.quotedDatabaseIdentifier)")
    }
  }

  /// Returns the SQL of the triggers, by name. Throws the same as ``install(in:)``.
  public func statements(in db: Database) throws -> [String: String] {
    let key = try PrimaryKey(table: table, in: db)
    try check([version], of: table, db)
    let column = version.quotedDatabaseIdentifier
    var result: [String: String] = [:]
    func define(_ name: String, _ event: String, on table: String, when: [String] = [], _ body: String) {
      let conditions = when + (pause.map { ["NOT (\($0))"] } ?? [])
      let condition = conditions.isEmpty ? "" : "\nWHEN \(conditions.joined(separator: " AND "))"
      let name = "version_\(name)_of_\(self.table)"
      result[name] = """
        CREATE TRIGGER \(name.quotedDatabaseIdentifier) AFTER \(event) ON \(table.quotedDatabaseIdentifier)\(condition) \
        BEGIN \(body) END
        """
    }
    define(
      "updated", "UPDATE", on: table, when: ["NEW.\(column) IS OLD.\(column)"],
      raise(matching(key, key.columns.map { ["NEW.\($0.sql)"] })))
    for part in parts {
      guard part.owner.count == key.columns.count else {
        throw ChangeLogError.unknownColumn(
          key.columns[min(part.owner.count, key.columns.count - 1)].name, table: part.table)
      }
      try check(part.owner, of: part.table, db)
      let owner = part.owner.map(\.quotedDatabaseIdentifier)
      define("inserted_\(part.table)", "INSERT", on: part.table, raise(matching(key, owner.map { ["NEW.\($0)"] })))
      define("deleted_\(part.table)", "DELETE", on: part.table, raise(matching(key, owner.map { ["OLD.\($0)"] })))
      define(
        "updated_\(part.table)", "UPDATE", on: part.table,
        raise(matching(key, owner.map { ["OLD.\($0)", "NEW.\($0)"] })))
    }
    return result
  }

  private func check(_ columns: [String], of table: String, _ db: Database) throws {
    guard try db.tableExists(table) else { throw ChangeLogError.unknownTable(table) }
    let known = try Set(db.columns(in: table).map { $0.name.lowercased() })
    for column in columns where !known.contains(column.lowercased()) {
      throw ChangeLogError.unknownColumn(column, table: table)
    }
  }

  private func raise(_ condition: String) -> String {
    let column = version.quotedDatabaseIdentifier
    return "UPDATE \(table.quotedDatabaseIdentifier) SET \(column) = \(column) + 1 WHERE \(condition);"
  }

  /// Returns the condition that the key equals the first values of its columns or, if there are two, the second ones.
  private func matching(_ key: PrimaryKey, _ values: [[String]]) -> String {
    if key.columns.count == 1 {
      let list = values[0]
      return key.columns[0].sql + (list.count == 1 ? " = \(list[0])" : " IN (\(list.joined(separator: ", ")))")
    }
    let rows = values[0].indices.map { index in
      zip(key.columns, values).map { "\($0.sql) = \($1[index])" }.joined(separator: " AND ")
    }
    return rows.count == 1 ? rows[0] : rows.map { "(\($0))" }.joined(separator: " OR ")
  }
}
