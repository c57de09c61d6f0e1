import AddressBookModel
import GRDB

extension AddressBook {
  /// Gives a folder a name, in its file `displayname`; an empty name removes the file. vdirsyncer copies the name to a
  /// server that supports names.
  /// - Throws: `SyncError` if the folder cannot be written, `StoreError` if the book cannot.
  public func rename(_ folder: ContactFolder, to name: String) throws {
    try edit(folder) { cards throws(SyncError) in try cards.setText(name, "displayname") }
  }

  /// Gives a folder a color, in its file `color`.
  /// - Parameter color: `#RRGGBB`; empty for none.
  /// - Throws: `SyncError` if the folder cannot be written, `StoreError` if the book cannot.
  public func setColor(_ color: String, of folder: ContactFolder) throws {
    try edit(folder) { cards throws(SyncError) in try cards.setText(color, "color") }
  }

  private func edit(_ folder: ContactFolder, _ body: (CardFolder) throws(SyncError) -> Void) throws {
    let cards = try CardFolder(path: folder.path)
    try body(cards)
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
