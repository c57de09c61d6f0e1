import GRDB

extension AddressBook {
  /// Moves contacts to a folder, as a step of the history. The next sync of each folder adds and removes their files.
  /// - Parameters:
  ///   - folder: the folder; nil to keep them only in the book.
  ///   - session: the session of the step.
  ///   - waitsBriefly: true for a thread that must not block, as in ``newContext(waitsBriefly:session:)``.
  ///   - isCancelled: called often, on this thread; true cancels the work, and nothing is written.
  ///   - onProgress: called with the fraction of contacts that are done, 0 to 1.
  /// - Returns: the number of contacts that were moved.
  @discardableResult
  public func move(
    _ ids: [Int64], to folder: ContactFolder?, in session: EditSession? = nil, waitsBriefly: Bool = false,
    isCancelled: () -> Bool = { false }, onProgress: (Double) -> Void = { _ in }
  ) throws(StoreError) -> Int {
    do {
      return try bulkWrite(
        groups: .replace, as: StepName(.move, folder?.name ?? ""), in: session, waitsBriefly: waitsBriefly
      ) { writer in
        // A folder without a path has the contacts that no sync may upload.
        let target = try folder?.id ?? SyncStateStore(writer.db, path: "").folder
        for (done, id) in ids.enumerated() {
          if isCancelled() { throw CancellationError() }
          try writer.move(id, to: [target])
          if done.isMultiple(of: 256) { onProgress(Double(done) / Double(ids.count)) }
        }
        return writer.recordedCount
      }
    } catch {
      throw store.storeError(error)
    }
  }

  /// Puts a new contact into a folder. The history records only that the contact was added. A sync may already have put
  /// it into another one.
  public func place(_ id: Int64, in folder: ContactFolder) throws(StoreError) {
    try store.write { db in
      try db.execute(
        sql: "UPDATE synced_card SET is_leaving = 1 WHERE contact_id = ? AND folder_id <> ?",
        arguments: [id, folder.id])
      try db.execute(
        sql: "INSERT INTO synced_card (folder_id, contact_id, file) VALUES (?, ?, '') ON CONFLICT DO NOTHING",
        arguments: [folder.id, id])
    }
  }
}

extension BulkWriter {
  /// Returns the ids of the folders that a contact is in.
  func folders(of contact: Int64) throws -> [Int64] {
    try Int64.fetchAll(
      db.cachedStatement(
        sql: "SELECT folder_id FROM synced_card WHERE contact_id = ? AND is_leaving = 0 ORDER BY folder_id"),
      arguments: [contact])
  }

  /// Moves a contact to folders, and out of all others.
  func move(_ contact: Int64, to folders: [Int64]) throws {
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
  func recordMove(of contact: Int64, from before: [Int64]) throws {
    let folders = try self.folders(of: contact)
    guard let now = try state(of: contact), !now.isDeleted, before != folders else { return }
    try rows.update("Person", [contact], [])
    try recorder?.record(
      EditEntry(
        contact: contact, wasThere: true, isThere: true, versionBefore: now.version, version: now.version + 1,
        changes: ContactDelta(fromFolders: before, to: folders)))
  }
}
