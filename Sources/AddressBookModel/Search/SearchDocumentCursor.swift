import ContactSearch
import Contacts
import GRDB

/// A cursor over the search documents of all contacts, in order of id: one pass over all tables side by side, without a
/// query for each contact.
struct SearchDocumentCursor {
  private let contacts: StatementRows
  private let kinds = Self.texts.map(\.kind)
  private var values: [(kind: ContactField.SearchKind, rows: PartCursor)]
  private var addresses: PartCursor
  private var groups: PartCursor
  private var photos: PartCursor

  init(_ db: Database) throws {
    let columns = ["id", "display_name", "kind", "birthday IS NOT NULL"] + Self.texts.map(\.column)
    contacts = try StatementRows(
      db,
      db.makeStatement(
        sql: "SELECT \(columns.joined(separator: ", ")) FROM contact WHERE deleted_at IS NULL ORDER BY id"))
    values = try ContactFields.standard.values.compactMap { field in
      guard let kind = field.search else { return nil }
      let sql = "SELECT contact_id, value FROM \(field.table) ORDER BY contact_id, position"
      return (kind, try PartCursor(db, sql))
    }
    // The parts are joined in Swift: SQLite takes as long to concatenate one address as to read ten.
    let parts = AddressPart.inCardOrder.map(\.column)
    addresses = try PartCursor(
      db, "SELECT contact_id, \(parts.joined(separator: ", ")) FROM address ORDER BY contact_id, position")
    groups = try PartCursor(
      db,
      """
      SELECT m.contact_id, g.name FROM group_member m JOIN contact_group g ON g.id = m.group_id
      ORDER BY m.contact_id, g.name
      """)
    photos = try PartCursor(db, "SELECT contact_id FROM avatar ORDER BY contact_id")
  }

  /// The columns of searched texts, with their kind.
  private static let texts: [(column: String, kind: ContactField.SearchKind)] = ContactFields.standard.texts.compactMap
  {
    guard let kind = $0.search else { return nil }
    return ($0.column, kind)
  }

  mutating func next() throws -> SearchDocument? {
    guard let row = try contacts.next() else { return nil }
    let id = row.integer(0)
    var document = SearchDocument(id: id, name: row.text(1))
    document.isPerson = row.number(2) == Contact.Kind.person.rawValue
    document.hasBirthday = row.integer(3) != 0
    for (offset, kind) in kinds.enumerated() {
      if let text = row.filledText(4 + offset) { document.add(text, as: kind) }
    }
    for index in values.indices { document.add(try values[index].rows.texts(of: id), as: values[index].kind) }
    document.addresses = try addresses.texts(of: id, columns: AddressPart.inCardOrder.count)
    document.groups = try groups.texts(of: id)
    document.hasPhoto = try photos.isAt(id)
    return document
  }
}

/// The search documents of a snapshot as a sequence, which ends early, with an error, if the book cannot be read.
final class SearchDocuments: Sequence, IteratorProtocol {
  private(set) var error: (any Error)?
  private var cursor: SearchDocumentCursor

  init(_ db: Database) throws {
    cursor = try SearchDocumentCursor(db)
  }

  /// Returns the documents of these contacts, without deleted ones.
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

extension PartCursor {
  /// The rows of a query without arguments, whose first column is the contact's id.
  fileprivate init(_ db: Database, _ sql: String) throws {
    self.init(try StatementRows(db, db.makeStatement(sql: sql)))
  }

  /// Returns a text for each row of a contact: the columns after the id, without empty ones, joined with blanks.
  fileprivate mutating func texts(of id: Int64, columns: Int = 1) throws -> [String] {
    guard try isAt(id) else { return [] }
    var texts: [String] = []
    try forEachRow(of: id) { row in texts.append(columns == 1 ? row.text(1) : row.joinedText(1...columns)) }
    return texts
  }
}

extension AddressBook {
  /// Calls `body` with the search document of every contact, in order of id, in one snapshot of the book, for building
  /// an index.
  /// - Parameter body: returns false to stop; it must not use the book.
  public func forEachSearchDocument(_ body: (SearchDocument) throws -> Bool) throws(StoreError) {
    try store.read { db in
      var documents = try SearchDocumentCursor(db)
      while let document = try documents.next() {
        guard try body(document) else { return }
      }
    }
  }

  /// Returns the search documents of these contacts, for updating an index. Deleted ones are left out.
  public func searchDocuments(ids: [Int64]) throws(StoreError) -> [SearchDocument] {
    try store.read { try SearchDocuments.of(ids, $0) }
  }
}
