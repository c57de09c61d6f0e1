import GRDB

/// Prepares the statements that read some contacts and their parts side by side, in the order of the ids.
struct ContactSource {
  private let db: Database
  /// The ids as a JSON array, so that one statement serves any number of them; nil for all contacts.
  private let ids: String?

  init(_ db: Database, _ scope: ContactCursor.Scope) {
    self.db = db
    switch scope {
    case .living: ids = nil
    case .ids(let list): ids = ContactLoader.json(list)
    }
  }

  /// The rows of the contacts.
  func contacts(_ selection: String) throws -> StatementRows {
    try rows(selection + (ids == nil ? " WHERE deleted_at IS NULL" : condition("id")) + " ORDER BY id")
  }

  /// The rows of a table of parts, with their contact's id before the columns.
  func parts(_ columns: String, of table: String) throws -> PartCursor {
    try rows("contact_id, " + columns, of: table, order: "contact_id, position, id")
  }

  /// The rows of any table with a `contact_id`, which is the first column.
  func rows(_ columns: String, of table: String, order: String) throws -> PartCursor {
    PartCursor(try rows("SELECT \(columns) FROM \(table)\(condition("contact_id")) ORDER BY \(order)"))
  }

  private func condition(_ column: String) -> String {
    ids == nil ? "" : " WHERE \(column) IN (SELECT value FROM json_each(?))"
  }

  /// Statements for the whole book run for a long time and are rarely needed, so they are not cached.
  private func rows(_ sql: String) throws -> StatementRows {
    try StatementRows(db, ids == nil ? db.makeStatement(sql: sql) : db.cachedStatement(sql: sql), text: ids)
  }
}
