import GRDB

/// SQLite's own checks.
struct StructureCheck {
  /// SQLite's messages, at most one hundred; empty if there are no errors.
  private(set) var messages: [String] = []
  /// True if the tables themselves are damaged, not only their indexes.
  var needsSalvage: Bool { messages.contains { message in !Self.aboutIndexes.contains(where: message.contains) } }

  /// Words in messages about indexes, which can be recreated.
  private static let aboutIndexes = ["missing from index", "entries in index", "entry in index"]

  /// - Throws: `CancellationError`, or the database's error.
  init(_ db: Database, _ progress: DoctorProgress) throws {
    do {
      messages = try FileIntegrity.interrupting(db, progress.isCancelled) {
        try Row.fetchAll(db, sql: "PRAGMA integrity_check(100)").map { $0.text(0) }.filter { $0 != "ok" }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      throw CancellationError()
    }
  }

  var findings: [Finding] {
    messages.isEmpty
      ? [] : [Finding(.structure, .damage, count: messages.count, details: messages, isRepairable: true)]
  }

  /// Returns a finding for rows that refer to a missing contact, group or other row.
  /// - Parameter schema: tells which tables and columns other programs added; these are not examined.
  static func references(_ db: Database, _ schema: SchemaCheck? = nil) throws -> [Finding] {
    var tables: [String] = []
    var count = 0
    let rows = try Row.fetchCursor(db, sql: "PRAGMA foreign_key_check")
    while let row = try rows.next() {
      if let schema, try isAdded(row.text(0), key: row[3], schema, db) { continue }
      count += 1
      if !tables.contains(row.text(0)) { tables.append(row.text(0)) }
    }
    return count == 0 ? [] : [Finding(.references, .damage, count: count, details: tables, isRepairable: true)]
  }

  /// Returns true if another program added a table, or a column of one of its foreign keys.
  private static func isAdded(_ table: String, key: Int, _ schema: SchemaCheck, _ db: Database) throws -> Bool {
    if schema.additions.contains(table) { return true }
    let added = schema.columns.filter { $0.table == table }.map(\.name)
    if added.isEmpty { return false }
    let columns = try String.fetchAll(
      db, sql: "SELECT \"from\" FROM pragma_foreign_key_list(?) WHERE id = ?", arguments: [table, key])
    return columns.contains(where: added.contains)
  }
}
