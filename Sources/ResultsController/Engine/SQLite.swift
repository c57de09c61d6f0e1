import ChangeLog
import GRDB
import GRDBSQLite

/// The only file of the module that calls SQLite's C interface: the index has too many rows to decode each as a `Row`.
enum SQLite {
  /// The collation of a column as declared; nil when the table has no such column.
  static func collation(ofColumn column: String, table: String, _ db: Database) -> String? {
    var name: UnsafePointer<CChar>?
    // SQLite also accepts `rowid`, with the collation BINARY, if the table declares no such column.
    guard sqlite3_table_column_metadata(db.sqliteConnection, nil, table, column, nil, &name, nil, nil, nil) == SQLITE_OK
    else { return nil }
    return name.map { String(cString: $0) } ?? "BINARY"
  }

  /// A number that changes with each change to the schema, by anyone.
  static func schemaVersion(_ db: Database) throws -> Int32 {
    try Int32.fetchOne(db.cachedStatement(sql: "PRAGMA schema_version")) ?? 0
  }

  /// Steps through a statement's rows. A canceled run throws `ResultsError.cancelled`, even while SQLite is searching
  /// for the next row.
  ///
  /// - Parameters:
  ///   - isRepeated: Whether the same SQL will run again, so that the statement is cached. `body` must not run it too.
  ///   - body: Takes a row; returns false to end the run.
  /// - Returns: False if `body` ended the run.
  static func stepRows(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    cancellation: Cancellation? = nil, isRepeated: Bool = false, _ body: (RawRow) throws -> Bool
  ) throws -> Bool {
    let statement = try isRepeated ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql)
    try statement.setArguments(arguments)
    if let cancellation {
      if cancellation.isCancelled { throw ResultsError.cancelled }
      sqlite3_progress_handler(
        db.sqliteConnection, 4096,
        { context in
          guard let context else { return 0 }
          return Unmanaged<Cancellation>.fromOpaque(context).takeUnretainedValue().isCancelled ? 1 : 0
        }, Unmanaged.passUnretained(cancellation).toOpaque())
    }
    defer {
      if cancellation != nil { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
      sqlite3_reset(statement.sqliteStatement)
    }
    let row = RawRow(statement: statement.sqliteStatement)
    return try withExtendedLifetime((statement, cancellation)) {
      while true {
        switch sqlite3_step(statement.sqliteStatement) {
        case SQLITE_ROW: if try !body(row) { return false }
        case SQLITE_DONE: return true
        case let code:
          if code & 0xFF == SQLITE_INTERRUPT, cancellation?.isCancelled == true { throw ResultsError.cancelled }
          throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage, sql: sql)
        }
      }
    }
  }

  static func forEachRow(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    cancellation: Cancellation? = nil, isRepeated: Bool = false, _ body: (RawRow) throws -> Void
  ) throws {
    _ = try stepRows(
      db, sql: sql, arguments: arguments, cancellation: cancellation, isRepeated: isRepeated
    ) { row in
      try body(row)
      return true
    }
  }
}

/// The current row of a statement.
struct RawRow {
  enum Kind { case null, integer, real, text, blob }

  fileprivate let statement: OpaquePointer

  @inline(__always)
  func kind(_ column: Int32) -> Kind {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  @inline(__always)
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  @inline(__always)
  func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

  /// The bytes of text (UTF-8) or a blob, valid until the next step.
  @inline(__always)
  func bytes(_ column: Int32, _ kind: Kind) -> UnsafeBufferPointer<UInt8> {
    let start: UnsafePointer<UInt8>?
    if kind == .text {
      start = sqlite3_column_text(statement, column)
    } else {
      start = sqlite3_column_blob(statement, column)?.assumingMemoryBound(to: UInt8.self)
    }
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  /// The column as a section's identity.
  func sectionValue(_ column: Int32) -> SectionValue {
    let kind = kind(column)
    switch kind {
    case .null: return .null
    case .integer: return .integer(integer(column))
    case .real:
      let value = real(column)
      return Int64(exactly: value).map { .integer($0) } ?? .real(value)
    case .text: return .text(String(decoding: bytes(column, kind), as: UTF8.self))
    case .blob: return .blob(Array(bytes(column, kind)))
    }
  }

  /// A fingerprint of the column's bytes, comparable only within this process.
  func digest(_ column: Int32) -> UInt64 {
    let kind = kind(column)
    guard kind != .null else { return 0 }
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes(column, kind)))
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// The first columns as a primary key; nil when one of them is NULL.
  func key(_ count: Int32) -> RowKey? { RowKey(statement, from: 0, count: count) }
}
