import Contacts
import GRDB

extension AddressBook {
  /// Writes many contacts in one transaction: all of them or, when `body` throws, none.
  ///
  /// Throw `CancellationError` to stop; nothing is written then and the error comes out as `StoreError.cancelled`.
  /// - Parameters:
  ///   - groups: what an update does with groups that a contact is in already.
  ///   - isTrial: true to do everything and keep nothing, for a dry run.
  ///   - body: writes; it must not use the book otherwise.
  public func bulkWrite<Value>(
    groups: BulkWriter.GroupPolicy = .add, isTrial: Bool = false, _ body: (BulkWriter) throws -> Value
  ) throws -> Value {
    var result: Value?
    do {
      return try store.transaction(isBulk: true, raisesVersions: true) { db in
        let value = try body(BulkWriter(db, groupPolicy: groups, journal: makeJournal(), damage: store.damage))
        result = value
        if isTrial { throw TrialEnded() }
        return value
      }
    } catch let ended as TrialEnded {
      guard let result else { throw ended }
      return result
    } catch let error as DatabaseError {
      throw store.storeError(error)
    } catch is CancellationError {
      throw StoreError(.cancelled, path: location.path ?? "")
    }
  }

  /// Deletes or changes contacts in one transaction; those that are deleted already stay as they are. For a thread of its own.
  /// - Parameters:
  ///   - isCancelled: asked for each contact; nothing is written when it says so, and the error is `StoreError.cancelled`.
  ///   - onProgress: called now and then with the share that is done, 0 to 1.
  /// - Returns: what takes it back; empty when nothing had to be written.
  /// - Throws: `StoreError`.
  public func bulkEdit(
    _ ids: [Int64], _ edit: BulkEdit, isCancelled: () -> Bool, onProgress: (Double) -> Void = { _ in }
  ) throws -> BulkJournal {
    try bulkWrite(groups: .replace) { writer in
      writer.keepsJournal = true
      for (place, id) in ids.enumerated() {
        if isCancelled() { throw CancellationError() }
        if place.isMultiple(of: 256) { onProgress(Double(place) / Double(ids.count)) }
        switch edit {
        case .delete: try writer.delete(id)
        case .change(let change): try writer.change(id, change)
        }
      }
      return writer.journal
    }
  }

  /// Names of the groups that any of these contacts is in, in order of name.
  public func groupNames(ofContacts ids: [Int64]) throws(StoreError) -> [String] {
    try store.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM contact_group
          WHERE id IN (
            SELECT group_id FROM group_member WHERE contact_id IN (SELECT value FROM json_each(?)))
          ORDER BY name
          """, arguments: [ContactLoader.json(ids)])
    }
  }
}

/// What is done to each of many contacts.
public enum BulkEdit: Sendable {
  /// They can come back.
  case delete
  /// Called with each contact as it is then.
  case change(@Sendable (inout Contact) -> Void)
}

/// Takes back what a dry run did.
private struct TrialEnded: Error {}
