import AddressBookModel
import Contacts
import GRDB

/// A contact of the book that is related to another one: its name is in the other's field `related`, or the other's name
/// in its own.
public struct RelatedContact: Hashable, Sendable, Identifiable {
  /// The id.
  public let id: Int64
  /// The display name.
  public let name: String
  /// The label of the value, such as `spouse`.
  public let label: String
  /// True if this contact has the value, with the name of the other one.
  public let isInverse: Bool
}

extension AddressBook {
  /// Returns the contacts that a contact names in its field `related`, in the order of its values, and then those that
  /// name it, each once. Names are compared with display names, exactly.
  public func relatedContacts(of contact: Contact) throws(StoreError) -> [RelatedContact] {
    try store.read { db in
      var found: [RelatedContact] = []
      func take(_ rows: RowCursor, isInverse: Bool) throws {
        while let row = try rows.next() {
          let id: Int64 = row[0]
          guard id != contact.id, !found.contains(where: { $0.id == id }) else { continue }
          found.append(RelatedContact(id: id, name: row[1], label: row[2], isInverse: isInverse))
        }
      }
      for value in contact.related where !value.value.isEmpty {
        let sql = "SELECT id, display_name, ? FROM contact WHERE display_name = ? AND deleted_at IS NULL ORDER BY id"
        try take(try Row.fetchCursor(db, sql: sql, arguments: [value.label, value.value]), isInverse: false)
      }
      if !contact.displayName.isEmpty {
        let sql = """
          SELECT c.id, c.display_name, r.label FROM related r JOIN contact c ON c.id = r.contact_id
          WHERE r.value = ? AND c.deleted_at IS NULL ORDER BY c.id
          """
        try take(try Row.fetchCursor(db, sql: sql, arguments: [contact.displayName]), isInverse: true)
      }
      return found
    }
  }
}
