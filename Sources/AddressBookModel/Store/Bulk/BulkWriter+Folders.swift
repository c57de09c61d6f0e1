import GRDB

extension BulkWriter {
  /// Returns the ids of the folders that a contact is in.
  package func folders(of contact: Int64) throws -> [Int64] {
    try Int64.fetchAll(
      db.cachedStatement(
        sql: "SELECT folder_id FROM synced_card WHERE contact_id = ? AND is_leaving = 0 ORDER BY folder_id"),
      arguments: [contact])
  }

  /// Moves a contact to folders, and out of all others.
  package func move(_ contact: Int64, to folders: [Int64]) throws {
    guard try state(of: contact)?.isDeleted == false else { return }
    let before = try self.folders(of: contact)
    guard before != folders else { return }
    let list = ContactLoader.json(folders)
    // If a folder does not have the file yet, and no sync is about to write it, removing the row is enough.
    try db.cachedStatement(
      sql: """
        DELETE FROM synced_card
        WHERE contact_id = ?1 AND base IS NULL AND folder_id NOT IN (SELECT value FROM json_each(?2))
          AND NOT EXISTS (SELECT 1 FROM sync_intent i WHERE i.folder_id = synced_card.folder_id AND i.contact_id = ?1)
        """
    ).execute(arguments: [contact, list])
    try db.cachedStatement(
      sql: """
        UPDATE synced_card SET is_leaving = 1
        WHERE contact_id = ?1 AND folder_id NOT IN (SELECT value FROM json_each(?2))
        """
    ).execute(arguments: [contact, list])
    try db.cachedStatement(
      sql: """
        INSERT INTO synced_card (folder_id, contact_id, file) SELECT value, ?1, '' FROM json_each(?2) WHERE TRUE
        ON CONFLICT DO UPDATE SET is_leaving = 0
        """
    ).execute(arguments: [contact, list])
    try recordMove(of: contact, from: before)
  }

  /// Records that a contact is in other folders than before. Its version is incremented, so that lists of a folder notice
  /// the move, and so does a sync that has already compared the contact.
  package func recordMove(of contact: Int64, from before: [Int64]) throws {
    let folders = try self.folders(of: contact)
    guard let now = try state(of: contact), !now.isDeleted, before != folders else { return }
    try rows.update("Person", [contact], [])
    try recorder?.record(
      EditEntry(
        contact: contact, wasThere: true, isThere: true, versionBefore: now.version, version: now.version + 1,
        changes: ContactDelta(fromFolders: before, to: folders)))
  }
}
