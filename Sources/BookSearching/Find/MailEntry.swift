import AddressBookModel
import ContactInterchange
import GRDB

/// An email address of a contact, with the details that a mail program displays.
public struct MailEntry: Hashable, Sendable {
  /// The contact's display name.
  public let name: String
  /// The organization.
  public let organization: String
  /// The nickname.
  public let nickname: String
  /// The label of the address.
  public let label: String
  /// The address.
  public let address: String
}

/// A format for entries, one line each.
public struct MailLineForm: Sendable {
  let version: Int
  let line: @Sendable (MailEntry) -> String?

  /// - Parameters:
  ///   - version: identifies `line`, whose results are cached; increase it when `line` changes.
  ///   - line: returns the line of an entry without a line end; nil if there is nothing to show.
  public init(version: Int, line: @escaping @Sendable (MailEntry) -> String?) {
    self.version = version
    self.line = line
  }
}

/// The lines of contacts, as bytes with line ends.
struct MailLines {
  private(set) var ids: [Int64] = []
  private(set) var starts: [UInt64] = [0]
  private(set) var bytes: [UInt8] = []

  /// Reads the lines of these contacts, or of all. Deleted contacts have none.
  init(_ db: Database, of contactIDs: [Int64]? = nil, form: MailLineForm) throws {
    let columns = "SELECT c.id, c.display_name, c.organization, c.nickname, e.label, e.value"
    let condition = "c.deleted_at IS NULL AND e.value <> ''"
    let rows: StatementRows
    if let contactIDs {
      let statement = try db.makeStatement(
        sql: """
          \(columns) FROM json_each(?) j CROSS JOIN contact c ON c.id = j.value JOIN email e ON e.contact_id = c.id
          WHERE \(condition) ORDER BY j.value, e.position, e.id
          """)
      rows = try StatementRows(db, statement, text: ContactLoader.json(contactIDs.sorted()))
    } else {
      let statement = try db.makeStatement(
        sql: """
          \(columns) FROM email e CROSS JOIN contact c ON c.id = e.contact_id
          WHERE \(condition) ORDER BY e.contact_id, e.position, e.id
          """)
      rows = try StatementRows(db, statement)
    }
    while let row = try rows.next() {
      let entry = MailEntry(
        name: row.text(1), organization: row.text(2), nickname: row.text(3), label: row.text(4), address: row.text(5))
      guard let line = form.line(entry) else { continue }
      let id = row.integer(0)
      if ids.last != id {
        ids.append(id)
        starts.append(starts[starts.count - 1])
      }
      bytes += line.utf8
      bytes.append(UInt8(ascii: "\n"))
      starts[starts.count - 1] = UInt64(bytes.count)
    }
  }
}

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
    try store.values("SELECT id FROM contact WHERE display_name = ? AND deleted_at IS NULL ORDER BY id", [name])
  }

  /// Returns the ids of the contacts with a birthday, in section order.
  public func contactIDsWithBirthday() throws(StoreError) -> [Int64] {
    try store.values(
      """
      SELECT id FROM contact NOT INDEXED WHERE birthday IS NOT NULL AND birthday <> '' AND deleted_at IS NULL
      ORDER BY section, sort_key, id
      """)
  }

  /// Returns the part of an address before the first character that is not ASCII, escaped for LIKE, which ignores the
  /// case of ASCII letters only.
  private static func pattern(_ address: String) -> String {
    let ascii = address.prefix { $0.isASCII }
    return ascii.reduce(into: "") { $0 += "%_\\".contains($1) ? "\\" + String($1) : String($1) }
  }
}
