import Contacts
import GRDB

/// Loads whole contacts: one query for the rows of a page and one for each child table, however long the page is.
struct ContactLoader {
  /// The parts of a contact to load.
  enum Parts {
    /// Everything except the bytes of the photo.
    case all
    /// The row, phones and emails, which a name, its order and the columns of a list need.
    case names
    /// What duplicates are found by: the row, addresses, and the values that have a form of their own.
    case compared

    fileprivate var fields: [ContactField.Values] {
      switch self {
      case .all: ContactLoader.fields.values
      case .names: ContactLoader.fieldsOfNames
      case .compared: ContactLoader.fieldsToCompare
      }
    }
  }

  private static let fields = ContactFields.standard
  /// The fields that are loaded for a name alone.
  private static let fieldsOfNames = fields.values.filter(\.standsForName)
  private static let fieldsToCompare = fields.values.filter { $0.sameness != .text }

  private static let selection =
    "SELECT id, uid, kind, birthday, version, created_at, modified_at, deleted_at, "
    + (DerivedColumns.columns + fields.texts.map(\.column)).joined(separator: ", ") + " FROM contact"

  private let db: Database
  private let parts: Parts
  private let damage: DamageLog?

  /// - Parameters:
  ///   - parts: how much of a contact is read.
  ///   - damage: records contacts that differ from their checksums, if whole contacts are read; nil to compare none.
  init(_ db: Database, parts: Parts = .all, damage: DamageLog? = nil) {
    self.db = db
    self.parts = parts
    self.damage = damage
  }

  /// The contacts with these ids, in this order; unknown ids are left out. Deleted contacts are included.
  func load(_ ids: [Int64]) throws -> [Contact] { try loadStored(ids).map(\.contact) }

  /// The same, with the values of the rows that are not part of the contacts.
  func loadStored(_ ids: [Int64]) throws -> [StoredContact] {
    guard !ids.isEmpty else { return [] }
    let list = StatementArguments([Self.json(ids)])
    var places: [Int64: Int] = [:]
    places.reserveCapacity(ids.count)
    var contacts: [StoredContact] = []
    contacts.reserveCapacity(ids.count)
    let rows = try Row.fetchCursor(
      db.cachedStatement(sql: "\(Self.selection) WHERE id IN (SELECT value FROM json_each(?))"), arguments: list)
    while let row = try rows.next() {
      let contact = Self.contact(row)
      places[contact.contact.id] = contacts.count
      contacts.append(contact)
    }
    if contacts.count > 1 {
      let order = Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      contacts.sort { order[$0.contact.id, default: 0] < order[$1.contact.id, default: 0] }
      for (place, contact) in contacts.enumerated() { places[contact.contact.id] = place }
    }
    try addChildren(&contacts, places, list)
    if let damage, parts == .all { try check(contacts, places, list, damage) }
    return contacts
  }

  /// Compares contacts with their checksums, before a write replaces these.
  func check(_ ids: [Int64]) throws {
    for start in stride(from: 0, to: ids.count, by: 500) {
      _ = try loadStored(Array(ids[start..<min(ids.count, start + 500)]))
    }
  }

  /// Calls `body` with every contact that is not deleted, by id.
  func forEachLiving(_ body: (Contact) throws -> Void) throws {
    var last: Int64 = 0
    while true {
      let ids = try Int64.fetchAll(
        db.cachedStatement(sql: "SELECT id FROM contact WHERE id > ? AND deleted_at IS NULL ORDER BY id LIMIT 1000"),
        arguments: [last])
      guard let end = ids.last else { return }
      last = end
      for contact in try load(ids) { try body(contact) }
    }
  }

  private func check(
    _ contacts: [StoredContact], _ places: [Int64: Int], _ ids: StatementArguments, _ damage: DamageLog
  ) throws {
    var digest = ContactDigest()
    let checksums = """
      SELECT contact_id, whole FROM contact_checksum WHERE contact_id IN (SELECT value FROM json_each(?))
      """
    try each(checksums, ids, places) { place, row in
      let contact = contacts[place]
      damage.note(contact.contact.id, .whole, isDamaged: !contact.fits(row.integer(1), &digest))
    }
  }

  private func addChildren(
    _ contacts: inout [StoredContact], _ places: [Int64: Int], _ ids: StatementArguments
  ) throws {
    for field in parts.fields {
      try each(children(of: field.table, columns: "label, value"), ids, places) { place, row in
        contacts[place].contact[keyPath: field.property].append(
          LabeledValue(label: row.text(1), value: row.text(2)))
      }
    }
    if parts == .names { return }
    let addressParts = AddressPart.inCardOrder
    let columns = "label, " + addressParts.map(\.column).joined(separator: ", ")
    try each(children(of: "address", columns: columns), ids, places) { place, row in
      var address = PostalAddress(label: row.text(1))
      for (offset, part) in addressParts.enumerated() { address[part] = row.text(2 + offset) }
      contacts[place].contact.addresses.append(address)
    }
    guard parts == .all else { return }
    let cards = "SELECT contact_id, lines FROM contact_card WHERE contact_id IN (SELECT value FROM json_each(?))"
    try each(cards, ids, places) { place, row in
      contacts[place].contact.cardLines = StoredLines.lines(row.text(1))
    }
    let photos = """
      SELECT contact_id, media_type, byte_count, sha256 FROM avatar WHERE contact_id IN (SELECT value FROM json_each(?))
      """
    try each(photos, ids, places) { place, row in
      contacts[place].contact.photo = PhotoSummary(mediaType: row.text(1), bytes: row.number(2), sha256: row.text(3))
    }
    let groups = """
      SELECT m.contact_id, g.name FROM group_member m JOIN contact_group g ON g.id = m.group_id
      WHERE m.contact_id IN (SELECT value FROM json_each(?)) ORDER BY m.contact_id, g.name
      """
    try each(groups, ids, places) { place, row in contacts[place].contact.groups.append(row.text(1)) }
  }

  private func children(of table: String, columns: String) -> String {
    """
    SELECT contact_id, \(columns) FROM \(table)
    WHERE contact_id IN (SELECT value FROM json_each(?)) ORDER BY contact_id, position, id
    """
  }

  private func each(
    _ sql: String, _ ids: StatementArguments, _ places: [Int64: Int], _ body: (Int, Row) -> Void
  ) throws {
    let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: ids)
    while let row = try rows.next() {
      if let place = places[row.integer(0)] { body(place, row) }
    }
  }

  private static func contact(_ values: Row) -> StoredContact {
    var contact = Contact()
    contact.id = values.integer(0)
    contact.uid = values.text(1)
    contact.kind = Contact.Kind(rawValue: values.number(2)) ?? .person
    contact.birthday = PartialDate(values.text(3))
    contact.version = values.number(4)
    contact.created = values.text(5)
    contact.modified = values.text(6)
    var row = ContactDigest.Row()
    row.deleted = values.text(7)
    row.displayName = values.text(8)
    row.section = values.number(9)
    row.sortKey = values.bytes(10)
    row.listPhone = values.text(11)
    row.listEmail = values.text(12)
    for (offset, field) in fields.texts.enumerated() { contact[field] = values.text(13 + offset) }
    return StoredContact(contact: contact, row: row)
  }

  /// Numbers as a JSON array: one statement serves any number of ids.
  static func json(_ ids: some Sequence<Int64>) -> String {
    var text = "["
    for id in ids {
      if text.utf8.count > 1 { text += "," }
      text += String(id)
    }
    return text + "]"
  }
}
