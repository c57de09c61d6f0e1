import ContactInterchange
import GRDB

extension AddressBook {
  /// Returns the ids of the contacts with this email address, even if it is stored as `<address>` or `mailto:address`,
  /// in ascending order.
  /// - Parameter address: the bare address; case is ignored.
  public func contactIDs(withEmail address: String) throws(StoreError) -> [Int64] {
    let key = MailAddress.key(of: address)
    return try store.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT e.contact_id, e.value FROM email e CROSS JOIN contact c ON c.id = e.contact_id
          WHERE c.deleted_at IS NULL AND e.value LIKE ? ESCAPE '\\' ORDER BY e.contact_id
          """, arguments: ["%" + Self.pattern(address) + "%"])
      var ids: [Int64] = []
      while let row = try rows.next() {
        if MailAddress.bare(row.text(1)).map(MailAddress.key) == key, ids.last != row.integer(0) {
          ids.append(row.integer(0))
        }
      }
      return ids
    }
  }

  /// Returns the ids of the contacts with exactly this display name, in ascending order.
  public func contactIDs(named name: String) throws(StoreError) -> [Int64] {
    try store.read { db in
      try Int64.fetchAll(
        db, sql: "SELECT id FROM contact WHERE display_name = ? AND deleted_at IS NULL ORDER BY id", arguments: [name])
    }
  }

  /// Returns the ids of the contacts with a birthday, in section order.
  public func contactIDsWithBirthday() throws(StoreError) -> [Int64] {
    try store.read { db in
      try Int64.fetchAll(
        db,
        sql: """
          SELECT id FROM contact WHERE birthday IS NOT NULL AND birthday <> '' AND deleted_at IS NULL
          ORDER BY section, sort_key, id
          """)
    }
  }

  /// Returns the part of an address before the first character that is not ASCII, escaped for LIKE, which ignores the
  /// case of ASCII letters only.
  private static func pattern(_ address: String) -> String {
    let ascii = address.prefix { $0.isASCII }
    return ascii.reduce(into: "") { $0 += "%_\\".contains($1) ? "\\" + String($1) : String($1) }
  }
}
