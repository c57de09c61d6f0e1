import Foundation
import GRDB
import Synchronization

/// Stores the journals of a book's bulk writes in a temporary SQLite database. Up to 2 MB stay in memory; the
/// rest is in a file with mode 0600 that is unlinked from the start, so that no crash leaves it behind
/// (https://www.sqlite.org/inmemorydb.html#temp_db).
final class JournalStorage: Sendable {
  private let database = Mutex<DatabaseQueue?>(nil)
  private let lastNumber = Atomic<Int64>(0)

  func makeNumber() -> Int64 { lastNumber.add(1, ordering: .relaxed).newValue }

  /// Adds entries. If a contact already has one, only its state after the write changes.
  func add(_ entries: [BulkJournal.Entry], to journal: Int64) throws {
    try open().write { db in
      let statement = try db.cachedStatement(
        sql: """
          INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET is_after = excluded.is_after, version = excluded.version, digest = excluded.digest,
            after = coalesce(excluded.after, after)
          """)
      for entry in entries {
        let (before, after) = (entry.before.columns, entry.after.columns)
        try statement.execute(arguments: [
          journal, entry.id, before.isPresent, before.record, after.isPresent, after.record, entry.version,
          entry.digest,
        ])
      }
    }
  }

  func entries(_ journal: Int64, after id: Int64, limit: Int) throws -> [BulkJournal.Entry] {
    try open().read { db in
      let rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT id, is_before, before, is_after, after, version, digest FROM entry
            WHERE journal = ? AND id > ? ORDER BY id LIMIT ?
            """), arguments: [journal, id, limit])
      var entries: [BulkJournal.Entry] = []
      while let row = try rows.next() {
        entries.append(
          BulkJournal.Entry(
            id: row[0], before: try .init(isPresent: row[1], record: row[2]),
            after: try .init(isPresent: row[3], record: row[4]), version: row[5], digest: row[6]))
      }
      return entries
    }
  }

  /// Removes a journal at some later time.
  func discard(_ journal: Int64) {
    database.withLock { $0 }?.asyncWriteWithoutTransaction { db in
      // Only room in the temporary file is at stake.
      try? db.execute(sql: "DELETE FROM entry WHERE journal = ?", arguments: [journal])
    }
  }

  private func open() throws -> DatabaseQueue {
    try database.withLock { known in
      if let known { return known }
      var configuration = Configuration()
      configuration.label = "addressbook.journal"
      let queue = try DatabaseQueue(path: "", configuration: configuration)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            PRAGMA synchronous = OFF;
            PRAGMA cache_size = -2000;
            CREATE TABLE entry (
              journal INTEGER NOT NULL, id INTEGER NOT NULL, is_before INTEGER NOT NULL, before BLOB,
              is_after INTEGER NOT NULL, after BLOB, version INTEGER NOT NULL, digest INTEGER NOT NULL,
              PRIMARY KEY (journal, id)) STRICT, WITHOUT ROWID;
            """)
      }
      known = queue
      return queue
    }
  }
}

extension BulkJournal.Entry.State {
  fileprivate var columns: (isPresent: Bool, record: Data?) {
    switch self {
    case .absent: (false, nil)
    case .present(let record): (true, record?.data)
    }
  }

  fileprivate init(isPresent: Bool, record: Data?) throws {
    self = isPresent ? .present(try record.map { try JournalRecord($0) }) : .absent
  }
}
