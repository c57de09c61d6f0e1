import AddressBookModel
import GRDB
import GRDBSQLite
import Glibc
import SystemCalls

/// Copies a book while others use it: one snapshot of the whole book, as a single file without a log.
///
/// SQLite's backup interface copies pages inside one read transaction, so that writers do not wait, and their writes do
/// not restart the copy (https://www.sqlite.org/backup.html).
enum BookCopy {
  /// How many pages are copied between two checks for cancellation: 1 MiB.
  private static let step: CInt = 256

  /// Copies what a connection sees to a file.
  /// - Parameters:
  ///   - source: a connection inside a transaction.
  ///   - file: where the copy is written; it takes its name when the caller commits it.
  ///   - isCancelled: called often; true ends the work.
  ///   - onProgress: called from time to time with the completed fraction, 0 to 1.
  /// - Throws: `CancellationError`, `FileFailure` of the copy, or the database's error.
  static func write(
    _ source: Database, to file: FileReplacement, path: String, isCancelled: @escaping () -> Bool = { false },
    onProgress: @escaping (Double) -> Void = { _ in }
  ) throws {
    // The first statement takes the snapshot that the connection sees until its transaction ends.
    _ = try Int.fetchOne(source, sql: "SELECT count(*) FROM sqlite_master")
    try file.fill { temporary in
      do {
        let copy = try DatabaseQueue(path: temporary, configuration: configuration)
        try copy.writeWithoutTransaction { target in
          try source.backup(to: target, pagesPerStep: step) { progress in
            if isCancelled(), !progress.isCompleted { throw CancellationError() }
            onProgress(Double(progress.completedPageCount) / Double(max(1, progress.totalPageCount)))
          }
          // The header of a book says that it has a write-ahead log. A copy needs none, and without one it can be read
          // in a read-only folder.
          _ = try String.fetchOne(target, sql: "PRAGMA journal_mode = DELETE")
        }
        try copy.close()
      } catch let error as DatabaseError {
        guard let code = code(of: error, path) else { throw error }
        throw FileFailure(path, code)
      }
    }
  }

  /// Writes do not wait for the disk: the file is flushed before it gets its name.
  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "addressbook.copy"
    configuration.prepareDatabase { db in
      _ = try String.fetchOne(db, sql: "PRAGMA locking_mode = EXCLUSIVE")
      _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = OFF")
      try db.execute(sql: "PRAGMA synchronous = OFF")
    }
    return configuration
  }

  /// Returns the system's error if the copy could not be written; nil if the book could not be read.
  private static func code(of error: DatabaseError, _ path: String) -> Int32? {
    switch error.extendedResultCode {
    case .SQLITE_FULL: return ENOSPC
    case .SQLITE_IOERR_WRITE, .SQLITE_IOERR_TRUNCATE, .SQLITE_IOERR_SHMSIZE:
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      return limit.rlim_cur < UInt.max / 2 ? EFBIG : ENOSPC
    default: return nil
    }
  }
}

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
