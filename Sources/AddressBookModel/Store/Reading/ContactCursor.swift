import Contacts
import GRDB

/// The reader of contacts' rows, in the order of their ids: one statement for each table, all read side by side.
package struct ContactCursor {
  /// The parts of a contact to read.
  package enum Parts {
    /// Everything except the bytes of the photo.
    case all
    /// The row, phones and emails, which a name, its order and the columns of a list need.
    case names
    /// What is compared to find duplicates: the row, addresses, and the values whose `sameness` is not `text`.
    case compared
    /// What is searched.
    case searched

    fileprivate var fields: [ContactField.Values] {
      switch self {
      case .all: ContactFields.standard.values
      case .names: ContactFields.standard.values.filter(\.isFallbackName)
      case .compared: ContactFields.standard.values.filter { $0.sameness != .text }
      case .searched: ContactFields.standard.values.filter { $0.search != nil }
      }
    }
  }

  package enum Scope {
    /// Those that are not deleted.
    case living
    /// These, even if they are deleted.
    case ids([Int64])
  }

  /// Where columns are in a contact's row.
  package enum Column {
    package static let id = 0
    package static let kind = 2
    static let birthday = 3
    /// The first of the derived columns: the display name.
    package static let derived = 8
    /// The first of ``ContactFields/texts``.
    package static let texts = derived + DerivedColumns.columns.count
  }

  private static let texts = ContactFields.standard.texts
  private static let addressParts = AddressPart.inCardOrder
  private static let columns =
    ["id", "uid", "kind", "birthday", "version", "created_at", "modified_at", "deleted_at"] + DerivedColumns.columns
    + texts.map(\.column)

  private let contacts: StatementRows
  /// The lists that are read, and their rows: label and value.
  let fields: [ContactField.Values]
  package var values: [PartRows]
  /// Label and parts in the order of cards.
  package var addresses: PartRows?
  package var cards: PartRows?
  package var photos: PartRows?
  package var groups: PartRows?
  private var contacted: PartRows?
  private var checksums: PartRows?

  package init(_ db: Database, _ scope: Scope, parts: Parts = .all) throws {
    let ids: String? = if case .ids(let ids) = scope { ContactLoader.json(ids) } else { nil }
    func rows(_ columns: [String], of table: String, _ id: String, order: String) throws -> StatementRows {
      func sql(_ condition: String) -> String {
        "SELECT \(columns.joined(separator: ", ")) FROM \(table)\(condition) ORDER BY \(order)"
      }
      guard let ids else {
        // Statements for the whole book run for a long time and are rarely needed, so they are not cached.
        return try StatementRows(
          db, db.makeStatement(sql: sql(table == "contact" ? " WHERE deleted_at IS NULL" : "")))
      }
      let condition = " WHERE \(id) IN (SELECT value FROM json_each(?))"
      return try StatementRows(db, db.cachedStatement(sql: sql(condition)), text: ids)
    }
    func partRows(_ columns: [String], of table: String, order: String) throws -> PartRows {
      PartRows(try rows(["contact_id"] + columns, of: table, "contact_id", order: "contact_id" + order))
    }
    fields = parts.fields
    contacts = try rows(Self.columns, of: "contact", "id", order: "id")
    values = try fields.map { try partRows(["label", "value"], of: $0.table, order: ", position, id") }
    guard parts != .names else { return }
    addresses = try partRows(
      ["label"] + Self.addressParts.map(\.column), of: "address", order: ", position, id")
    guard parts != .compared else { return }
    cards = try partRows(["lines"], of: "contact_card", order: "")
    photos = try partRows(["media_type", "byte_count", "sha256"], of: "avatar", order: "")
    groups = try partRows(
      ["g.name"], of: "group_member m JOIN contact_group g ON g.id = m.group_id", order: ", g.name")
    if parts == .all {
      contacted = try partRows(["at"], of: "contacted", order: "")
      checksums = try partRows(["whole"], of: "contact_checksum", order: "")
    }
  }

  /// Returns the next contact; nil after the last.
  package mutating func next() throws -> StoredContact? { try nextRow().map { try contact($0) } }

  /// Returns the row of the next contact, for ``contact(_:)`` or for someone who reads its parts.
  package func nextRow() throws -> StatementRow? { try contacts.next() }

  /// Returns the contact with this id; nil if there is none in the scope. The ids must ascend from call to call.
  package mutating func contact(id: Int64) throws -> StoredContact? {
    while let row = try pending ?? contacts.next() {
      let found = row.integer(Column.id)
      if found >= id {
        pending = found > id ? row : nil
        return found == id ? try contact(row) : nil
      }
      pending = nil
    }
    return nil
  }

  /// The row that the last call read beyond its id.
  private var pending: StatementRow?

  /// Returns the contact of the row that was read last, with its parts.
  package mutating func contact(_ row: StatementRow) throws -> StoredContact {
    var stored = Self.stored(row)
    let id = stored.contact.id
    for index in fields.indices {
      guard try values[index].isAt(id) else { continue }
      var list: [LabeledValue] = []
      try values[index].forEachRow(of: id) { list.append(LabeledValue(label: $0.text(1), value: $0.text(2))) }
      stored.contact[keyPath: fields[index].property] = list
    }
    try addresses?.forEachRow(of: id) { row in
      var address = PostalAddress(label: row.text(1))
      for (offset, part) in Self.addressParts.enumerated() { address[part] = row.text(2 + offset) }
      stored.contact.addresses.append(address)
    }
    try cards?.forEachRow(of: id) { stored.contact.cardLines = StoredLines.lines($0.text(1)) }
    try photos?.forEachRow(of: id) { row in
      stored.contact.photo = PhotoSummary(mediaType: row.text(1), bytes: row.number(2), sha256: row.text(3))
    }
    try groups?.forEachRow(of: id) { stored.contact.groups.append($0.text(1)) }
    try contacted?.forEachRow(of: id) { stored.contact.contacted = $0.text(1) }
    try checksums?.forEachRow(of: id) { stored.checksum = $0.integer(1) }
    return stored
  }

  private static func stored(_ row: StatementRow) -> StoredContact {
    var contact = Contact()
    contact.id = row.integer(Column.id)
    contact.uid = row.text(1)
    contact.kind = Contact.Kind(rawValue: row.number(Column.kind)) ?? .person
    contact.birthday = birthday(row)
    contact.version = row.number(4)
    contact.created = row.text(5)
    contact.modified = row.text(6)
    for index in texts.indices {
      if let text = row.filledText(Column.texts + index) { texts[index].write(&contact, text) }
    }
    return StoredContact(
      contact: contact, derived: DerivedColumns(row, from: Column.derived), deleted: row.text(7))
  }

  /// Returns the birthday in a contact's row.
  package static func birthday(_ row: StatementRow) -> PartialDate? {
    row.filledText(Column.birthday).flatMap { PartialDate($0) }
  }
}

/// The rows of a table of parts, read in step with the contacts. The first column is the contact's id.
package struct PartRows {
  private let rows: StatementRows
  private var row: StatementRow?
  /// The contact id of the row. Before the first row, it is less than any id; after the last, it is greater.
  private var head = Int64.min

  fileprivate init(_ rows: StatementRows) { self.rows = rows }

  /// Moves to the rows of a contact. The ids must ascend from call to call.
  /// - Returns: false if the contact has no row that was not read yet.
  package mutating func isAt(_ id: Int64) throws -> Bool {
    while head < id { try advance() }
    return head == id
  }

  /// Calls `body` with the rows of a contact. The ids must ascend from call to call.
  package mutating func forEachRow(of id: Int64, _ body: (StatementRow) -> Void) throws {
    while head < id { try advance() }
    while head == id, let row {
      body(row)
      try advance()
    }
  }

  private mutating func advance() throws {
    row = try rows.next()
    head = row?.integer(0) ?? .max
  }
}
