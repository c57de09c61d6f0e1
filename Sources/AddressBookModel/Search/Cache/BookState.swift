import ChangeLog
import GRDB

/// Which state of which book something was made from: what lets a cache know whether it still fits.
///
/// The change log says what was written since, but not whether this is still the book that it was: a copy that is put
/// back, or a book restored from a backup, may have a log that goes on from the same line with other writes. So whoever
/// writes a cache first leaves a random number in the book. A book that has the number has seen all that the cache has.
struct BookState: Hashable, Sendable {
  /// A random number of 128 bits.
  struct Nonce: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    static func random() -> Nonce { Nonce(high: .random(in: .min ... .max), low: .random(in: .min ... .max)) }
  }

  /// Numbers that were left in the book, the newest first.
  var nonces: [Nonce]
  /// The line of the change log that was written last; 0 when none was.
  var position: Int64
  /// SQLite's count of changes to the schema, so that a log whose triggers were taken away is not believed.
  var schema: Int64

  /// Whether the triggers are as they were is told by `schema`: they are not looked at.
  private static let log = ChangeLogReader(installed: .contacts, rowID: "id")
  private static let key = "caches"
  /// Several processes and several people may each keep a cache of one book.
  private static let kept = 12

  init(nonces: [Nonce], position: Int64, schema: Int64) {
    self.nonces = nonces
    self.position = position
    self.schema = schema
  }

  /// The state that a transaction sees.
  init(_ db: Database) throws {
    nonces = try Self.nonces(db)
    position = try Self.log.cursor(in: db).line
    schema = try Int64.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
  }

  /// Contacts that were written since an earlier state; nil when that cannot be told, because the earlier state is not
  /// one of this book, or because lines of the log are gone.
  func changes(since earlier: BookState, _ db: Database) throws -> Set<Int64>? {
    guard let nonce = earlier.nonces.first, nonces.contains(nonce), schema == earlier.schema,
      position >= earlier.position
    else { return nil }
    switch try Self.log.writes(since: LogCursor(line: earlier.position), in: db) {
    case .rows(let rows, _): return Set(rows.keys.compactMap(\.integer))
    case .lost: return nil
    }
  }

  /// Writes a new number into the book.
  static func writeNonce(_ db: Database) throws -> Nonce {
    let nonce = Nonce.random()
    let text = ([nonce] + (try nonces(db))).prefix(kept).map { "\($0.high):\($0.low)" }.joined(separator: " ")
    try db.execute(
      sql: "INSERT INTO store_info VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
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
