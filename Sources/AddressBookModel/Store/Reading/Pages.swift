import Foundation
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

/// The rows of the contacts that are not deleted, in section order, page by page: each page begins after the last key
/// of the previous one.
///
/// In a damaged book, the index may have keys that do not ascend, and SQLite would then find the same rows again and
/// again. The pages end after a page whose last key is not above that of the previous one.
package final class SectionOrderPages {
  private let sql: String
  private let size: Int
  private var last: Key?
  private var count = 0
  private var sum = 0.0
  private var isAtEnd = false
  private var isAscending = true

  private struct Key {
    let section: Int
    let sortKey: [UInt8]
    let id: Int64

    /// - Parameter row: ends with the columns of the key.
    init(_ row: Row) {
      section = row.number(row.count - 3)
      sortKey = row.bytes(row.count - 2)
      id = row.integer(row.count - 1)
    }

    func isBelow(_ other: Key) -> Bool {
      if section != other.section { return section < other.section }
      if sortKey != other.sortKey { return sortKey.lexicographicallyPrecedes(other.sortKey) }
      return id < other.id
    }

    var arguments: StatementArguments { [section, Data(sortKey), id] }
  }

  /// - Parameter columns: columns of `contact`.
  package init(columns: [String], size: Int) {
    self.size = max(1, size)
    sql = """
      SELECT \((columns + ["section", "sort_key", "id"]).joined(separator: ", ")) FROM contact
      WHERE deleted_at IS NULL AND (section, sort_key, id) > (?, ?, ?) ORDER BY section, sort_key, id LIMIT ?
      """
  }

  /// Returns the next rows, which begin with the columns; empty after the last.
  package func next(_ db: Database) throws -> [Row] {
    if isAtEnd { return [] }
    let arguments = last?.arguments ?? [-1, DatabaseValue.null, 0]
    let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments + [size])
    count += rows.count
    for row in rows { sum += Double(row.integer(row.count - 1)) }
    let end = rows.last.map { Key($0) }
    if let last, let end { isAscending = last.isBelow(end) }
    last = end
    isAtEnd = rows.count < size || !isAscending
    return rows
  }

  /// Returns false if all pages were read, and their keys do not ascend, the number of their rows differs from the
  /// section counts, or the sum of their ids from that of the table: the index may have one id in place of another.
  package func isComplete(_ db: Database) throws -> Bool {
    guard isAtEnd else { return true }
    guard isAscending else { return false }
    return try AddressBook.contactCount(db) == count
      && Double.fetchOne(db, sql: "SELECT total(id) FROM contact NOT INDEXED WHERE deleted_at IS NULL") == sum
  }
}

extension Array {
  /// Returns consecutive parts of the array, each with this many elements, except that the last may have fewer.
  package func batches(of size: Int) -> some Sequence<[Element]> {
    stride(from: 0, to: count, by: size).lazy.map { Array(self[$0..<Swift.min(count, $0 + size)]) }
  }
}
