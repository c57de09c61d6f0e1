import GRDB

/// The contact count and state of a backup, which is a book that nobody writes to.
struct BackupFile {
  /// The number of contacts that are not deleted.
  let contactCount: Int
  /// The state, compared with the book's to see whether the book was changed since the backup.
  let state: BackupState

  /// Nil when the file is not a readable book.
  init?(_ path: String) {
    do {
      guard case .book = try StoreFile.inspect(.file(path), isCopy: true) else { return nil }
      let queue = try ImmutableFile.open(path)
      defer { try? queue.close() }
      (contactCount, state) = try queue.read { db in
        (try Int.fetchOne(db, sql: "SELECT total(count) FROM section_count") ?? 0, try BackupState(db))
      }
    } catch {
      return nil
    }
  }
}

/// Identifies a state of what the user keeps in a book. Every write of a contact adds a line to the change log; the
/// other tables are small, and are compared as they are.
///
/// The state of syncs is left out: with an older one, the next sync merges contacts and files with the same result.
struct BackupState: Hashable {
  private let schema: Int
  private let line: Int
  private let tables: [[Row]]

  init(_ db: Database) throws {
    schema = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    line =
      try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'results_log_contact'") ?? 0
    // A backup made by an earlier version lacks some of these tables.
    tables = try ["contact_group", "group_card", "smart_group", "not_same"].filter { try db.tableExists($0) }.map {
      try Row.fetchAll(db, sql: "SELECT * FROM \($0)")
    }
  }
}
