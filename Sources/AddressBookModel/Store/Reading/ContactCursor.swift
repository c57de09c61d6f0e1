import Contacts
import GRDB

/// A cursor over contacts in the order of their ids: one statement per table, all read side by side.
final class ContactCursor {
  /// The parts of a contact to read.
  enum Parts {
    /// Everything except the bytes of the photo.
    case all
    /// The row, phones and emails, which a name, its order and the columns of a list need.
    case names
    /// What is compared to find duplicates: the row, addresses, and the values whose `sameness` is not `text`.
    case compared

    fileprivate var fields: [ContactField.Values] {
      switch self {
      case .all: ContactFields.standard.values
      case .names: ContactFields.standard.values.filter(\.isFallbackName)
      case .compared: ContactFields.standard.values.filter { $0.sameness != .text }
      }
    }
  }

  enum Scope {
    /// Those that are not deleted.
    case living
    /// These, even if they are deleted.
    case ids([Int64])
  }

  private static let texts = ContactFields.standard.texts
  private static let addressParts = AddressPart.inCardOrder
  private static let selection =
    "SELECT id, uid, kind, birthday, version, created_at, modified_at, deleted_at, "
    + (DerivedColumns.columns + texts.map(\.column)).joined(separator: ", ") + " FROM contact"

  private let contacts: StatementRows
  private let fields: [ContactField.Values]
  private var values: [PartCursor]
  private var addresses: PartCursor?
  private var cards: PartCursor?
  private var photos: PartCursor?
  private var groups: PartCursor?
  private var checksums: PartCursor?

  /// - Parameter withChecksums: whether to read the contacts' checksums, if all parts are read.
  init(_ db: Database, _ scope: Scope, parts: Parts = .all, withChecksums: Bool = false) throws {
    let source = ContactSource(db, scope)
    fields = parts.fields
    contacts = try source.contacts(Self.selection)
    values = try fields.map { try source.parts("label, value", of: $0.table) }
    guard parts != .names else { return }
    addresses = try source.parts("label, " + Self.addressParts.map(\.column).joined(separator: ", "), of: "address")
    guard parts == .all else { return }
    cards = try source.rows("contact_id, lines", of: "contact_card", order: "contact_id")
    photos = try source.rows("contact_id, media_type, byte_count, sha256", of: "avatar", order: "contact_id")
    groups = try source.rows(
      "contact_id, g.name", of: "group_member m JOIN contact_group g ON g.id = m.group_id", order: "contact_id, g.name")
    if withChecksums { checksums = try source.rows("contact_id, whole", of: "contact_checksum", order: "contact_id") }
  }

  /// A statement that is not reset keeps its connection at the snapshot that it read.
  deinit {
    contacts.stop()
    for part in values + [addresses, cards, photos, groups, checksums].compactMap(\.self) { part.stop() }
  }

  func next() throws -> StoredContact? {
    guard let row = try contacts.next() else { return nil }
    return try contact(row)
  }

  /// Returns the contact with this id; nil if there is none in the scope. The ids must ascend from call to call.
  func contact(id: Int64) throws -> StoredContact? {
    while let row = try pending ?? contacts.next() {
      let found = row.integer(0)
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

  private func contact(_ row: StatementRow) throws -> StoredContact {
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
    try checksums?.forEachRow(of: id) { stored.checksum = $0.integer(1) }
    return stored
  }

  private static func stored(_ row: StatementRow) -> StoredContact {
    var contact = Contact()
    contact.id = row.integer(0)
    contact.uid = row.text(1)
    contact.kind = Contact.Kind(rawValue: row.number(2)) ?? .person
    if let text = row.filledText(3) { contact.birthday = PartialDate(text) }
    contact.version = row.number(4)
    contact.created = row.text(5)
    contact.modified = row.text(6)
    var others = ContactDigest.Row()
    others.deleted = row.text(7)
    others.displayName = row.text(8)
    others.section = row.number(9)
    others.sortKey = row.bytes(10)
    others.listPhone = row.text(11)
    others.listEmail = row.text(12)
    for index in texts.indices {
      if let text = row.filledText(13 + index) { texts[index].write(&contact, text) }
    }
    return StoredContact(contact: contact, row: others)
  }
}
