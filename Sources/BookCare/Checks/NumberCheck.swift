import AddressBookModel
import ChangeLog
import Contacts
import GRDB

/// Checks the next ids of tables. If one is too low, an id could be assigned twice, or a cache could mistake new lines
/// of the change log for lines that it has read.
enum NumberCheck {
  /// Returns the tables of this program whose next id is not greater than their last id.
  static func tables(_ db: Database) throws -> [String] {
    let ours = try SchemaCheck.expected(version: Schema.version)
    let names = ours.filter { $0.type == "table" && $0.sql?.contains("AUTOINCREMENT") == true }.map(\.name)
    return try names.sorted().filter { name in
      let next = try Int64.fetchOne(db, sql: "SELECT max(seq) FROM sqlite_sequence WHERE name = ?", arguments: [name])
      let last = try Int64.fetchOne(db, sql: "SELECT max(rowid) FROM \(name.quotedDatabaseIdentifier)")
      return (last ?? 0) > (next ?? 0)
    }
  }

  static func findings(_ db: Database) throws -> [Finding] {
    let tables = try tables(db)
    var findings: [Finding] = []
    if !tables.isEmpty {
      findings.append(Finding(.numbers, .damage, count: tables.count, details: tables, isRepairable: true))
    }
    // Only a note: readers detect this themselves, another program may have caused it, and nothing is lost.
    if try lacksNewestLine(db) { findings.append(Finding(.changeLog, .note, isRepairable: true)) }
    return findings
  }

  /// Returns true if the change log lacks its newest line, which pruning keeps: the log was emptied, or its end was cut
  /// off.
  static func lacksNewestLine(_ db: Database) throws -> Bool {
    let newest = "(SELECT max(seq) FROM \(log))"
    return try Bool.fetchOne(
      db, sql: "SELECT max(seq) > coalesce(\(newest), 0) FROM sqlite_sequence WHERE name = ?", arguments: [log])
      ?? false
  }

  /// Adds a line without ids if the newest line is missing; every list and cache is then read again.
  static func completeLog(_ db: Database) throws {
    if try lacksNewestLine(db) { try db.execute(sql: "INSERT INTO \(log) (old_id, new_id) VALUES (NULL, NULL)") }
  }

  private static let log = ChangeTracking.contacts.logTable

  /// Corrects the next ids that are too low.
  /// - Returns: the number of tables that were corrected.
  static func correct(_ db: Database) throws -> Int {
    let tables = try tables(db)
    for table in tables {
      try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
      try db.execute(
        sql: "INSERT INTO sqlite_sequence SELECT ?, max(rowid) FROM \(table.quotedDatabaseIdentifier)",
        arguments: [table])
    }
    return tables.count
  }
}

/// Groups whose names differ between the table and its unique index, which only damage can cause.
struct GroupCheck {
  struct Difference {
    let id: Int64
    let name: String
    let indexed: String
  }

  let differences: [Difference]

  init(_ db: Database) throws {
    let names = try Self.names(db, "NOT INDEXED")
    let indexed = try Self.names(db, "INDEXED BY sqlite_autoindex_contact_group_2")
    differences = names.compactMap { id, name in
      indexed[id].flatMap { $0 == name ? nil : Difference(id: id, name: name, indexed: $0) }
    }.sorted { $0.id < $1.id }
  }

  private static func names(_ db: Database, _ source: String) throws -> [Int64: String] {
    let rows = try Row.fetchAll(db, sql: "SELECT id, name FROM contact_group \(source) ORDER BY name")
    return Dictionary(rows.map { ($0.integer(0), $0.text(1)) }, uniquingKeysWith: { first, _ in first })
  }

  var findings: [Finding] {
    differences.isEmpty
      ? []
      : [
        Finding(
          .groups, .damage, count: differences.count, details: differences.map { "\($0.name) / \($0.indexed)" },
          isRepairable: true)
      ]
  }
}

/// Finds damaged steps of the history, which cannot be undone.
enum HistoryCheck {
  /// - Throws: `CancellationError`, or the database's error.
  static func damagedSteps(_ db: Database, _ progress: DoctorProgress) throws -> [Int64] {
    var steps: Set<Int64> = []
    let rows = try StatementRows(
      db, db.makeStatement(sql: "SELECT \(EditEntry.summaryColumns), step_id FROM edit_entry"))
    var count = 0
    while let row = try rows.next() {
      count += 1
      if count.isMultiple(of: 4096) {
        try progress.check()
        progress.onProgress(.history, nil)
      }
      let step = row.integer(8)
      if !steps.contains(step), !isReadable(row) { steps.insert(step) }
    }
    steps.formUnion(try RangeCheck.stepsWithTooManyContacts(db))
    return steps.union(try RangeCheck(db).differences.map(\.step)).sorted()
  }

  private static func isReadable(_ row: StatementRow) -> Bool {
    var known: EditEntry.LastChanges?
    do {
      guard let delta = try EditEntry(row, &known).changes else { return true }
      _ = try delta.before(in: Contact())
      _ = try delta.after(in: Contact())
      return true
    } catch {
      return false
    }
  }

  static func findings(_ db: Database, _ progress: DoctorProgress) throws -> [Finding] {
    let steps = try damagedSteps(db, progress)
    return steps.isEmpty ? [] : [Finding(.history, .damage, count: steps.count, isRepairable: true)]
  }
}
