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
    let named = try store.read { db in
      try contact.related.filter { !$0.value.isEmpty }.flatMap { value in
        let sql = "SELECT id, display_name, ? FROM contact WHERE display_name = ? AND deleted_at IS NULL ORDER BY id"
        return try RelatedContact.fetch(db, sql, [value.label, value.value], isInverse: false)
      }
    }
    var seen: Set<Int64> = [contact.id]
    return (named + (try contactsNaming(contact))).filter { seen.insert($0.id).inserted }
  }

  /// Returns the contacts that name a contact in their field `related`.
  public func contactsNaming(_ contact: Contact) throws(StoreError) -> [RelatedContact] {
    let name = contact.displayName
    guard !name.isEmpty else { return [] }
    let sql = """
      SELECT c.id, c.display_name, r.label FROM related r JOIN contact c ON c.id = r.contact_id
      WHERE r.value = ? AND c.deleted_at IS NULL ORDER BY c.id
      """
    return try store.read { db in try RelatedContact.fetch(db, sql, [name], isInverse: true) }
  }
}

extension RelatedContact {
  fileprivate static func fetch(
    _ db: Database, _ sql: String, _ arguments: StatementArguments, isInverse: Bool
  ) throws -> [RelatedContact] {
    try Row.fetchAll(db, sql: sql, arguments: arguments).map {
      RelatedContact(id: $0[0], name: $0[1], label: $0[2], isInverse: isInverse)
    }
  }
}
