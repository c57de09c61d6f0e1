import GRDB

/// The ids of contacts, page by page. In an intact book, each page has higher ids than the one before, each id once.
///
/// In a damaged book, rows may have ids that do not ascend, and SQLite then finds the same rows again and again. The
/// pages end when it finds no higher id.
package struct ContactIDPages {
  private let sql: String
  private let size: Int
  private var last = Int64.min

  /// - Parameters:
  ///   - table: `contact`, with or without an index hint.
  ///   - condition: selects contacts.
  package init(of table: String = "contact", where condition: String = "TRUE", size: Int = 500) {
    sql = "SELECT id FROM \(table) WHERE id > ? AND \(condition) ORDER BY id LIMIT ?"
    self.size = size
  }

  /// Contacts without a checksum.
  package static var unchecked: ContactIDPages {
    ContactIDPages(where: "NOT EXISTS (SELECT 1 FROM contact_checksum WHERE contact_id = id)")
  }

  /// Returns the next ids, in ascending order; none after the last.
  package mutating func next(_ db: Database) throws -> [Int64] {
    let found = try Int64.fetchAll(db.cachedStatement(sql: sql), arguments: [last, size])
    let ids = Set(found.lazy.filter { [last] in $0 > last }).sorted()
    // Continue after the last row, even if an earlier row has a higher id, or rows would be skipped.
    if let end = found.last, end > last { last = end } else if let end = ids.last { last = end }
    return ids
  }
}
