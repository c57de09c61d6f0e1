import Contacts
import GRDB

/// Reads contacts before they are changed.
extension BulkWriter {
  /// How many contacts are changed by one statement.
  static let batch = 4000
  /// How many contacts are decoded together.
  static let decodedBatch = 500

  /// Reads a few hundred contacts that are about to be changed, with one query per table instead of one per table and
  /// contact. A contact is kept until it is written or others are read.
  func readAhead(_ ids: [Int64]) throws {
    ahead.removeAll(keepingCapacity: true)
    for stored in try ContactLoader(db).loadStored(ids) { ahead[stored.contact.id] = stored }
  }

  /// Reads contacts ahead in batches, and changes each with ``change(_:_:)``.
  func change(_ ids: [Int64], _ change: (inout Contact) throws -> Void) throws {
    for some in ids.batches(of: Self.decodedBatch) {
      try readAhead(some)
      for id in some { try self.change(id, change) }
    }
  }

  /// Reads the states of many contacts with one query. A state is kept until its contact is written or others are read.
  func readStates(_ ids: [Int64]) throws {
    states.removeAll(keepingCapacity: true)
    let rows = try StatementRows(
      db,
      db.cachedStatement(
        sql: """
          SELECT id, version, deleted_at IS NOT NULL FROM contact WHERE id IN (SELECT value FROM json_each(?))
          """), text: ContactLoader.json(ids))
    defer { rows.stop() }
    while let row = try rows.next() { states[row.integer(0)] = (row.number(1), row.integer(2) != 0) }
  }
}
