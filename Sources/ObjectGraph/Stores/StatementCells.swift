import GRDB

/// The current row of a statement. Its cells are those of GRDB's `Row`, read in a third of the time, because the
/// compiler knows their type.
struct StatementCells {
  private let statement: SQLiteStatement
  /// The number of columns.
  let count: Int

  init(_ statement: Statement) {
    self.statement = statement.sqliteStatement
    count = statement.columnCount
  }

  /// The cell of a column, which must exist.
  subscript(column: Int) -> DatabaseValue { DatabaseValue(sqliteStatement: statement, index: CInt(column)) }

  /// The integer in a column; nil if there is something else.
  func integer(_ column: Int) -> Int64? {
    if case .int64(let integer) = self[column].storage { integer } else { nil }
  }

  /// The text in a column; nil if there is something else.
  func text(_ column: Int) -> String? {
    if case .string(let text) = self[column].storage { text } else { nil }
  }
}

extension Statement {
  /// Steps through the rows.
  func forEachRow(_ arguments: StatementArguments = [], _ body: (StatementCells) throws -> Void) throws {
    let cursor = try Row.fetchCursor(self, arguments: arguments)
    let row = StatementCells(self)
    while try cursor.next() != nil { try body(row) }
  }
}
