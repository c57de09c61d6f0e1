import GRDB

/// The statements that read some contacts and their parts side by side, in the order of the ids.
struct ContactSource {
  private let db: Database
  private let scope: ContactCursor.Scope
  /// The ids as a JSON array.
  private let ids: String?

  init(_ db: Database, _ scope: ContactCursor.Scope) {
    self.db = db
    self.scope = scope
    if case .ids(let list) = scope { ids = ContactLoader.json(list) } else { ids = nil }
  }

  func contacts(_ selection: String) throws -> StatementRows {
    if case .living = scope { return try rows(selection + " WHERE deleted_at IS NULL ORDER BY id") }
    return try rows(selection + condition("id") + " ORDER BY id")
  }

  /// Returns the rows of a table of parts in their order, with their contact's id before the columns.
  func parts(_ columns: String, of table: String) throws -> PartCursor {
    try rows("contact_id, " + columns, of: table, order: "contact_id, position, id")
  }

  /// Returns the rows of any table with a `contact_id`, which is the first column.
  func rows(_ columns: String, of table: String, order: String) throws -> PartCursor {
    PartCursor(try rows("SELECT \(columns) FROM \(table)\(condition("contact_id")) ORDER BY \(order)"))
  }

  private func condition(_ column: String) -> String {
    switch scope {
    case .living: ""
    case .ids: " WHERE \(column) IN (SELECT value FROM json_each(?))"
    }
  }

  private func rows(_ sql: String) throws -> StatementRows {
    switch scope {
    // Statements for the whole book run for a long time and are rarely needed, so they are not cached.
    case .living: try StatementRows(db, db.makeStatement(sql: sql))
    case .ids: try StatementRows(db, db.cachedStatement(sql: sql), text: ids)
    }
  }
}
