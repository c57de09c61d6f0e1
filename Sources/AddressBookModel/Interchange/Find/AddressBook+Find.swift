import ContactSearch
import Foundation
import GRDB

extension AddressBook {
  /// What matches a query, best first; equally good ones in section order.
  ///
  /// For a command that asks once and ends: every contact is looked at, and no index is built. A screen that searches with
  /// every key keeps a `SearchIndex`.
  /// - Parameters:
  ///   - query: the words, in the language of `SearchQuery`.
  ///   - fuzzy: takes sounds that are often confused as one.
  ///   - t9: lets digits also stand for the letters on a phone's keys.
  public func find(_ query: String, fuzzy: Bool = false, t9: Bool = false) throws -> [FoundContact] {
    let query = SearchQuery(query, options: SearchOptions(fuzzy: fuzzy, t9: t9))
    return try store.read { db in
      var found: [(contact: FoundContact, place: Data)] = []
      var documents = try DocumentCursor(db)
      while let (document, place) = try documents.next() {
        guard let (score, matches) = query.evaluate(document) else { continue }
        let fields = matches.map { FoundContact.Field(field: $0.field.key, ranges: $0.ranges) }
        found.append((FoundContact(id: document.id, score: score, matches: fields), place))
      }
      found.sort { left, right in
        if left.contact.score != right.contact.score { return left.contact.score > right.contact.score }
        if left.place != right.place { return left.place.lexicographicallyPrecedes(right.place) }
        return left.contact.id < right.contact.id
      }
      return found.map(\.contact)
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
          title, note, kind, birthday IS NOT NULL, sort_key
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

  mutating func next() throws -> (SearchDocument, Data)? {
    guard let row = try contacts.next() else { return nil }
    let id: Int64 = row[0]
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
    return (document, row[13])
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
