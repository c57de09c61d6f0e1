import GRDB
import GRDBSQLite

/// Reads from the log of a table which rows were written since a cursor. Everything is read in the caller's
/// transaction, so the result is consistent with what the caller reads from the table.
///
/// ```swift
/// let reader = try ChangeLogReader(ChangeTracking(table: "player"), in: db)
/// switch try reader?.changes(since: cursor, in: db) {
/// case .rows(let inserted, let updated, let deleted, let next)?: …
/// case .lost(let next)?: … // reread the whole table
/// case nil: … // no triggers
/// }
/// ```
public struct ChangeLogReader: Sendable {
  /// The triggers that fill the log.
  public let tracking: ChangeTracking
  /// The columns that identify the table's rows.
  public let key: PrimaryKey

  /// Creates a reader of the log of a tracking, or of the installed tracking if that keeps more. Nil if the triggers
  /// are missing, keep less or no longer fit the table. Throws the database's error.
  public init?(_ tracking: ChangeTracking, in db: Database) throws {
    guard let installed = try tracking.installed(in: db) else { return nil }
    try self.init(installed: installed, in: db)
  }

  private init(installed tracking: ChangeTracking, in db: Database) throws {
    self.tracking = tracking
    key = try PrimaryKey(table: tracking.table, in: db)
  }

  /// Creates a reader of a log that the caller knows to exist, of a table with an `INTEGER PRIMARY KEY`. Does not query
  /// the database.
  package init(installed tracking: ChangeTracking, rowID: String) {
    self.tracking = tracking
    key = PrimaryKey(rowID: rowID)
  }

  /// Returns the position of the most recent line, even if it was removed.
  public func cursor(in db: Database) throws -> LogCursor {
    let statement = try db.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = ?")
    return LogCursor(line: try Int64.fetchOne(statement, arguments: [tracking.logTable]) ?? 0)
  }

  /// Returns the rows that were written since a cursor, even if they are unchanged now, and their previous content.
  public func writes(since cursor: LogCursor, in db: Database) throws -> LoggedWrites {
    var rows: [RowKey: EarlierRow] = [:]
    let reading = try readLines(since: cursor, in: db) { line in
      if let key = line.oldKey, rows[key] == nil { rows[key] = line.earlier }
      if let key = line.newKey, rows[key] == nil { rows[key] = .absent }
    }
    switch reading {
    case .nothing: return .rows([:], cursor: cursor)
    case .read(let last): return .rows(rows, cursor: last)
    case .lost(let last): return .lost(cursor: last)
    }
  }

  /// Returns the rows that were inserted, updated and deleted since a cursor.
  public func changes(since cursor: LogCursor, in db: Database) throws -> TableChanges {
    switch try writes(since: cursor, in: db) {
    case .lost(let last): return .lost(cursor: last)
    case .rows(let rows, let last):
      let present = rows.isEmpty ? [:] : try contents(since: cursor, in: db)
      var (inserted, updated, deleted): (Set<RowKey>, Set<RowKey>, Set<RowKey>) = ([], [], [])
      for (key, earlier) in rows {
        switch (earlier, present[key]) {
        case (.absent, nil): break
        case (.absent, _?): inserted.insert(key)
        case (_, nil): deleted.insert(key)
        case (.content(let before), let now?) where before == now: break
        case (_, _?): updated.insert(key)
        }
      }
      return .rows(inserted: inserted, updated: updated, deleted: deleted, cursor: last)
    }
  }

  /// Returns the fingerprints of the rows that were written since a cursor and still exist.
  private func contents(since cursor: LogCursor, in db: Database) throws -> [RowKey: UInt64] {
    let content = try tracking.contentSQL(db, row: "t.")
    let sql = """
      SELECT \(key.list("t.")), \(content) FROM (\(writtenKeysSQL(after: "?1"))) CROSS JOIN \
      \(tracking.table.quotedDatabaseIdentifier) AS t ON \(joinSQL("t."))
      """
    var contents: [RowKey: UInt64] = [:]
    let count = Int32(key.columns.count)
    try LogLines.forEach(db, sql: sql, arguments: [cursor.line]) { row in
      guard let key = RowKey(row, from: 0, count: count) else { return }
      contents[key] = LogLines.digest(row, count) ?? 0
    }
    return contents
  }

  // MARK: Lines

  package enum Reading {
    /// Nothing was written.
    case nothing
    /// All lines were read.
    case read(LogCursor)
    /// Lines are missing, the log ends before the cursor, or a line does not identify a row.
    case lost(LogCursor)
  }

  /// Reads the lines after a cursor, oldest first. If lines were lost, discard what the closure has collected.
  package func readLines(
    since cursor: LogCursor, in db: Database, _ body: (LogLine) throws -> Void
  ) throws -> Reading {
    let last = try self.cursor(in: db)
    if last == cursor { return .nothing }
    let distance = last.line.subtractingReportingOverflow(cursor.line)
    let limit = Int64(tracking.capacity) + Int64(TrackingTriggers.pruningInterval)
    if last < cursor || distance.overflow || distance.partialValue > limit { return .lost(last) }
    var lines: Int64 = 0
    var isBlind = false
    let columns = key.logColumns.joined(separator: ", ")
    try LogLines.forEach(
      db, sql: "SELECT \(columns), old_content FROM \(tracking.quotedLog) WHERE seq > ? ORDER BY seq",
      arguments: [cursor.line]
    ) { statement in
      lines += 1
      let line = LogLine(statement: statement, columns: Int32(key.columns.count))
      if line.isBlind { isBlind = true } else if !isBlind { try body(line) }
    }
    // AUTOINCREMENT leaves no gaps: fewer lines than numbers means that lines were removed.
    return isBlind || lines < distance.partialValue ? .lost(last) : .read(last)
  }

  /// Returns a query of the keys in the log after a line, as `results_key1` and so on.
  package func writtenKeysSQL(after line: String) -> String {
    let count = key.columns.count
    let (old, new) = (key.logColumns[..<count], key.logColumns[count...])
    let named = zip(1..., old).map { "\($1) AS results_key\($0)" }.joined(separator: ", ")
    return "SELECT \(named) FROM \(tracking.quotedLog) WHERE seq > \(line) UNION "
      + "SELECT \(new.joined(separator: ", ")) FROM \(tracking.quotedLog) WHERE seq > \(line)"
  }

  /// Returns the condition that joins a table with ``writtenKeysSQL(after:)``; `row` is a prefix such as `t.`.
  package func joinSQL(_ row: String = "") -> String {
    zip(1..., key.columns).map { "\(row)\($1.sql) = results_key\($0)" }.joined(separator: " AND ")
  }
}

/// A position in the log of a table: how far it was read. It may be saved and used by another process.
///
/// A log that is created again after it was dropped starts at another number, so an old cursor is not mistaken for one
/// into the new log. A cursor cannot detect that a file was restored from a copy and written since: if you keep a
/// cursor outside of the database, keep something with it that identifies the file.
public struct LogCursor: Hashable, Sendable, Codable, Comparable {
  /// The number of the last line that was read; 0 for none.
  public let line: Int64

  /// Creates a cursor from a saved position.
  public init(line: Int64) { self.line = line }

  /// Orders cursors from old to new.
  public static func < (left: LogCursor, right: LogCursor) -> Bool { left.line < right.line }
}

/// Why a table cannot be tracked. SQLite's own errors are thrown as GRDB's `DatabaseError`.
public enum ChangeLogError: Error, Sendable, Hashable {
  /// The database has no such table. Views cannot be tracked.
  case unknownTable(String)
  /// The table has no such column, or its rows do not hold this column of their owner's key.
  case unknownColumn(String, table: String)
  /// Columns of the table use all of SQLite's names for the rowid: `rowid`, `oid` and `_rowid_`.
  case noRowID(table: String)
}

/// A row's content before the first reported write.
public enum EarlierRow: Hashable, Sendable {
  /// There was no such row.
  case absent
  /// The row existed, but was too long for the log to keep its content.
  case unknown
  /// The row's content had this fingerprint, which is only comparable within this process.
  case content(UInt64)
}

/// The rows that the log lists since a cursor.
public enum LoggedWrites: Hashable, Sendable {
  /// All rows that were written, each with its previous content. A row that a write might have replaced is among them,
  /// even if it stayed.
  case rows([RowKey: EarlierRow], cursor: LogCursor)
  /// The log does not reach back that far, ends before the old cursor, or has a line that does not identify a row: any
  /// row may have been written. Reread the table, and continue from the new cursor.
  case lost(cursor: LogCursor)
}

/// The changes to a table since a cursor.
public enum TableChanges: Hashable, Sendable {
  /// New, changed and deleted rows. The sets are disjoint. Rows that were inserted and deleted again, or whose content
  /// is the same as before, are in none. A row that still exists counts as updated if the log did not keep its content.
  case rows(inserted: Set<RowKey>, updated: Set<RowKey>, deleted: Set<RowKey>, cursor: LogCursor)
  /// The log does not reach back that far, ends before the old cursor, or has a line that does not identify a row: any
  /// row may have been written. Reread the table, and continue from the new cursor.
  case lost(cursor: LogCursor)
}

/// Steps through the rows of a query of a log. In this module, only this file and ``RowKey`` call SQLite's C interface:
/// a log can have tens of thousands of lines, too many to decode each as a `Row`.
enum LogLines {
  static func forEach(
    _ db: Database, sql: String, arguments: StatementArguments, _ body: (OpaquePointer) throws -> Void
  ) throws {
    let statement = try db.cachedStatement(sql: sql)
    try statement.setArguments(arguments)
    defer { sqlite3_reset(statement.sqliteStatement) }
    try withExtendedLifetime(statement) {
      while true {
        switch sqlite3_step(statement.sqliteStatement) {
        case SQLITE_ROW: try body(statement.sqliteStatement)
        case SQLITE_DONE: return
        case let code:
          throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage, sql: sql)
        }
      }
    }
  }

  /// Returns a fingerprint of a column's bytes; nil for NULL.
  static func digest(_ statement: OpaquePointer, _ column: Int32) -> UInt64? {
    guard let text = sqlite3_column_text(statement, column) else { return nil }
    var hasher = Hasher()
    hasher.combine(
      bytes: UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column))))
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}

/// One line of a log: the old and the new key of the row, and its previous content.
package struct LogLine {
  let statement: OpaquePointer
  let columns: Int32

  /// The row's number before the write, in a table whose key is the rowid; nil if there was no row.
  package var oldInteger: Int64? { integer(0) }
  /// The row's number after the write, in a table whose key is the rowid; nil if there is no row.
  package var newInteger: Int64? { integer(columns) }
  /// Nil if there was no row.
  package var oldKey: RowKey? { RowKey(statement, from: 0, count: columns) }
  /// Nil if there is no row.
  package var newKey: RowKey? { RowKey(statement, from: columns, count: columns) }
  /// The content of the row before the write.
  package var earlier: EarlierRow {
    LogLines.digest(statement, 2 * columns).map { .content($0) } ?? .unknown
  }

  private func integer(_ column: Int32) -> Int64? {
    sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
  }

  /// Whether the line identifies no row, or only part of its key: then any row may have been written.
  var isBlind: Bool {
    var (old, new) = (0, 0)
    for column in 0..<columns {
      if sqlite3_column_type(statement, column) != SQLITE_NULL { old += 1 }
      if sqlite3_column_type(statement, columns + column) != SQLITE_NULL { new += 1 }
    }
    return old + new == 0 || (old > 0 && old < columns) || (new > 0 && new < columns)
  }
}
