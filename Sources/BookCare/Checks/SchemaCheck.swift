import AddressBookModel
import GRDB

/// Compares the tables, indexes, triggers and views of a book with those of a new one.
struct SchemaCheck {
  /// A table, index, trigger or view.
  struct Object: Hashable {
    let type: String
    let name: String
    let sql: String?
  }

  /// A column of a table.
  struct Column: Hashable {
    let table: String
    let name: String
  }

  /// Tables that are missing, or whose columns or constraints differ other than by added columns.
  private(set) var tables: [String] = []
  /// Indexes and triggers to recreate, in the order in which the program makes them.
  private(set) var missing: [Object] = []
  /// Altered indexes and triggers that must be removed first.
  private(set) var altered: [Object] = []
  /// The names of objects that another program added.
  private(set) var additions: [String] = []
  /// The columns that another program added.
  private(set) var columns: [Column] = []

  /// - Parameter version: the version of the schema that the book says it has.
  init(_ db: Database, version: Int32) throws {
    let expected = try Self.expected(version: version)
    let present = try Self.objects(db)
    let byName = Dictionary(present.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for object in expected where byName[object.name] != object {
      if object.type == "table" {
        if let added = try byName[object.name].flatMap({ try Self.columns(added: $0, to: object) }) {
          columns += added
        } else {
          tables.append(object.name)
        }
      } else if object.sql != nil {
        missing.append(object)
        if let other = byName[object.name] { altered.append(other) }
      } else {
        // The index of a UNIQUE column has no SQL text: it differs because its table does.
        tables.append(object.name)
      }
    }
    let known = Set(expected.map(\.name))
    additions = present.map(\.name).filter { !known.contains($0) && !$0.hasPrefix("sqlite_stat") }
  }

  /// Returns the columns that `ALTER TABLE` added to a table; nil if the table differs in anything else.
  private static func columns(added present: Object, to expected: Object) throws -> [Column]? {
    guard let old = expected.sql, let new = present.sql, new.hasPrefix("CREATE TABLE ") else { return nil }
    return try DatabaseQueue().write { db in
      func columns(_ table: String) throws -> [String] {
        try db.makeStatement(sql: table).execute()
        return try String.fetchAll(db, sql: "SELECT name FROM pragma_table_xinfo(?)", arguments: [expected.name])
      }
      let name = expected.name.quotedDatabaseIdentifier
      do {
        let known = try columns(old)
        try db.execute(sql: "DROP TABLE \(name)")
        let all = try columns(new)
        guard all.count > known.count, all.starts(with: known) else { return nil }
        let added = all[known.count...]
        for column in added.reversed() {
          try db.execute(sql: "ALTER TABLE \(name) DROP COLUMN \(column.quotedDatabaseIdentifier)")
        }
        let rest = try String.fetchOne(
          db, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [expected.name])
        return rest == old ? added.map { Column(table: expected.name, name: $0) } : nil
      } catch is DatabaseError {
        // Another column or constraint depends on one of them, or the text is not that of a table.
        return nil
      }
    }
  }

  var findings: [Finding] {
    var findings: [Finding] = []
    if !tables.isEmpty {
      findings.append(Finding(.tables, .damage, count: tables.count, details: tables, isRepairable: true))
    }
    if !missing.isEmpty {
      findings.append(
        Finding(.schema, .damage, count: missing.count, details: missing.map(\.name), isRepairable: true))
    }
    let added = additions + columns.map { $0.table + "." + $0.name }
    if !added.isEmpty {
      findings.append(Finding(.additions, .note, count: added.count, details: added))
    }
    return findings
  }

  func restore(_ db: Database) throws {
    for object in altered {
      try db.execute(sql: "DROP \(object.type.uppercased()) \(object.name.quotedDatabaseIdentifier)")
    }
    for object in missing { try object.sql.map { try db.execute(sql: $0) } }
  }

  /// Returns the tables, indexes and triggers of a new book with this schema version.
  static func expected(version: Int32) throws -> [Object] { try Migrations.freshBook(version: version).read(objects) }

  private static func objects(_ db: Database) throws -> [Object] {
    try Row.fetchAll(db, sql: "SELECT type, name, sql FROM sqlite_master ORDER BY rowid").map {
      Object(type: $0.text(0), name: $0.text(1), sql: $0.optionalText(2))
    }
  }
}

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
