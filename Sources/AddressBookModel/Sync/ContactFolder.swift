import GRDB

/// A folder of vCards that a book is synced with: some of its contacts, with a name and a color.
public struct ContactFolder: Hashable, Sendable, Identifiable {
  /// Its id in the book.
  public let id: Int64
  /// Its real path.
  public let path: String
  /// Its name: the content of `displayname` in the folder, or the last part of the path.
  public let name: String
  /// `#RRGGBB`, the content of `color` in the folder; empty if there is none.
  public let color: String
  /// The number of its contacts.
  public let count: Int

  /// The name of a folder from its path and the name that it gave itself.
  fileprivate static func name(_ row: Row) -> String {
    row.text(1).isEmpty ? Folder.split(row.text(0)).name : row.text(1)
  }
}

extension AddressBook {
  /// The folders that the book was synced with, by name.
  public func folders() throws(StoreError) -> [ContactFolder] {
    try store.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT f.path, f.name, f.color, f.id,
            (SELECT count(*) FROM synced_card s JOIN contact c ON c.id = s.contact_id AND c.deleted_at IS NULL
             WHERE s.folder_id = f.id AND s.is_leaving = 0)
          FROM sync_folder f WHERE f.path <> '' ORDER BY f.name, f.id
          """
      ).map { row in
        ContactFolder(
          id: row.integer(3), path: row.text(0), name: ContactFolder.name(row), color: row.text(2), count: row.number(4)
        )
      }
    }
  }

  /// The ids of the contacts in a folder.
  public func memberIDs(ofFolder id: Int64) throws(StoreError) -> [Int64] {
    try store.read { db in
      try Int64.fetchAll(
        db,
        sql: """
          SELECT c.id FROM synced_card s JOIN contact c ON c.id = s.contact_id AND c.deleted_at IS NULL
          WHERE s.folder_id = ? AND s.is_leaving = 0 ORDER BY c.section, c.sort_key, c.id
          """, arguments: [id])
    }
  }

  /// The names of the folders that a contact is in.
  public func folderNames(ofContact id: Int64) throws(StoreError) -> [String] {
    try store.read { db in
      try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT f.path, f.name FROM synced_card s JOIN sync_folder f ON f.id = s.folder_id
            WHERE s.contact_id = ? AND s.is_leaving = 0 AND f.path <> '' ORDER BY f.name, f.id
            """), arguments: [id]
      ).map(ContactFolder.name)
    }
  }

  /// Moves contacts to a folder. The next sync of each folder adds and removes their files.
  /// - Parameter folder: the folder; nil to keep them only in the book.
  public func move(_ ids: [Int64], toFolder folder: Int64?) throws(StoreError) {
    try store.write { db in
      // A folder without a path has the contacts that no sync may upload.
      let folder = try folder ?? SyncMemory(db, path: "").folder
      let list = ContactLoader.json(ids)
      // If the folder does not have the file yet, removing the row is enough.
      try db.execute(
        sql: """
          DELETE FROM synced_card WHERE contact_id IN (SELECT value FROM json_each(?1)) AND folder_id <> ?2
            AND base IS NULL
          """, arguments: [list, folder])
      try db.execute(
        sql: """
          UPDATE synced_card SET is_leaving = 1 WHERE contact_id IN (SELECT value FROM json_each(?1))
            AND folder_id <> ?2
          """, arguments: [list, folder])
      try db.execute(
        sql: """
          INSERT INTO synced_card (folder_id, contact_id, file)
            SELECT ?2, id, '' FROM contact WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?1))
          ON CONFLICT DO UPDATE SET is_leaving = 0
          """, arguments: [list, folder])
    }
  }

  /// Removes a folder from the book. Its contacts stay in the book, and its files stay where they are.
  public func forgetFolder(_ id: Int64) throws(StoreError) {
    try store.write { db in try db.execute(sql: "DELETE FROM sync_folder WHERE id = ?", arguments: [id]) }
  }
}
