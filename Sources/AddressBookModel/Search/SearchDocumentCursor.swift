import ContactSearch
import Contacts
import GRDB

/// The search documents of all contacts, by id, in one pass over all tables side by side, without a query for each
/// contact.
struct SearchDocumentCursor {
  private let contacts: TextRows
  private let kinds = Self.texts.map(\.kind)
  private var values: [(kind: ContactField.SearchKind, rows: ChildCursor)]
  private var addresses: ChildCursor
  private var groups: ChildCursor
  private var photos: ChildCursor

  init(_ db: Database) throws {
    let columns = ["id", "display_name", "kind", "birthday IS NOT NULL"] + Self.texts.map(\.column)
    contacts = try TextRows(
      db, "SELECT \(columns.joined(separator: ", ")) FROM contact WHERE deleted_at IS NULL ORDER BY id")
    values = try ContactFields.standard.values.compactMap { field in
      guard let kind = field.search else { return nil }
      let sql = "SELECT contact_id, value FROM \(field.table) ORDER BY contact_id, position"
      return (kind, try ChildCursor(db, sql))
    }
    // Joined here: SQLite takes as long to join an address as to read ten.
    let parts = AddressPart.inCardOrder.map(\.column)
    addresses = try ChildCursor(
      db, "SELECT contact_id, \(parts.joined(separator: ", ")) FROM address ORDER BY contact_id, position",
      columns: parts.count)
    groups = try ChildCursor(
      db,
      """
      SELECT m.contact_id, g.name FROM group_member m JOIN contact_group g ON g.id = m.group_id
      ORDER BY m.contact_id, g.name
      """)
    photos = try ChildCursor(db, "SELECT contact_id, '' FROM avatar ORDER BY contact_id")
  }

  /// The columns of searched texts, with their kind.
  private static let texts: [(column: String, kind: ContactField.SearchKind)] = ContactFields.standard.texts.compactMap
  {
    guard let kind = $0.search else { return nil }
    return ($0.column, kind)
  }

  /// The next contact; nil after the last.
  mutating func next() throws -> SearchDocument? {
    guard try contacts.next() else { return nil }
    let id = contacts.integer(0)
    var document = SearchDocument(id: id, name: contacts.text(1))
    document.isPerson = contacts.integer(2) == Int64(Contact.Kind.person.rawValue)
    document.hasBirthday = contacts.integer(3) != 0
    var column: Int32 = 4
    for kind in kinds {
      if !contacts.isEmpty(column) { document.add(contacts.text(column), as: kind) }
      column += 1
    }
    for index in values.indices { document.add(try values[index].rows.values(of: id), as: values[index].kind) }
    document.addresses = try addresses.values(of: id)
    document.groups = try groups.values(of: id)
    document.hasPhoto = try !photos.values(of: id).isEmpty
    return document
  }
}

/// The contacts of a snapshot as a sequence; it ends early, with an error, if the book cannot be read.
final class SearchDocuments: Sequence, IteratorProtocol {
  private(set) var error: (any Error)?
  private var cursor: SearchDocumentCursor

  init(_ db: Database) throws {
    cursor = try SearchDocumentCursor(db)
  }

  /// The documents of these contacts, without deleted ones.
  static func of(_ ids: [Int64], _ db: Database) throws -> [SearchDocument] {
    let living = try Int64.fetchAll(
      db.cachedStatement(
        sql: "SELECT id FROM contact WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL"),
      arguments: [ContactLoader.json(ids)])
    return try ContactLoader(db).load(living).map(\.searchDocument)
  }

  func next() -> SearchDocument? {
    do {
      return try cursor.next()
    } catch {
      self.error = error
      return nil
    }
  }
}

/// A child table read in step with its parent.
private struct ChildCursor {
  private let rows: TextRows
  /// The parent of the current row; nil after the last.
  private var id: Int64?
  private let columns: Int32

  /// - Parameter columns: how many columns after the id of the parent a value has.
  init(_ db: Database, _ sql: String, columns: Int = 1) throws {
    rows = try TextRows(db, sql)
    self.columns = Int32(columns)
    try advance()
  }

  /// The values of a parent; parents must be requested in ascending order.
  mutating func values(of wanted: Int64) throws -> [String] {
    while let id, id < wanted { try advance() }
    var values: [String] = []
    while let id, id == wanted {
      values.append(columns == 1 ? rows.text(1) : rows.joined(1...columns))
      try advance()
    }
    return values
  }

  private mutating func advance() throws { id = try rows.next() ? rows.integer(0) : nil }
}

extension AddressBook {
  /// Calls `body` with the search document of every contact, by id, in one snapshot of the book, for building an index.
  /// - Parameter body: returns false to stop; it must not use the book.
  public func forEachSearchDocument(_ body: (SearchDocument) throws -> Bool) throws(StoreError) {
    try store.read { db in
      var documents = try SearchDocumentCursor(db)
      while let document = try documents.next() {
        guard try body(document) else { return }
      }
    }
  }

  /// The search documents of these contacts, for updating an index. Deleted ones are left out.
  public func searchDocuments(ids: [Int64]) throws(StoreError) -> [SearchDocument] {
    try store.read { try SearchDocuments.of(ids, $0) }
  }
}
