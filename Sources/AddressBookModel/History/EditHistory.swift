import Contacts
import GRDB

/// The history of a book's changes: its limits, and which step an undo reverses.
enum EditHistory {
  /// Steps older than this many days are removed.
  static let days = 90
  /// Steps are removed when all later ones together have at least this many bytes; the newest step is always kept.
  static let bytes: Int64 = 64 << 20
  /// The size in bytes that the row of a step counts as.
  static let bytesOfStep = 160
  /// Removing more entries than this takes long: only the step of as many contacts removes more at once.
  private static let quickCount = 500

  /// Returns the number of the newest step made at or before a time; 0 if there is none.
  static func newest(_ db: Database, by time: String) throws -> Int64 {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM edit_step WHERE made_at <= ? ORDER BY id DESC LIMIT 1"),
      arguments: [time]) ?? 0
  }

  /// Removes steps that are too old, or that have too many bytes after them, the oldest first. A step with many entries
  /// may be removed in parts, by the steps that follow. From the first part on, it is not in the history: it counts as
  /// reversed by itself.
  static func prune(_ db: Database, upTo newest: Int64) throws {
    guard
      let last = try Row.fetchOne(
        db.cachedStatement(sql: "SELECT total_bytes, count FROM edit_step WHERE id = ?"), arguments: [newest])
    else { return }
    let total = last.integer(0)
    var left = max(quickCount, last.number(1))
    let oldest = Timestamp.daysAgo(days)
    while true {
      let first = try Row.fetchOne(
        db.cachedStatement(sql: "SELECT id, total_bytes, made_at FROM edit_step ORDER BY id LIMIT 1"))
      guard let first, first.integer(0) != newest, total &- first.integer(1) >= bytes || first.text(2) < oldest
      else { return }
      let step = first.integer(0)
      try db.cachedStatement(
        sql: """
          DELETE FROM edit_entry WHERE step_id = ?1
            AND contact_id IN (SELECT contact_id FROM edit_entry WHERE step_id = ?1 ORDER BY contact_id LIMIT ?2)
          """
      ).execute(arguments: [step, left])
      left -= db.changesCount
      guard left > 0 else {
        try db.cachedStatement(sql: "UPDATE edit_step SET reversed_by = id WHERE id = ?").execute(arguments: [step])
        return
      }
      try db.cachedStatement(sql: "DELETE FROM edit_step WHERE id = ?").execute(arguments: [step])
    }
  }

  /// Removes the names of contacts from steps whose contacts were all removed for good.
  static func removeNames(_ db: Database) throws {
    let actions = StepName.Action.allCases.filter(\.namesContact).map { "'\($0.rawValue)'" }.joined(separator: ", ")
    try db.execute(
      sql: """
        UPDATE edit_step SET subject = '' WHERE action IN (\(actions)) AND subject <> ''
          AND NOT EXISTS (SELECT 1 FROM edit_entry WHERE step_id = edit_step.id)
        """)
  }

  // MARK: - Choosing a step

  /// Returns the step that an undo reverses: the newest change or redo that has not been undone.
  /// - Parameter session: only steps of this session, and those before it; nil for all.
  static func stepToUndo(_ db: Database, _ session: EditSession?) throws -> EditStep? {
    let (sql, arguments) = try visible(db, session)
    return try newestNotReversed(db, "kind <> 1 AND \(sql)", arguments)
  }

  /// Returns the step that a redo reverses: the newest undo that has not been redone, unless something was changed
  /// since.
  static func stepToRedo(_ db: Database, _ session: EditSession?) throws -> EditStep? {
    let (sql, arguments) = try visible(db, session)
    let newestChange = "coalesce((SELECT max(id) FROM edit_step WHERE kind = 0 AND \(sql)), 0)"
    return try newestNotReversed(db, "kind = 1 AND \(sql) AND id > \(newestChange)", arguments + arguments)
  }

  /// Returns a step by its number; nil if the history no longer has it.
  static func step(_ db: Database, _ id: Int64) throws -> EditStep? {
    try fetch(db, "id = ? AND reversed_by IS NOT id", [id])
  }

  /// Returns the newest step that no later one has reversed.
  private static func newestNotReversed(
    _ db: Database, _ condition: String, _ arguments: StatementArguments
  ) throws -> EditStep? {
    try fetch(db, "reversed_by IS NULL AND \(condition) ORDER BY id DESC LIMIT 1", arguments)
  }

  private static func fetch(
    _ db: Database, _ condition: String, _ arguments: StatementArguments
  ) throws -> EditStep? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT \(EditStep.columns) FROM edit_step WHERE \(condition)"), arguments: arguments
    ).map { EditStep($0) }
  }

  private static func visible(_ db: Database, _ session: EditSession?) throws -> (String, StatementArguments) {
    guard let session else { return ("TRUE", []) }
    let mark = try session.mark { try newest(db, by: $0) }
    return ("(session = ? OR id <= ?)", [session.id, mark])
  }
}

extension AddressBook {
  /// Returns the step that an undo reverses; nil if there is none.
  /// - Parameter session: only steps of this session, and those before it; nil for all.
  public func stepToUndo(in session: EditSession? = nil) throws(StoreError) -> EditStep? {
    try store.read { try EditHistory.stepToUndo($0, session) }
  }

  /// Returns the step that a redo reverses; nil if there is none, or if something was changed since the undo.
  /// - Parameter session: only steps of this session, and those before it; nil for all.
  public func stepToRedo(in session: EditSession? = nil) throws(StoreError) -> EditStep? {
    try store.read { try EditHistory.stepToRedo($0, session) }
  }

  /// Returns a step of the history by its number; nil if there is none.
  public func step(_ id: Int64) throws(StoreError) -> EditStep? { try store.read { try EditHistory.step($0, id) } }

  /// Returns the steps of the history, the newest first.
  /// - Parameter limit: the maximum number; negative for all.
  public func history(limit: Int = -1) throws(StoreError) -> [EditStep] {
    try store.read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT \(EditStep.columns) FROM edit_step WHERE reversed_by IS NOT id ORDER BY id DESC LIMIT ?",
        arguments: [limit]
      ).map { EditStep($0) }
    }
  }
}

extension Store {
  /// Reconstructs a contact as it was in an earlier version from the steps that were written since.
  /// - Returns: nil if the contact never had that version or has no row, or if the history does not reach back to that
  ///   version without a gap.
  func contact(_ id: Int64, version: Int) throws(StoreError) -> Contact? {
    try read { db in
      guard var contact = try ContactLoader(db).load([id]).first else { return nil }
      for entry in try EditEntry.fetch(db, contact: id, afterStep: 0).reversed() where contact.version > version {
        // A gap is a write without an entry, such as that of another program.
        guard entry.last == nil, entry.version == contact.version, entry.versionBefore > 0 else { return nil }
        if let changes = entry.changes {
          contact = try changes.before(in: contact)
        } else {
          let names = try Self.formerNames(db, contact: id, version: entry.version)
          contact.groups = contact.groups.map { names[$0] ?? $0 }.sorted()
        }
        contact.version = entry.versionBefore
      }
      return contact.version == version ? contact : nil
    }
  }

  /// Returns the former names of the groups that the step which wrote a version of a contact renamed, keyed by the new
  /// ones.
  private static func formerNames(_ db: Database, contact: Int64, version: Int) throws -> [String: String] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT g.after, g.before FROM edit_entry e JOIN edit_group g ON g.step_id = e.step_id
        WHERE e.contact_id = ? AND e.version = ? AND g.before <> g.after
        """, arguments: [contact, version])
    return Dictionary(rows.map { ($0.text(0), $0.text(1)) }, uniquingKeysWith: { first, _ in first })
  }
}
