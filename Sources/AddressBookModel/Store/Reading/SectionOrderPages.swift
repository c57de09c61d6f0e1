import GRDB

/// The rows of all contacts in section order, page by page: each page begins after the key of the last row.
final class SectionOrderPages {
  private let sql: String
  private let size: Int
  private var last: StatementArguments = [-1, DatabaseValue.null, 0]
  private var count = 0
  private var isAtEnd = false

  /// - Parameter columns: columns of `contact`.
  init(columns: [String], size: Int) {
    self.size = max(1, size)
    sql = """
      SELECT \((columns + ["section", "sort_key", "id"]).joined(separator: ", ")) FROM contact
      WHERE deleted_at IS NULL AND (section, sort_key, id) > (?, ?, ?) ORDER BY section, sort_key, id LIMIT ?
      """
  }

  /// The next rows, which begin with the columns; empty after the last.
  func next(_ db: Database) throws -> [Row] {
    let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: last + [size])
    count += rows.count
    isAtEnd = rows.count < size
    if let row = rows.last {
      last = StatementArguments(((row.count - 3)..<row.count).map { row[$0] as DatabaseValue })
    }
    return rows
  }

  /// False when all pages were read and they had not as many rows as the sections count.
  func isComplete(_ db: Database) throws -> Bool {
    guard isAtEnd else { return true }
    return try Int.fetchOne(db, sql: "SELECT total(count) FROM section_count") == count
  }
}
