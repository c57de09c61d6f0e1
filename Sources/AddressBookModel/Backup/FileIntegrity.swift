import GRDB
import GRDBSQLite

/// Checks files that nobody writes to: whether they are intact SQLite databases, and which contacts are damaged.
enum FileIntegrity {
  /// The number of SQLite instructions, or of checked pages, between two checks for cancellation: a few milliseconds.
  private static let pause: CInt = 1_000

  /// - Parameters:
  ///   - isThorough: true to compare the indexes with their tables too.
  ///   - isCancelled: called often; true ends the work with `CancellationError`.
  static func isIntact(_ path: String, isThorough: Bool = false, isCancelled: @escaping () -> Bool = { false }) throws
    -> Bool
  {
    let queue = try ImmutableFile.open(path)
    defer { try? queue.close() }
    do {
      return try queue.read { db in
        try interrupting(db, isCancelled) {
          try String.fetchOne(db, sql: "PRAGMA \(isThorough ? "integrity_check" : "quick_check")(1)") == "ok"
        }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      throw CancellationError()
    } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
      return false
    }
  }

  /// Returns the ids of contacts that differ from their checksums; after a cancellation, those found so far.
  static func damagedContacts(_ path: String, isCancelled: () -> Bool) throws -> [Int64] {
    let queue = try ImmutableFile.open(path)
    defer { try? queue.close() }
    let damage = DamageLog()
    var pages = ContactIDPages()
    while !isCancelled() {
      let ids = try queue.read { db in
        let ids = try pages.next(db)
        _ = try ContactLoader(db, damage: damage).load(ids)
        return ids
      }
      if ids.isEmpty { break }
    }
    return damage.contacts
  }

  /// Runs `body`, whose statements fail with `SQLITE_INTERRUPT` after a cancellation.
  static func interrupting<Value>(
    _ db: Database, _ isCancelled: @escaping () -> Bool, _ body: () throws -> Value
  ) rethrows -> Value {
    let question = Question(isCancelled)
    return try withExtendedLifetime(question) {
      sqlite3_progress_handler(
        db.sqliteConnection, pause,
        { context in
          guard let context else { return 0 }
          return Unmanaged<Question>.fromOpaque(context).takeUnretainedValue().isCancelled() ? 1 : 0
        }, Unmanaged.passUnretained(question).toOpaque())
      defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
      return try body()
    }
  }

  private final class Question {
    let isCancelled: () -> Bool

    init(_ isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }
  }
}
