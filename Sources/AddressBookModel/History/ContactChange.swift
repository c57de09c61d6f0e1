import Contacts
import GRDB

/// What one step did to one contact.
public struct ContactChange: Sendable {
  /// What became of the contact.
  public enum Kind: String, Sendable {
    case added, changed, deleted, restored
  }

  /// The step.
  public let step: EditStep
  /// What became of the contact.
  public let kind: Kind
  /// The fields that changed; the others are empty in ``before`` and ``after``.
  public let fields: [ContactField]
  /// Those fields as they were before.
  public let before: Contact
  /// Those fields as they were afterwards.
  public let after: Contact

  fileprivate init(step: EditStep, _ entry: EditEntry) throws {
    self.step = step
    kind =
      switch (entry.wasThere, entry.isThere) {
      case (true, false): .deleted
      case (false, true): entry.versionBefore == 0 ? .added : .restored
      default: .changed
      }
    let changes = entry.changes ?? .nothing
    fields = ContactFields.standard.all.filter { changes.changes($0.name) }
    before = try changes.before(in: Contact())
    after = try changes.after(in: Contact())
  }
}

extension AddressBook {
  /// The history of a contact, the newest change first. Changes by other programs with SQL are not in it.
  public func changes(ofContact id: Int64) throws(StoreError) -> [ContactChange] {
    try store.read { db in
      let steps = try Row.fetchAll(
        db,
        sql: """
          SELECT \(EditStep.columns) FROM edit_step WHERE id IN (
            SELECT step_id FROM edit_entry WHERE contact_id = ?1
            UNION SELECT step_id FROM edit_entry WHERE last_id >= ?1 AND contact_id <= ?1)
          ORDER BY id DESC
          """, arguments: [id]
      ).map { EditStep($0) }
      return try steps.map { step in
        let entry = try EditEntry.fetch(db, step: step.id, contact: id)
        return try ContactChange(
          step: step, entry ?? EditEntry(contact: id, wasThere: false, isThere: true, version: 1))
      }
    }
  }
}
