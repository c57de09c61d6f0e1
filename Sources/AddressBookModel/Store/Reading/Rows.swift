import Foundation
import GRDB
import GRDBSQLite
import Glibc

/// The current row of a statement. Values are read directly from SQLite; ``withText(_:_:)`` and ``withBytes(_:_:)`` do
/// not copy them.
///
/// After damage, the type of a value may not be that of the schema. The methods then return a converted or an empty
/// value.
package struct StatementRow {
  fileprivate let handle: OpaquePointer

  /// Returns the integer of a column; 0 for anything else.
  package func integer(_ column: Int) -> Int64 {
    let column = Int32(truncatingIfNeeded: column)
    return sqlite3_column_type(handle, column) == SQLITE_INTEGER ? sqlite3_column_int64(handle, column) : 0
  }

  /// Returns ``integer(_:)`` as an `Int`.
  package func number(_ column: Int) -> Int { Int(truncatingIfNeeded: integer(column)) }

  /// Returns the text of a column up to its first NUL, as GRDB reads it; empty for NULL.
  package func text(_ column: Int) -> String { filledText(column) ?? "" }

  /// Returns ``text(_:)``; nil if it is empty.
  func filledText(_ column: Int) -> String? {
    guard let start = sqlite3_column_text(handle, Int32(truncatingIfNeeded: column)), start.pointee != 0 else {
      return nil
    }
    return String(cString: start)
  }

  /// Appends the bytes of ``text(_:)``, without repairing invalid UTF-8.
  package func append(_ column: Int, to bytes: inout [UInt8]) { withText(column) { bytes.append(contentsOf: $0) } }

  /// Appends the texts of columns that are not empty, joined with blanks, without repairing invalid UTF-8.
  package func append(joined columns: ClosedRange<Int>, to bytes: inout [UInt8]) {
    let start = bytes.count
    for column in columns {
      withText(column) { text in
        guard !text.isEmpty else { return }
        if bytes.count > start { bytes.append(UInt8(ascii: " ")) }
        bytes.append(contentsOf: text)
      }
    }
  }

  /// Returns the bytes of a column, of whatever type; none for NULL.
  func bytes(_ column: Int) -> [UInt8] { withBytes(column) { Array($0) } }

  /// Whether ``text(_:)`` is empty.
  package func isEmpty(_ column: Int) -> Bool {
    guard let start = sqlite3_column_text(handle, Int32(truncatingIfNeeded: column)) else { return true }
    return start.pointee == 0
  }

  func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
  }

  /// Calls `body` with the bytes of ``text(_:)``, without repairing invalid UTF-8.
  package func withText<Result>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let start = sqlite3_column_text(handle, Int32(truncatingIfNeeded: column))
    return body(
      UnsafeBufferPointer(
        start: start, count: start.map { strlen(UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)) } ?? 0))
  }

  /// Calls `body` with the bytes of a column, of whatever type; none for NULL.
  package func withBytes<Result>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let column = Int32(truncatingIfNeeded: column)
    // Call these two in this order, because the conversion to text may change the number of bytes.
    let start = sqlite3_column_text(handle, column)
    return body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))))
  }
}

/// A cursor over the rows of a statement. It resets the statement at its end: until then, the connection keeps the
/// snapshot that the statement reads.
package final class StatementRows {
  private let db: Database
  private let statement: Statement
  private let handle: OpaquePointer

  /// - Parameters:
  ///   - statement: a statement that no one else is stepping through.
  ///   - text: its only argument, if that is a text.
  ///   - integers: its only arguments, if they are integers.
  package init(_ db: Database, _ statement: Statement, text: String? = nil, integers: [Int64] = []) throws {
    self.db = db
    self.statement = statement
    handle = statement.sqliteStatement
    sqlite3_reset(handle)
    for (index, integer) in integers.enumerated() {
      try check(sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: index + 1), integer), SQLITE_OK)
    }
    guard let text else { return }
    // SQLITE_TRANSIENT: SQLite keeps a copy.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    try check(sqlite3_bind_text(handle, 1, text, -1, copied), SQLITE_OK)
  }

  deinit { sqlite3_reset(handle) }

  /// Returns the next row, which is valid until the one after it is read; nil after the last.
  package func next() throws -> StatementRow? {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return StatementRow(handle: handle) }
    sqlite3_reset(handle)
    try check(code, SQLITE_DONE)
    return nil
  }

  private func check(_ code: Int32, _ expected: Int32) throws {
    guard code != expected else { return }
    throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage, sql: statement.sql)
  }
}

/// Values of rows whose types, after damage, may not be those of the schema. GRDB's own subscripts would then trap.
extension Row {
  /// Returns the text of a column; empty for NULL.
  package func text(_ index: Int) -> String { (self[index] as DatabaseValue).anyText }

  /// Returns the text of a column; nil for NULL.
  package func optionalText(_ index: Int) -> String? { (self[index] as DatabaseValue).isNull ? nil : text(index) }

  /// Returns the number of a column, rounded toward zero; 0 for anything else.
  package func integer(_ index: Int) -> Int64 { Int64.fromDatabaseValue(self[index]) ?? 0 }

  /// Returns ``integer(_:)`` as an `Int`.
  package func number(_ index: Int) -> Int { Int(truncatingIfNeeded: integer(index)) }

  /// Returns the bytes of a column, of whatever type; none for NULL.
  package func data(_ index: Int) -> Data { Data(bytes(index)) }

  /// Returns the bytes of a column; none for NULL.
  package func bytes(_ index: Int) -> [UInt8] {
    switch (self[index] as DatabaseValue).storage {
    case .blob(let data): Array(data)
    default: Array(text(index).utf8)
    }
  }
}

extension DatabaseValue {
  fileprivate var anyText: String {
    switch storage {
    case .string(let text): text
    case .blob(let data): String(decoding: data, as: UTF8.self)
    case .int64(let number): String(number)
    case .double(let number): String(number)
    case .null: ""
    }
  }
}
