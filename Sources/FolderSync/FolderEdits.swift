import AddressBookModel
import GRDB

extension AddressBook {
  /// Gives a folder a name, in its file `displayname`; an empty name removes the file. vdirsyncer copies the name to a
  /// server that supports names.
  /// - Throws: `SyncError` if the folder cannot be written, `StoreError` if the book cannot.
  public func rename(_ folder: ContactFolder, to name: String) throws {
    let cards = try CardFolder(path: folder.path)
    try cards.setDisplayName(name)
    try store.write { try SyncStateStore($0, path: cards.path).name(cards.displayName, color: cards.color) }
  }

  /// Gives a folder a color, in its file `color`.
  /// - Parameter color: `#RRGGBB`; empty for none.
  /// - Throws: `SyncError` if the folder cannot be written, `StoreError` if the book cannot.
  public func setColor(_ color: String, of folder: ContactFolder) throws {
    let cards = try CardFolder(path: folder.path)
    try cards.setColor(color)
    try store.write { try SyncStateStore($0, path: cards.path).name(cards.displayName, color: cards.color) }
  }

  /// Removes a folder from the book. Its files stay where they are, and its contacts stay in the book: those that are in
  /// no other folder are kept only there, and no sync puts them into another folder.
  public func removeFolder(_ id: Int64) throws(StoreError) {
    try store.write { db in
      try db.execute(
        sql: """
          INSERT INTO synced_card (folder_id, contact_id, file)
          SELECT ?1, contact_id, '' FROM synced_card s JOIN contact c ON c.id = contact_id WHERE folder_id = ?2
            AND NOT EXISTS (SELECT 1 FROM synced_card o WHERE o.contact_id = s.contact_id AND o.folder_id <> ?2)
          """, arguments: [SyncStateStore(db, path: "").folder, id])
      try db.execute(sql: "DELETE FROM sync_folder WHERE id = ?", arguments: [id])
    }
  }
}
