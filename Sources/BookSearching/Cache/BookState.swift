import AddressBookModel
import ChangeLog
import ContactSearch
import GRDB

/// The state of a book from which a cache was made, which tells whether the cache is still valid.
///
/// The change log tells what was written since, but not whether this is still the same book: a restored copy or backup
/// may have a log that continues from the same line with other writes. So a random number is stored in the book before
/// a cache is written. A book that has the number contains everything that the cache does.
struct BookState: Hashable, Sendable {
  /// A random number of 128 bits.
  struct Nonce: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    static func random() -> Nonce { Nonce(high: .random(in: .min ... .max), low: .random(in: .min ... .max)) }
  }

  /// The numbers stored in the book, the newest first.
  var nonces: [Nonce]
  /// The number of the last line of the change log; 0 if there was none yet.
  var position: Int64
  /// SQLite's schema version: if triggers were removed since, the log is not trusted.
  var schema: Int64

  /// `schema` tells whether the triggers are unchanged, so they are not checked.
  private static let log = ChangeLogReader(installed: .contacts, rowID: "id")
  private static let key = "caches"
  /// How many numbers are kept: several processes and users may each have a cache of one book.
  private static let kept = 12

  init(nonces: [Nonce], position: Int64, schema: Int64) {
    self.nonces = nonces
    self.position = position
    self.schema = schema
  }

  /// Reads the state in a transaction.
  init(_ db: Database) throws {
    nonces = try Self.nonces(db)
    position = try Self.log.cursor(in: db).line
    schema = try Int64.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
  }

  /// Returns the contacts written since an earlier state; nil if unknown, because the earlier state is not one of this
  /// book, the schema was changed, or lines of the log are missing.
  func changes(since earlier: BookState, _ db: Database) throws -> Set<Int64>? {
    guard let nonce = earlier.nonces.first, nonces.contains(nonce), schema == earlier.schema,
      position >= earlier.position
    else { return nil }
    switch try Self.log.writes(since: LogCursor(line: earlier.position), in: db) {
    case .rows(let rows, _): return Set(rows.keys.compactMap(\.integer))
    case .lost: return nil
    }
  }

  /// Stores a new number in the book, and returns it.
  static func writeNonce(_ db: Database) throws -> Nonce {
    let nonce = Nonce.random()
    let text = ([nonce] + (try nonces(db))).prefix(kept).map { "\($0.high):\($0.low)" }.joined(separator: " ")
    try db.execute(
      sql: """
        INSERT INTO store_info(key, value) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value
        """,
      arguments: [key, text])
    return nonce
  }

  private static func nonces(_ db: Database) throws -> [Nonce] {
    let text = try String.fetchOne(db, sql: "SELECT value FROM store_info WHERE key = ?", arguments: [key]) ?? ""
    return text.split(separator: " ").compactMap { pair in
      let numbers = pair.split(separator: ":").compactMap { UInt64($0) }
      return numbers.count == 2 ? Nonce(high: numbers[0], low: numbers[1]) : nil
    }
  }
}

/// The places of all contacts in the list when an index was saved.
///
/// A query in half the time of abook needs it: reading the order of thousands of contacts from the book takes as long as
/// finding them.
struct StoredOrder: Sendable {
  private let ids: IndexMemory
  private let places: IndexMemory
  private let changed: Set<Int64>

  /// The place of a contact that is not in the list.
  private static let unknown = UInt32.max

  /// - Parameters:
  ///   - ids: the ids of the index, ascending.
  ///   - places: the place of each, as ``places(of:_:)`` returned them.
  ///   - changed: the contacts that were written since.
  init?(ids: IndexMemory, places: IndexMemory, changed: Set<Int64>) {
    guard places.count * 2 == ids.count else { return nil }
    self.ids = ids
    self.places = places
    self.changed = changed
  }

  /// How many contacts that were written since may be placed one by one.
  private static let mostChanged = 100

  /// Returns numbers in the order of the list, one for each contact. A contact that was written since stands behind the
  /// nearest one before it that was not.
  /// - Returns: nil if too many were written since, or one is not in the list.
  func places(of ids: [Int64], _ db: Database) throws -> [UInt64]? {
    let stored = ids.map { id in place(of: id).map { $0 << 32 } }
    let written = zip(ids, stored).compactMap { $1 == nil ? $0 : nil }
    guard written.count <= Self.mostChanged else { return nil }
    let listed = try written.isEmpty ? [] : AddressBook.idsInOrder(of: written, db)
    guard listed.count == written.count else { return nil }
    var moved: [Int64: UInt64] = [:]
    for (number, id) in listed.enumerated() { moved[id] = try placeBefore(id, db) << 32 + UInt64(number + 1) }
    return zip(ids, stored).compactMap { $1 ?? moved[$0] }
  }

  /// Returns the place of a contact, from 1 on; nil if it was written since, or is not in the list.
  private func place(of id: Int64) -> UInt64? {
    if changed.contains(id) { return nil }
    let known = UnsafeRawBufferPointer(ids.bytes).assumingMemoryBound(to: Int64.self)
    let places = UnsafeRawBufferPointer(self.places.bytes).assumingMemoryBound(to: UInt32.self)
    let row = known.firstIndex(notBelow: id)
    guard row < known.count, known[row] == id, places[row] != Self.unknown else { return nil }
    return UInt64(places[row]) + 1
  }

  /// Returns the place of the nearest contact before another that was not written since; 0 if there is none.
  private func placeBefore(_ id: Int64, _ db: Database) throws -> UInt64 {
    let before = try Int64.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT id FROM contact
          WHERE deleted_at IS NULL AND (section, sort_key, id) < (SELECT section, sort_key, id FROM contact WHERE id = ?)
          ORDER BY section DESC, sort_key DESC, id DESC
          """), arguments: [id])
    while let id = try before.next() { if let place = place(of: id) { return place } }
    return 0
  }

  /// Returns the places of contacts in the list of the book.
  /// - Parameter ids: their ids, ascending.
  static func places(of ids: UnsafeBufferPointer<Int64>, _ db: Database) throws -> [UInt32] {
    var places = [UInt32](repeating: unknown, count: ids.count)
    let listed = try Int64.fetchCursor(
      db, sql: "SELECT id FROM contact WHERE deleted_at IS NULL ORDER BY section, sort_key, id")
    var place: UInt32 = 0
    while let id = try listed.next() {
      let row = ids.firstIndex(notBelow: id)
      if row < ids.count, ids[row] == id { places[row] = place }
      place += 1
    }
    return places
  }
}
