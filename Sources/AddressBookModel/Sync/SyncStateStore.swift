import Contacts
import Foundation
import GRDB

struct SyncStateStore {
  private let db: Database
  let folder: Int64

  /// - Parameter path: the real path of the folder; it is added if the book does not have it yet.
  init(_ db: Database, path: String) throws {
    self.db = db
    try db.execute(sql: "INSERT INTO sync_folder (path) VALUES (?) ON CONFLICT DO NOTHING", arguments: [path])
    guard let id = try Int64.fetchOne(db, sql: "SELECT id FROM sync_folder WHERE path = ?", arguments: [path]) else {
      throw StoreError(.other, path: path)
    }
    folder = id
  }

  /// Returns the contact as both sides last had it; nil if there is no such state.
  static func base(_ db: Database, folder: Int64, contact: Int64) throws -> Contact? {
    let data = try Data.fetchOne(
      db.cachedStatement(sql: "SELECT base FROM synced_card WHERE folder_id = ? AND contact_id = ?"),
      arguments: [folder, contact])
    return try data.map { try ContactDelta($0).after(in: Contact()) }
  }

  func name(_ name: String, color: String) throws {
    try db.execute(
      sql: "UPDATE sync_folder SET name = ?1, color = ?2 WHERE id = ?3 AND (name <> ?1 OR color <> ?2)",
      arguments: [name, color, folder])
  }

  /// Stores the result of a pair.
  /// - Parameters:
  ///   - id: the contact.
  ///   - version: its version after the sync.
  func save(_ change: SyncOutcome.StateChange, of id: Int64, version: Int) throws {
    switch change {
    case .none: break
    case .synced(let file, let uid, let digest, let base, let isOpen):
      try db.cachedStatement(
        sql: """
          INSERT INTO synced_card (folder_id, contact_id, file, uid, digest, version, is_open, base)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET file = excluded.file, uid = excluded.uid, digest = excluded.digest,
            version = excluded.version, is_open = excluded.is_open, base = excluded.base
          """
      ).execute(arguments: [
        folder, id, file, uid, digest, version, isOpen, ContactDelta(from: Contact(), to: base.withoutIdentity).data,
      ])
    case .deleted:
      try db.execute(
        sql: "UPDATE synced_card SET base = NULL, is_open = 0 WHERE folder_id = ? AND contact_id = ?",
        arguments: [folder, id])
    case .left:
      try db.execute(
        sql: "DELETE FROM synced_card WHERE folder_id = ? AND contact_id = ?", arguments: [folder, id])
    }
  }

  /// Deletes the rows of contacts that are deleted on both sides and were removed for good.
  func deleteRemoved() throws {
    try db.execute(
      sql: """
        DELETE FROM synced_card WHERE folder_id = ? AND base IS NULL
          AND NOT EXISTS (SELECT 1 FROM contact WHERE id = contact_id)
        """, arguments: [folder])
  }
}

extension Contact {
  fileprivate var withoutIdentity: Contact {
    var contact = self
    contact.uid = ""
    return contact
  }
}
