import AddressBookModel
import Contacts
import GRDB
import Pinyin

/// Listings for commands. The whole book is listed in section order, from one snapshot. Only one page of contacts is in
/// memory, however long a listing is.
extension AddressBook {
  /// Calls the body with the rows of these contacts, or of all. Deleted contacts are left out.
  /// - Parameters:
  ///   - ids: the contacts, in the order to list them; nil for all in section order.
  ///   - body: returns false to stop.
  public func forEachRow(ids: [Int64]? = nil, _ body: (ContactRow) throws -> Bool) throws {
    guard let ids else {
      return try forEachInOrder(
        columns: ContactRow.columns, pageSize: 1000, { _, rows in rows.map(ContactRow.init) }, body)
    }
    for page in ids.batches(of: 500) {
      let rows = try store.read { db in
        try Row.fetchAll(
          db,
          sql: """
            \(ContactRow.selection) WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL
            """, arguments: [ContactLoader.json(page)]
        ).map(ContactRow.init)
      }
      let known = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      for id in page { if let row = known[id], try !body(row) { return } }
    }
  }

  /// Calls the body with these contacts, or with all from one snapshot of the book. Deleted contacts are left out. The
  /// body may use the book.
  /// - Parameters:
  ///   - ids: the contacts, in the order to list them; nil for all in section order.
  ///   - pageSize: how many are read at a time, at least 1; only they are in memory.
  ///   - body: returns false to stop.
  public func forEachContact(ids: [Int64]? = nil, pageSize: Int = 500, _ body: (Contact) throws -> Bool) throws {
    guard let ids else { return try forEachInOrder(columns: ["id"], pageSize: pageSize, wholeContacts, body) }
    for page in ids.batches(of: pageSize) {
      for contact in try contacts(ids: page) where try !body(contact) { return }
    }
  }

  /// Returns the contacts of a page that was read from an index. If they disagree with the index, the list is recorded
  /// as incomplete.
  private func wholeContacts(_ db: Database, _ page: [Row]) throws -> [Contact] {
    let stored = try ContactLoader(db, damage: damage).loadStored(page.map { $0.integer(0) })
    let agree = stored.elementsEqual(page) { $0.derived.section == $1.number(1) && $0.derived.sortKey == $1.bytes(2) }
    if !agree { damage.noteIncompleteList() }
    return stored.map(\.contact)
  }

  /// Calls the body with each item in section order, from one snapshot of the book. No read is running during these
  /// calls.
  /// - Parameters:
  ///   - columns: columns of `contact` for ``SectionOrderPages``.
  ///   - read: converts the rows of a page to items.
  private func forEachInOrder<Item>(
    columns: [String], pageSize: Int, _ read: (Database, [Row]) throws -> [Item], _ body: (Item) throws -> Bool
  ) throws {
    let pages = SectionOrderPages(columns: columns, size: pageSize)
    try store.withSnapshot { reader in
      while true {
        let items = try readingErrors {
          try reader.read { db in
            let items = try read(db, pages.next(db))
            if try !pages.isComplete(db) { damage.noteIncompleteList() }
            return items
          }
        }
        if items.isEmpty { return }
        for item in items { if try !body(item) { return } }
      }
    }
  }

  private func readingErrors<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
    do {
      return try body()
    } catch {
      throw store.storeError(error)
    }
  }
}

/// A column of a list of contacts, by its name in `list --columns` and in `columns` of config.toml.
public enum ContactColumn: Hashable, Sendable {
  /// The id, the identity across books, the section of the name, the display name, the version, when the contact was
  /// added and last changed, when the contact last wrote or was written to, the groups, the media type of the photo.
  case id, uid, section, name, version, created, modified, contacted, groups, photo
  /// All values of a field, such as the phone numbers.
  case all(ContactField.Values)
  /// All addresses.
  case addresses
  /// A single field, such as `organization` or `phone[mobile]`.
  case field(FieldPath)

  /// The columns other than ``all(_:)`` and ``field(_:)``, by name.
  private static let others: [(name: String, column: ContactColumn)] = [
    ("id", .id), ("uid", .uid), ("section", .section), ("name", .name), ("version", .version), ("created", .created),
    ("modified", .modified), ("contacted", .contacted), ("groups", .groups), ("photo", .photo),
    ("addresses", .addresses),
  ]

  private static var lists: [ContactField.Values] {
    ContactFields.standard.values.filter { $0.singular != $0.name }
  }

  /// The column with a name, such as `id`, `phones`, `phone[mobile]` or `organization`; nil if there is none.
  public init?(_ name: String) {
    let known =
      Self.others.first { $0.name == name }?.column ?? Self.lists.first { $0.name == name }.map(Self.all)
      ?? FieldPath(name).map(Self.field)
    guard let known else { return nil }
    self = known
  }

  /// The names of all columns, for messages.
  public static var allNames: [String] {
    let names = others.map(\.name) + lists.map(\.name) + FieldPath.allNames
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// Returns the cell of a contact. Several values are separated by commas, addresses by semicolons; timestamps are in
  /// UTC.
  public func text(of contact: Contact) -> String {
    switch self {
    case .id: String(contact.id)
    case .uid: contact.uid
    case .section: contact.sectionTitle
    case .name: contact.displayName
    case .version: String(contact.version)
    case .created: contact.created
    case .modified: contact.modified
    case .contacted: contact.contacted
    case .groups: contact.groups.joined(separator: ", ")
    case .photo: contact.photo?.mediaType ?? ""
    case .all(let values): contact[keyPath: values.property].map(\.value).joined(separator: ", ")
    case .addresses: contact.addresses.map { $0.joined(by: ", ") }.joined(separator: "; ")
    case .field(let path): path.text(of: contact)
    }
  }

  /// Returns the cell of a contact, with timestamps in local time, such as `2026-03-01 10:30`.
  public func localText(of contact: Contact) -> String {
    let text = text(of: contact)
    return [.created, .modified, .contacted].contains(self) ? Timestamp.local(text) : text
  }
}
