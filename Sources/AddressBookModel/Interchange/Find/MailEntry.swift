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
