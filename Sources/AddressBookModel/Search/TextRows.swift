import GRDB
import GRDBSQLite

/// The rows of a statement, one at a time, decoded by the number of a column: an index reads millions of them.
final class TextRows {
  private let db: Database
  private let statement: Statement

  /// The rows of a query without arguments.
  init(_ db: Database, _ sql: String) throws {
    self.db = db
    statement = try db.makeStatement(sql: sql)
  }

  deinit { sqlite3_reset(statement.sqliteStatement) }

  /// Goes to the next row; false after the last.
  func next() throws -> Bool {
    switch sqlite3_step(statement.sqliteStatement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage, sql: statement.sql)
    }
  }

  /// An integer; 0 for NULL.
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement.sqliteStatement, column) }

  /// Whether a text is empty or NULL.
  func isEmpty(_ column: Int32) -> Bool {
    guard let text = sqlite3_column_text(statement.sqliteStatement, column) else { return true }
    return text.pointee == 0
  }

  /// The texts that are not empty, with blanks between them.
  func joined(_ columns: ClosedRange<Int32>) -> String {
    var text = ""
    for column in columns where !isEmpty(column) {
      if !text.isEmpty { text += " " }
      text += self.text(column)
    }
    return text
  }

  /// A text up to its first NUL, as GRDB decodes it; empty for NULL.
  func text(_ column: Int32) -> String {
    sqlite3_column_text(statement.sqliteStatement, column).map { String(cString: $0) } ?? ""
  }
}
