import Contacts
import GRDB

extension AddressBook {
  /// Writes many contacts in one transaction: all or, if `body` throws, none.
  ///
  /// Throw `CancellationError` to stop; nothing is written then, and the error becomes `StoreError.cancelled`.
  /// - Parameters:
  ///   - groups: how an update treats the groups that a contact is already in.
  ///   - name: the name of the step in the history; nil to record none.
  ///   - session: the session of the write; nil for that of the book.
  ///   - waitsBriefly: true for a thread that must not block, as in ``newContext(waitsBriefly:session:)``.
  ///   - body: writes the contacts; it must not use the book otherwise.
  public func bulkWrite<Value>(
    groups: BulkWriter.GroupPolicy = .add, as name: StepName? = nil, in session: EditSession? = nil,
    waitsBriefly: Bool = false, _ body: (BulkWriter) throws -> Value
  ) throws -> Value {
    try bulkWrite(groups, waitsBriefly: waitsBriefly, body) { db in
      try name.map { try StepRecorder(db, name: $0, session: session ?? self.session) }
    }
  }

  /// - Parameter record: begins the step of the history; returns nil to record none.
  private func bulkWrite<Value>(
    _ groups: BulkWriter.GroupPolicy, waitsBriefly: Bool, _ body: (BulkWriter) throws -> Value,
    record: (Database) throws -> StepRecorder?
  ) throws -> Value {
    do {
      return try store.transaction(
        isBulk: true, raisesVersions: true, waiting: waitsBriefly ? .briefly : .usual
      ) { db in
        let recorder = try record(db)
        let value = try body(BulkWriter(db, groupPolicy: groups, recorder: recorder))
        try recorder?.finish()
        return value
      }
    } catch let error where error is DatabaseError || error is CancellationError {
      throw store.storeError(error)
    }
  }

  /// Deletes, restores or changes contacts in one transaction. Contacts to which the edit does not apply are skipped.
  /// For more than a few hundred, call it on a background thread.
  /// - Parameters:
  ///   - ids: the contacts.
  ///   - edit: the change.
  ///   - name: the name of the step in the history; nil to derive it from the changes.
  ///   - session: the session of the write; nil for that of the book.
  ///   - waitsBriefly: true for a thread that must not block, as in ``newContext(waitsBriefly:session:)``.
  ///   - isCancelled: called often; if it returns true, nothing is written, and the error is
  ///     `StoreError.cancelled`.
  ///   - onProgress: called before each batch of contacts with the fraction that is done.
  /// - Returns: the number of contacts written.
  /// - Throws: `StoreError`.
  public func bulkEdit(
    _ ids: [Int64], _ edit: BulkEdit, as name: StepName?, in session: EditSession? = nil, waitsBriefly: Bool = false,
    isCancelled: () -> Bool = { false }, onProgress: (Double) -> Void = { _ in }
  ) throws -> Int {
    func write(_ writer: BulkWriter) throws -> Int {
      // In the order of the file.
      let sorted = Set(ids).sorted()
      func change(_ ids: [Int64], _ change: (inout Contact) -> Void) throws {
        try writer.change(ids) { contact in
          if isCancelled() { throw CancellationError() }
          change(&contact)
        }
      }
      for (number, batch) in sorted.batches(of: BulkWriter.batch).enumerated() {
        if isCancelled() { throw CancellationError() }
        onProgress(Double(number * BulkWriter.batch) / Double(sorted.count))
        switch edit {
        case .delete: try writer.setDeleted(true, all: batch)
        case .restore: try writer.setDeleted(false, all: batch)
        case .join(let group): try writer.changeGroups(of: batch, joining: try writer.group(toJoin: group))
        case .leave(let group): try writer.changeGroups(of: batch, leaving: writer.groups[group])
        case .change(let edit): try change(batch, edit)
        }
      }
      return writer.recordedCount
    }
    return try bulkWrite(.replace, waitsBriefly: waitsBriefly, write) { db in
      try StepRecorder(db, name: name, session: session ?? self.session)
    }
  }

  /// Returns the names of all groups, sorted.
  public func groupNames() throws(StoreError) -> [String] {
    try store.values("SELECT name FROM contact_group ORDER BY name")
  }

  /// Returns the names of the groups that any of these contacts is in, sorted.
  public func groupNames(ofContacts ids: [Int64]) throws(StoreError) -> [String] {
    try store.values(
      """
      SELECT name FROM contact_group
      WHERE id IN (SELECT group_id FROM group_member WHERE contact_id IN (SELECT value FROM json_each(?)))
      ORDER BY name
      """, [ContactLoader.json(ids)])
  }
}

/// An operation on many contacts.
public enum BulkEdit: Sendable {
  /// Deletes the contacts; they can be restored.
  case delete
  /// Restores the contacts that were deleted.
  case restore
  /// Adds the contacts to a group, which is created if there is none with this name.
  case join(String)
  /// Removes the contacts from a group.
  case leave(String)
  /// Changes each contact with this closure.
  case change(@Sendable (inout Contact) -> Void)
}
