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
  /// The changed fields as they were before the step.
  public let before: Contact
  /// The changed fields as they were after the step.
  public let after: Contact
  /// The folders, if the contact was moved.
  public let folders: FolderMove?

  /// The names of the folders of a contact before and after it was moved; an empty name means that the contact was only
  /// in the book. Folders that the book no longer has are left out.
  public struct FolderMove: Hashable, Sendable {
    /// The folders before.
    public let before: [String]
    /// The folders afterwards.
    public let after: [String]
  }

  fileprivate init(step: EditStep, _ entry: EditEntry, folderNames: [Int64: String]) throws {
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
    folders = try changes.movedFolders().map { moved in
      FolderMove(
        before: moved.before.compactMap { folderNames[$0] }, after: moved.after.compactMap { folderNames[$0] })
    }
  }

  /// Returns the differences, as text for the user.
  public func differences(in localization: Localization) -> [FieldDifference] {
    let ofFields = fields.map { FieldDifference($0, from: before, to: after, in: localization) }
    return (ofFields + (folders.map { [FieldDifference($0, in: localization)] } ?? [])).filter { !$0.isEmpty }
  }
}

extension AddressBook {
  /// Returns the history of a contact, the newest change first. Changes that other programs made with SQL, and new
  /// names of the contact's groups, are not in it.
  public func changes(ofContact id: Int64) throws(StoreError) -> [ContactChange] {
    try store.read { db in
      let steps = try Row.fetchAll(
        db,
        sql: """
          SELECT \(EditStep.columns) FROM edit_step WHERE id IN (
            SELECT step_id FROM edit_entry WHERE contact_id = ?1 AND (changes IS NOT NULL OR NOT was_there OR NOT is_there)
            UNION SELECT step_id FROM edit_entry WHERE last_id >= ?1 AND contact_id <= ?1)
          ORDER BY id DESC
          """, arguments: [id]
      ).map { EditStep($0) }
      let folderNames = try ContactFolder.names(db)
      return try steps.map { step in
        let entry = try EditEntry.fetch(db, step: step.id, contact: id)
        return try ContactChange(
          step: step, entry ?? EditEntry(contact: id, wasThere: false, isThere: true, version: 1),
          folderNames: folderNames)
      }
    }
  }
}
