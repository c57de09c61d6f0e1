/// A cursor over the rows of a table of parts, in step with the contacts. The first column is the contact's id.
struct PartCursor {
  private let rows: StatementRows
  private var row: StatementRow?
  /// The contact id of the row. Before the first row, it is less than any id; after the last, it is greater.
  private var head = Int64.min

  init(_ rows: StatementRows) { self.rows = rows }

  func stop() { rows.stop() }

  /// Moves to the rows of a contact. The ids must ascend from call to call.
  /// - Returns: false if the contact has no row that was not read yet.
  mutating func isAt(_ id: Int64) throws -> Bool {
    while head < id { try advance() }
    return head == id
  }

  /// Calls `body` with the rows of a contact. The ids must ascend from call to call.
  mutating func forEachRow(of id: Int64, _ body: (StatementRow) -> Void) throws {
    while head < id { try advance() }
    while head == id, let row {
      body(row)
      try advance()
    }
  }

  private mutating func advance() throws {
    row = try rows.next()
    head = row?.integer(0) ?? .max
  }
}
