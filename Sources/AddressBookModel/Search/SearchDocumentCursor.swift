import ContactInterchange
import ContactSearch
import Contacts
import GRDB

/// What the columns of a cursor are in a batch, in the order that the batch asks for.
private struct BatchColumns {
  let texts: [(column: Int, kind: FieldKind)]
  let note: Int
  let phonetic: [Int]
  /// Indexes in the cursor's values.
  let values: [(index: Int, kind: FieldKind)]
  /// The columns of texts, and the indexes of values, that are searched like the note.
  let more: (texts: [Int], values: [Int])

  private static let first = 4
  private static let order: [(ContactField.SearchKind, FieldKind)] = [
    (.nickname, .nickname), (.family, .family), (.given, .given), (.organization, .organization), (.title, .title),
    (.department, .department),
  ]
  private static let lists: [(ContactField.SearchKind, FieldKind)] = [(.email, .email), (.url, .url), (.phone, .phone)]

  /// Returns nil if texts must be joined, because several fields are searched as one.
  init?(_ texts: [ContactField.SearchKind], values: [ContactField.SearchKind]) {
    let lists = Dictionary(uniqueKeysWithValues: Self.lists)
    let own = texts.filter { $0 != .more }
    guard Set(own).count == own.count, own.allSatisfy({ lists[$0] == nil }),
      values.allSatisfy({ lists[$0] != nil || $0 == .more }), let note = texts.firstIndex(of: .note)
    else { return nil }
    self.texts = Self.order.compactMap { search, kind in
      texts.firstIndex(of: search).map { (column: Self.first + $0, kind: kind) }
    }
    self.note = Self.first + note
    phonetic = texts.indices.filter { texts[$0] == .phoneticFamily || texts[$0] == .phoneticGiven }.map {
      Self.first + $0
    }
    more = (
      texts.indices.filter { texts[$0] == .more }.map { Self.first + $0 }, values.indices.filter { values[$0] == .more }
    )
    self.values = Self.lists.flatMap { search, kind in
      values.indices.filter { values[$0] == search }.map { (index: $0, kind: kind) }
    }
  }
}

/// A cursor over the search documents of all contacts, in order of id: one pass over all tables side by side, without a
/// query for each contact.
struct SearchDocumentCursor {
  private let contacts: StatementRows
  private let kinds = Self.texts.map(\.kind)
  private var values: [(kind: ContactField.SearchKind, rows: PartCursor)]
  private var addresses: PartCursor
  private var groups: PartCursor
  private var photos: PartCursor
  private var cards: PartCursor
  private let columns = BatchColumns(Self.texts.map(\.kind), values: ContactFields.standard.values.compactMap(\.search))

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
    cards = try PartCursor(db, "SELECT contact_id, lines FROM contact_card ORDER BY contact_id")
  }

  /// The columns of searched texts, with their kind.
  private static let texts: [(column: String, kind: ContactField.SearchKind)] = ContactFields.standard.texts.compactMap
  {
    guard let kind = $0.search else { return nil }
    return ($0.column, kind)
  }

  mutating func next() throws -> SearchDocument? { try contacts.next().map { try document(of: $0) } }

  /// Appends the next document to a batch; returns false after the last one. This is quicker than ``next()``, and gives
  /// the same.
  mutating func appendNext(to batch: inout SearchDocumentBatch) throws -> Bool {
    guard let row = try contacts.next() else { return false }
    guard let columns, !columns.phonetic.contains(where: { !row.isEmpty($0) }) else {
      batch.append(try document(of: row))
      return true
    }
    let id = row.integer(0)
    row.withText(1) {
      batch.begin(id, isPerson: row.number(2) == Contact.Kind.person.rawValue, name: $0)
    }
    batch.mark(hasPhoto: try photos.isAt(id), hasBirthday: row.integer(3) != 0)
    for (column, kind) in columns.texts { batch.append(kind) { row.append(column, to: &$0) } }
    try groups.forEachRow(of: id) { row in batch.append(.group) { row.append(1, to: &$0) } }
    let parts = 1...AddressPart.inCardOrder.count
    try addresses.forEachRow(of: id) { row in batch.append(.address) { row.append(joined: parts, to: &$0) } }
    batch.append(.note) { row.append(columns.note, to: &$0) }
    for column in columns.more.texts where !row.isEmpty(column) { row.withText(column) { batch.append(more: $0) } }
    for index in columns.more.values {
      try values[index].rows.forEachRow(of: id) { row in row.withText(1) { batch.append(more: $0) } }
    }
    for text in try furtherTexts(of: id) { Array(text.utf8).withUnsafeBufferPointer { batch.append(more: $0) } }
    for (index, kind) in columns.values {
      try values[index].rows.forEachRow(of: id) { row in batch.append(kind) { row.append(1, to: &$0) } }
    }
    return true
  }

  private mutating func document(of row: StatementRow) throws -> SearchDocument {
    let id = row.integer(0)
    var document = SearchDocument(id: id, name: row.text(1))
    document.isPerson = row.number(2) == Contact.Kind.person.rawValue
    document.hasBirthday = row.integer(3) != 0
    for (offset, kind) in kinds.enumerated() {
      if let text = row.filledText(4 + offset) { document.add(text, as: kind) }
    }
    for index in values.indices { document.add(try values[index].rows.texts(of: id), as: values[index].kind) }
    document.addresses = try addresses.texts(of: id, columns: AddressPart.inCardOrder.count)
    document.more += try furtherTexts(of: id)
    document.groups = try groups.texts(of: id)
    document.hasPhoto = try photos.isAt(id)
    return document
  }
}

extension SearchDocumentCursor {
  /// Returns the texts that only the card of a contact has. Nearly all cards are only looked at as bytes.
  private mutating func furtherTexts(of id: Int64) throws -> [String] {
    var texts: [String] = []
    try cards.forEachRow(of: id) { row in
      guard row.withText(1, { FurtherTexts.mayOccur(in: $0) }) else { return }
      texts = FurtherTexts.texts(in: StoredLines.lines(row.text(1))).map(\.text)
    }
    return texts
  }
}

extension SearchIndex {
  /// Replaces everything with the contacts of a snapshot, without deleted ones. Returns false if another rebuild runs.
  /// - Parameter progress: called from time to time with the number of contacts read.
  @discardableResult
  func rebuild(from db: Database, progress: (Int) -> Void = { _ in }) throws -> Bool {
    var cursor = try SearchDocumentCursor(db)
    return try rebuild(reading: { batch throws in try cursor.appendNext(to: &batch) }, progress: progress)
  }
}

extension SearchDocument {
  /// Returns the documents of these contacts, without deleted ones.
  static func of(_ ids: [Int64], _ db: Database) throws -> [SearchDocument] {
    let living = try Int64.fetchAll(
      db.cachedStatement(
        sql: "SELECT id FROM contact WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL"),
      arguments: [ContactLoader.json(ids)])
    return try ContactLoader(db).load(living).map(\.searchDocument)
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
    try store.read { try SearchDocument.of(ids, $0) }
  }
}
