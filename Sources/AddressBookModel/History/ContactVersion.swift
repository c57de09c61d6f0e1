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
        // A gap is a write without an entry, such as that of another program.
        guard entry.last == nil, entry.version == contact.version, entry.versionBefore > 0 else { return nil }
        if let changes = entry.changes {
          contact = try changes.before(in: contact)
        } else {
          let names = try Self.formerNames(db, contact: id, version: entry.version)
          contact.groups = contact.groups.map { names[$0] ?? $0 }.sorted()
        }
        contact.version = entry.versionBefore
      }
      return contact.version == version ? contact : nil
    }
  }

  /// Returns the former names of the groups that the step which wrote a version of a contact renamed, keyed by the new
  /// ones.
  private static func formerNames(_ db: Database, contact: Int64, version: Int) throws -> [String: String] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT g.after, g.before FROM edit_entry e JOIN edit_group g ON g.step_id = e.step_id
        WHERE e.contact_id = ? AND e.version = ? AND g.before <> g.after
        """, arguments: [contact, version])
    return Dictionary(rows.map { ($0.text(0), $0.text(1)) }, uniquingKeysWith: { first, _ in first })
  }
}
