import ContactSearch
import GRDB

extension AddressBook {
  /// What matches a query, best first; equally good ones by id.
  ///
  /// For a command that asks once and ends: an index of every contact is built for the one question. A screen that searches
  /// with every key keeps its `SearchIndex`.
  /// - Parameters:
  ///   - query: the words, in the language of `SearchQuery`.
  ///   - fuzzy: takes sounds that are often confused as one.
  ///   - t9: lets digits also stand for the letters on a phone's keys.
  ///   - explaining: true to say where each contact matches, which takes longer.
  public func find(
    _ query: String, fuzzy: Bool = false, t9: Bool = false, explaining: Bool = false
  ) throws -> [FoundContact] {
    let query = SearchQuery(query, options: SearchOptions(fuzzy: fuzzy, t9: t9))
    return try store.read { db in
      let index = SearchIndex()
      let documents = DocumentSequence(cursor: try DocumentCursor(db))
      index.rebuild(from: documents)
      if let failure = documents.failure { throw failure }
      let hits = index.search(query, limit: index.count)
      guard explaining else { return hits.map { FoundContact(id: $0.id, score: $0.score, matches: []) } }
      var matches: [Int64: [FoundContact.Field]] = [:]
      let wanted = Set(hits.map(\.id))
      var cursor = try DocumentCursor(db)
      while matches.count < wanted.count, let document = try cursor.next(of: wanted) {
        matches[document.id] = (query.matches(in: document) ?? []).map {
          FoundContact.Field(field: $0.field.key, ranges: $0.ranges)
        }
      }
      return hits.map { FoundContact(id: $0.id, score: $0.score, matches: matches[$0.id] ?? []) }
    }
  }
}

/// The contacts of a cursor as the sequence that an index is built from; an error ends it and is kept.
private final class DocumentSequence: Sequence, IteratorProtocol {
  private var cursor: DocumentCursor
  private(set) var failure: (any Error)?

  init(cursor: DocumentCursor) { self.cursor = cursor }

  func next() -> SearchDocument? {
    do {
      return try cursor.next()
    } catch {
      failure = error
      return nil
    }
  }
}

/// All contacts as a search sees them, in one pass over each table side by side.
private struct DocumentCursor {
  private let contacts: RowCursor
  private var phones: ChildCursor
  private var emails: ChildCursor
  private var urls: ChildCursor
  private var addresses: ChildCursor
  private var groups: ChildCursor
  private var photos: ChildCursor

  init(_ db: Database) throws {
    contacts = try Row.fetchCursor(
      db,
      sql: """
        SELECT id, display_name, family, given, phonetic_family, phonetic_given, nickname, organization, department,
          title, note, kind, birthday IS NOT NULL
        FROM contact WHERE deleted_at IS NULL ORDER BY id
        """)
    phones = try ChildCursor(db, "SELECT contact_id, value FROM phone ORDER BY contact_id, position")
    emails = try ChildCursor(db, "SELECT contact_id, value FROM email ORDER BY contact_id, position")
    urls = try ChildCursor(db, "SELECT contact_id, value FROM url ORDER BY contact_id, position")
    addresses = try ChildCursor(
      db,
      """
      SELECT contact_id, \(Self.joinedAddress) FROM address ORDER BY contact_id, position
      """)
    groups = try ChildCursor(
      db,
      """
      SELECT m.contact_id, g.name FROM group_member m JOIN contact_group g ON g.id = m.group_id
      ORDER BY m.contact_id, g.name
      """)
    photos = try ChildCursor(db, "SELECT contact_id, '' FROM avatar ORDER BY contact_id")
  }

  /// The parts that hold text with blanks between them; `concat_ws` came later than the SQLite of Debian 12.
  private static let joinedAddress =
    "rtrim("
    + ["po_box", "extended", "street", "city", "region", "postal_code", "country"]
    .map { "CASE \($0) WHEN '' THEN '' ELSE \($0) || ' ' END" }.joined(separator: " || ") + ")"

  /// The next contact, or the next one of these ids.
  mutating func next(of wanted: Set<Int64>? = nil) throws -> SearchDocument? {
    while let row = try contacts.next() {
      let id: Int64 = row[0]
      if wanted?.contains(id) == false { continue }
      return try document(id, row)
    }
    return nil
  }

  private mutating func document(_ id: Int64, _ row: Row) throws -> SearchDocument {
    var document = SearchDocument(id: id, name: row[1])
    document.family = row[2]
    document.given = row[3]
    document.phoneticFamily = row[4]
    document.phoneticGiven = row[5]
    document.nickname = row[6]
    document.organization = row[7]
    document.department = row[8]
    document.title = row[9]
    document.note = row[10]
    document.isPerson = (row[11] as Int) == Contact.Kind.person.rawValue
    document.hasBirthday = row[12]
    document.phones = try phones.values(of: id)
    document.emails = try emails.values(of: id)
    document.urls = try urls.values(of: id)
    document.addresses = try addresses.values(of: id)
    document.groups = try groups.values(of: id)
    document.hasPhoto = try !photos.values(of: id).isEmpty
    return document
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

  /// Values of a parent; parents must be asked for in ascending order.
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
