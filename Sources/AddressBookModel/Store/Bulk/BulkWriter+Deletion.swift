import GRDB

extension BulkWriter {
  /// Deletes a contact, unless it is already deleted. It can be restored.
  public func delete(_ id: Int64) throws { try setDeleted(true, all: [id]) }

  /// Restores a contact, if it is deleted.
  public func restore(_ id: Int64) throws { try setDeleted(false, all: [id]) }

  /// Deletes or restores contacts. Those that are already in that state are skipped.
  /// - Parameter ids: different ids, in ascending order.
  func setDeleted(_ isDeleted: Bool, all ids: [Int64]) throws {
    let asked = IDCondition(ids)
    let changed = try Int64.fetchAll(
      db.cachedStatement(
        sql: "SELECT id FROM contact WHERE id \(asked.sql) AND (deleted_at IS NULL) = ? ORDER BY id"),
      arguments: asked.arguments + [isDeleted])
    guard !changed.isEmpty else { return }
    let contacts = IDCondition(changed)
    try updating(changed) {
      try db.cachedStatement(
        sql: "UPDATE contact SET deleted_at = ?, modified_at = ?, version = version + 1 WHERE id \(contacts.sql)"
      ).execute(arguments: [isDeleted ? moment : nil, moment] + contacts.arguments)
    }
    try recorder?.record(changed, areThere: !isDeleted)
  }
}
