import GRDB
import GRDBSQLite

/// A prepared `INSERT` of a bulk write. It binds values in place: copying them, or converting each to a GRDB value,
/// costs more than the insert.
struct BulkInsertion {
  private let db: Database
  private let statement: Statement

  /// - Parameter suffix: what follows the values.
  init(_ db: Database, _ table: String, _ columns: [String], suffix: String = "") throws {
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    self.db = db
    statement = try db.makeStatement(
      sql: "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))\(suffix)")
  }

  /// Inserts a row.
  /// - Parameters:
  ///   - key: the value of the first column; nil if the values begin with it.
  ///   - values: the values of the other columns.
  ///   - bytes: the texts and blobs of the values.
  func run(_ key: Int64?, _ values: ArraySlice<BoundValue>, _ bytes: UnsafeRawBufferPointer) throws {
    let handle = statement.sqliteStatement
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    var column: Int32 = 1
    if let key {
      try check(sqlite3_bind_int64(handle, column, key), SQLITE_OK)
      column += 1
    }
    for value in values {
      try check(bind(value, handle, column, bytes), SQLITE_OK)
      column += 1
    }
    try check(sqlite3_step(handle), SQLITE_DONE)
  }

  private func bind(
    _ value: BoundValue, _ handle: OpaquePointer, _ column: Int32, _ bytes: UnsafeRawBufferPointer
  ) -> Int32 {
    // The bytes stay where they are until the row is inserted, so SQLite needs no destructor for them.
    switch value {
    case .null: sqlite3_bind_null(handle, column)
    case .integer(let integer): sqlite3_bind_int64(handle, column, integer)
    case .text(let start, let count):
      sqlite3_bind_text(
        handle, column, bytes.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self), count, nil)
    case .blob(let start, let count):
      sqlite3_bind_blob(handle, column, bytes.baseAddress?.advanced(by: start), count, nil)
    }
  }

  private func check(_ code: Int32, _ expected: Int32) throws {
    guard code != expected else { return }
    throw DatabaseError(
      resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage, sql: statement.sql)
  }
}
