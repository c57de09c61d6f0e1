import GRDB
import Messages
import ObjectGraph

/// A deleted contact that can be restored.
public struct DeletedContact: Hashable, Sendable, Identifiable {
  /// Its id, which it keeps when it is restored.
  public let id: Int64
  /// Its name as shown in lists.
  public let displayName: String
  /// When it was deleted, ISO 8601 in UTC.
  public let deletedAt: String
  /// The same in local time: `2026-03-01 10:30`.
  public var localTime: String { Timestamp.local(deletedAt) }

  /// The step that deleted it, if that was a merge, a sync or the undo of another step; nil otherwise.
  public fileprivate(set) var cause: EditStep?

  /// Returns how it was deleted, in lower case: `merged into 李小龙`, or just `deleted`.
  public func reason(in localization: Localization) -> String {
    guard let cause else { return localization.text("Change/deleted") }
    if cause.kind == .undo { return localization.text("Change/undone", cause.text(in: localization)) }
    return localization.text("Change/\(cause.name.action.rawValue).deleted", cause.name.subject)
  }

  fileprivate static let selection = "SELECT id, display_name, deleted_at FROM contact WHERE deleted_at IS NOT NULL"

  fileprivate init(_ row: Row) {
    id = row.integer(0)
    displayName = row.text(1)
    deletedAt = row.text(2)
  }
}

/// Deleted contacts: they stay in the book until they are removed for good.
extension AddressBook {
  /// How many days a deleted contact is kept by default.
  public static let trashDays = 30

  /// Calls a closure with each deleted contact, most recently deleted first.
  /// - Parameter body: returns false to stop.
  public func forEachDeleted(_ body: (DeletedContact) throws -> Bool) throws(StoreError) {
    try store.read { db in
      let causes = try Self.causes(db)
      let rows = try Row.fetchCursor(db, sql: "\(DeletedContact.selection) ORDER BY deleted_at DESC, id DESC")
      while let row = try rows.next() {
        var contact = DeletedContact(row)
        contact.cause = causes[contact.id]
        if try !body(contact) { return }
      }
    }
  }

  /// The merges, syncs and undos that deleted contacts, keyed by contact, unless something happened to the contact
  /// since.
  private static func causes(_ db: Database) throws -> [Int64: EditStep] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT \(EditStep.columns), contact_id FROM edit_step JOIN edit_entry AS entry ON step_id = id
        WHERE reversed_by IS NOT id AND (kind = 0 AND action IN ('merge', 'sync') AND subject <> '' OR kind = 1)
          AND NOT is_there AND last_id IS NULL
          AND NOT EXISTS (SELECT 1 FROM edit_entry WHERE contact_id = entry.contact_id AND step_id > id)
        """)
    return Dictionary(rows.map { ($0.integer(9), EditStep($0)) }, uniquingKeysWith: { $1 })
  }

  /// Returns all deleted contacts, most recently deleted first.
  public func allDeleted() throws(StoreError) -> [DeletedContact] {
    var contacts: [DeletedContact] = []
    try forEachDeleted { contact in
      contacts.append(contact)
      return true
    }
    return contacts
  }

  /// Returns those of the given contacts that are deleted, keyed by id.
  public func deleted(ids: [Int64]) throws(StoreError) -> [Int64: DeletedContact] {
    try store.read { db in
      let rows = try Row.fetchAll(
        db, sql: "\(DeletedContact.selection) AND id IN (SELECT value FROM json_each(?))",
        arguments: [ContactLoader.json(ids)])
      return Dictionary(rows.map { ($0.integer(0), DeletedContact($0)) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Returns the number of deleted contacts.
  public func deletedCount() throws(StoreError) -> Int {
    try store.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM contact WHERE deleted_at IS NOT NULL") ?? 0
    }
  }

  /// Removes deleted contacts for good, with their history. Contacts that are not deleted are kept.
  /// - Parameter ids: the contacts to remove; nil for all.
  /// - Returns: how many were removed.
  @discardableResult
  public func emptyTrash(_ ids: [Int64]? = nil) throws(StoreError) -> Int {
    guard let ids else { return try remove("TRUE", []) }
    return try remove("id IN (SELECT value FROM json_each(?))", [ContactLoader.json(ids)])
  }

  /// Removes for good the contacts that were deleted more than this many days ago.
  /// - Returns: how many were removed.
  @discardableResult
  public func emptyTrash(olderThanDays days: Int) throws(StoreError) -> Int {
    try remove("deleted_at < ?", [Timestamp.daysAgo(days)])
  }

  private func remove(_ condition: String, _ arguments: StatementArguments) throws(StoreError) -> Int {
    // Usually there is nothing to remove, and then the write lock is not taken.
    let found = try store.read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM contact WHERE deleted_at IS NOT NULL AND \(condition))",
        arguments: arguments) ?? false
    }
    guard found else { return 0 }
    do {
      return try store.transaction(raisesVersions: true) { db in
        let ids = try Int64.fetchAll(
          db, sql: "SELECT id FROM contact WHERE deleted_at IS NOT NULL AND \(condition)", arguments: arguments)
        try BatchWriter(db, BookModel.tables()).remove("Person", ids)
        try EditHistory.removeNames(db)
        return ids.count
      }
    } catch {
      throw store.storeError(error)
    }
  }
}
