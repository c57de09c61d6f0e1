import GRDB
import GRDBSQLite

/// A statement that writes rows, for one transaction. Its values are bound in place: making GRDB's arguments of them
/// costs more than the write.
struct RowStatement {
  private let statement: Statement

  init(_ db: Database, _ sql: String) throws {
    statement = try db.cachedStatement(sql: sql)
    // GRDB only executes a statement whose arguments it knows.
    statement.setUncheckedArguments(StatementArguments())
  }

  /// Executes the statement with the values that `bind` binds, one for each parameter.
  func execute(_ bind: (inout Binding) throws -> Void) throws {
    let handle = statement.sqliteStatement
    sqlite3_reset(handle)
    // The last row may be large.
    defer { sqlite3_clear_bindings(handle) }
    var binding = Binding(handle)
    try bind(&binding)
    try statement.execute()
  }

  /// Executes a statement whose parameters are numbers.
  func execute(_ numbers: Int64...) throws {
    try execute { row in for number in numbers { try row.bind(number) } }
  }

  /// The parameters of one execution, in their order.
  struct Binding {
    private let handle: SQLiteStatement
    private var index: CInt = 0
    /// Makes SQLite copy the bytes.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    fileprivate init(_ handle: SQLiteStatement) { self.handle = handle }

    mutating func bind(_ number: Int64?) throws {
      index += 1
      try check(number.map { sqlite3_bind_int64(handle, index, $0) } ?? sqlite3_bind_null(handle, index))
    }

    /// - Throws: `StoreFailure` for a string that has no number, and for a date outside the years 0 to 9999.
    mutating func bind(_ value: Value, _ form: MappedColumn.Form = .plain) throws {
      index += 1
      switch (form, value) {
      case (.names(let names), .string(let text)):
        guard let number = names.first(where: { $0.value == text })?.key else {
          throw StoreFailure(reason: .other, description: "a string that has no number in the mapping")
        }
        try check(sqlite3_bind_int64(handle, index, number))
      case (.timestamp, .date(let date)):
        guard let text = FormatDate.text(date) else {
          throw StoreFailure(reason: .other, description: "a date outside the years 0 to 9999")
        }
        try bind(text)
      case (_, .string(let text)): try bind(text)
      default: try check(value.databaseValue.bind(to: handle, at: index))
      }
    }

    private func bind(_ text: String) throws {
      var text = text
      try check(
        text.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            sqlite3_bind_text(handle, index, $0.baseAddress, CInt(clamping: $0.count), Self.transient)
          }
        })
    }

    private func check(_ code: CInt) throws {
      guard code != SQLITE_OK else { return }
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
  }
}
