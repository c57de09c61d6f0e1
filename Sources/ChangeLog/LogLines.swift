import GRDB
import GRDBSQLite

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
