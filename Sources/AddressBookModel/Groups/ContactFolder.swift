import GRDB
import SystemCalls

/// A folder of vCards that a book is synced with: some of its contacts, with a name and a color.
public struct ContactFolder: Hashable, Sendable, Identifiable {
  /// Its id in the book.
  public let id: Int64
  /// Its real path.
  public let path: String
  /// Its name, as last read from its file `displayname`; if there was none, the last part of its path.
  public let name: String
  /// `#RRGGBB`, as last read from its file `color`; empty if there was none.
  public let color: String
  /// The number of its contacts.
  public let count: Int

  /// Returns true for `#RRGGBB`.
  public static func isColor(_ text: String) -> Bool {
    text.utf8.count == 7 && text.hasPrefix("#") && text.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  /// Returns the names of all folders, keyed by id. The name is empty for the folder that stands for contacts kept only
  /// in the book.
  static func names(_ db: Database) throws -> [Int64: String] {
    let rows = try Row.fetchAll(db, sql: "SELECT path, name, id FROM sync_folder")
    return Dictionary(
      rows.map { ($0.integer(2), $0.text(0).isEmpty ? "" : name($0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the name of a folder: the name in its file `displayname` or, if there is none, the last part of its path.
  fileprivate static func name(_ row: Row) -> String {
    row.text(1).isEmpty ? Folder.split(row.text(0)).name : row.text(1)
  }
}

extension AddressBook {
  /// Returns the folders that the book was synced with, sorted by the name in `displayname`; those without one come
  /// first.
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

  /// Returns whether the book still has a folder under this name and with this color.
  public func isCurrent(_ folder: ContactFolder) throws(StoreError) -> Bool {
    try store.read { db in
      try Row.fetchOne(
        db.cachedStatement(sql: "SELECT path, name, color FROM sync_folder WHERE id = ?"), arguments: [folder.id]
      ).map { ContactFolder.name($0) == folder.name && $0.text(2) == folder.color } ?? false
    }
  }

  /// Returns the ids of the contacts in a folder, in section order.
  public func memberIDs(ofFolder id: Int64) throws(StoreError) -> [Int64] {
    try store.values(
      """
      SELECT c.id FROM synced_card s JOIN contact c ON c.id = s.contact_id AND c.deleted_at IS NULL
      WHERE s.folder_id = ? AND s.is_leaving = 0 ORDER BY c.section, c.sort_key, c.id
      """, [id])
  }

  /// Returns the names of the folders that a contact is in.
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
}
