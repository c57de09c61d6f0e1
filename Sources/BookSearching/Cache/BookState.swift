import AddressBookModel
import ChangeLog
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
