import CSystem
import ChangeLog
import GRDB

/// A replacement for the book's triggers in a transaction that writes many contacts: running them for every row takes
/// three times as long as the inserts. It counts sections in memory, and writes the lines of the change log for a range
/// of new contacts at once.
///
/// It replaces the triggers for additions, and for updates by ``update(_:_:)``; nothing else may be written to a
/// contact or its parts meanwhile. The writer increments the versions itself (``OwnVersions``).
///
/// An import in 2.5 times the time of bare SQLite needs it: with the triggers it takes 3.8 times.
final class TriggerReplacement {
  /// Below this number of contacts, comparing the triggers with those of a new book costs more than the replacement
  /// saves.
  static let minimum = 256

  private let db: Database
  private let log = ChangeTracking.contacts
  private var sections: [Int: Int] = [:]
  /// New contacts whose lines are not in the log yet.
  private var added: ClosedRange<Int64>?

  /// Suspends the triggers of the connection until ``finish()`` or ``cancel()``. Returns nil if the triggers of the book
  /// differ from those of a new book, because they must run then.
  init?(_ db: Database) throws {
    self.db = db
    let select = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
    let present = try Row.fetchAll(db, sql: select)
    guard try present == Migrations.freshBook().read({ try Row.fetchAll($0, sql: select) }) else { return nil }
    try setTriggers(true)
  }

  /// Stands in for the triggers of a contact that was inserted.
  func recordAddition(_ id: Int64, section: Int) throws {
    sections[section, default: 0] += 1
    if let range = added, range.upperBound + 1 == id {
      added = range.lowerBound...id
    } else {
      try logAdded()
      added = id...id
    }
  }

  /// Stands in for the triggers of contacts that `body` updates once each, with or without their parts.
  func update(_ ids: [Int64], _ body: () throws -> Void) throws {
    try logAdded()
    let before = try ids.map(versionAndSection)
    try body()
    for (id, before) in zip(ids, before) {
      guard let before, let after = try versionAndSection(of: id) else { continue }
      if after.version != before.version {
        try db.cachedStatement(
          sql: "INSERT INTO \(log.logTable) (old_id, new_id, old_content) VALUES (?1, ?1, quote(?2))"
        ).execute(arguments: [id, before.version])
      }
      try db.cachedStatement(sql: "DELETE FROM contact_checksum WHERE contact_id = ?").execute(arguments: [id])
      if let section = before.section { sections[section, default: 0] -= 1 }
      if let section = after.section { sections[section, default: 0] += 1 }
    }
  }

  /// Writes the remaining log lines and the section counts, and enables the triggers again.
  func finish() throws {
    try logAdded()
    for (section, difference) in sections where difference != 0 {
      try db.cachedStatement(sql: "UPDATE section_count SET count = count + ? WHERE section = ?")
        .execute(arguments: [difference, section])
    }
    // The lines beyond those that the log keeps.
    try db.execute(
      sql: "DELETE FROM \(log.logTable) WHERE seq <= (SELECT max(seq) FROM \(log.logTable)) - ?",
      arguments: [log.capacity])
    try setTriggers(false)
  }

  /// Enables the triggers again, before the transaction is rolled back.
  func cancel() {
    do {
      try setTriggers(false)
    } catch {
      // The connection is no longer usable.
    }
  }

  private func setTriggers(_ areSuspended: Bool) throws {
    let code = sqlite_set_triggers(db.sqliteConnection, areSuspended ? 0 : 1)
    guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Returns the version of a contact, and its section unless it is deleted; nil if there is none.
  private func versionAndSection(of id: Int64) throws -> (version: Int, section: Int?)? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT version, iif(deleted_at IS NULL, section, NULL) FROM contact WHERE id = ?"),
      arguments: [id]
    ).map { ($0.number(0), Int.fromDatabaseValue($0[1])) }
  }

  /// Writes the lines of new contacts. If there are more than the log keeps, it writes only the last one: readers see
  /// the gap and reread the table, as after pruning.
  private func logAdded() throws {
    guard let range = added else { return }
    added = nil
    guard range.count > log.capacity else {
      try db.cachedStatement(
        sql: """
          INSERT INTO \(log.logTable) (old_id, new_id, old_content)
          SELECT NULL, id, NULL FROM contact WHERE id BETWEEN ? AND ? ORDER BY id
          """
      ).execute(arguments: [range.lowerBound, range.upperBound])
      return
    }
    try db.execute(
      sql: "INSERT INTO \(log.logTable) (seq, old_id, new_id, old_content) VALUES (?, NULL, ?, NULL)",
      arguments: [ContactChecksums.line(db) + Int64(range.count), range.upperBound])
  }
}
