import AddressBookModel
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
