import ContactSearch
import Contacts
import GRDB

/// The search documents of all contacts, by id, in one pass over all tables side by side, without a query for each
/// contact.
struct SearchDocumentCursor {
  private let contacts: RowCursor
  private var values: [(kind: ContactField.SearchKind, rows: ChildCursor)]
  private var addresses: ChildCursor
  private var groups: ChildCursor
  private var photos: ChildCursor

  init(_ db: Database) throws {
    let columns = ["id", "display_name", "kind", "birthday IS NOT NULL"] + Self.texts.map(\.column)
    contacts = try Row.fetchCursor(
      db, sql: "SELECT \(columns.joined(separator: ", ")) FROM contact WHERE deleted_at IS NULL ORDER BY id")
    values = try ContactFields.standard.values.compactMap { field in
      guard let kind = field.search else { return nil }
      let sql = "SELECT contact_id, value FROM \(field.table) ORDER BY contact_id, position"
      return (kind, try ChildCursor(db, sql))
    }
    addresses = try ChildCursor(
      db, "SELECT contact_id, \(Self.joinedAddress) FROM address ORDER BY contact_id, position")
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

  /// The same text as `PostalAddress.joined`; `concat_ws` is newer than the SQLite of Debian 12.
  private static let joinedAddress =
    "rtrim("
    + AddressPart.inCardOrder.map { "CASE \($0.column) WHEN '' THEN '' ELSE \($0.column) || ' ' END" }
    .joined(separator: " || ") + ")"

  /// The next contact; nil after the last.
  mutating func next() throws -> SearchDocument? {
    guard let row = try contacts.next() else { return nil }
    let id: Int64 = row[0]
    var document = SearchDocument(id: id, name: row[1])
    document.isPerson = row[2] == Contact.Kind.person.rawValue
    document.hasBirthday = row[3]
    for (index, text) in Self.texts.enumerated() { document.add(row[4 + index], as: text.kind) }
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
  private let rows: RowCursor
  private var head: (id: Int64, value: String)?

  init(_ db: Database, _ sql: String) throws {
    rows = try Row.fetchCursor(db, sql: sql)
    try advance()
  }

  /// The values of a parent; parents must be requested in ascending order.
  mutating func values(of id: Int64) throws -> [String] {
    while let head, head.id < id { try advance() }
    var values: [String] = []
    while let head, head.id == id {
      values.append(head.value)
      try advance()
    }
    return values
  }

  private mutating func advance() throws {
    head = try rows.next().map { ($0[0], $0[1]) }
  }
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
