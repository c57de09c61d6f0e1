import Contacts
import GRDB

extension Store {
  /// Reconstructs a contact as it was in an earlier version from the steps that were written since.
  /// - Returns: nil if the contact never had that version or has no row, or if the history does not reach back to that
  ///   version without a gap.
  func contact(_ id: Int64, version: Int) throws(StoreError) -> Contact? {
    try read { db in
      guard var contact = try ContactLoader(db).load([id]).first else { return nil }
      for entry in try EditEntry.fetch(db, contact: id, afterStep: 0).reversed() where contact.version > version {
        // A gap is a write without an entry, such as that of another program, or the renaming of a group.
        guard entry.last == nil, entry.version == contact.version, entry.versionBefore > 0 else { return nil }
        contact = try entry.changes?.before(in: contact) ?? contact
        contact.version = entry.versionBefore
      }
      return contact.version == version ? contact : nil
    }
  }
}
