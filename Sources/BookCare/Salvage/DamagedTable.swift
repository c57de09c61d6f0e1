import AddressBookModel
import Foundation
import GRDB

/// A table of the schema. It recognizes its rows by the number and the types of their values.
struct DamagedTable {
  struct Column {
    let name: String
    let type: String
    let isRequired: Bool
    let isRowID: Bool
  }

  let name: String
  let columns: [Column]
  /// How many columns it has or had in an earlier version: a migration that adds a column does not rewrite the rows, and
  /// the book may be an older one.
  let counts: ClosedRange<Int>
  let hasRowIDs: Bool
  /// The root page of its tree in a new book.
  let usualRoot: Int

  /// The tables whose rows are copied one by one, in the order in which they are written.
  static let names =
    ["contact", "contact_group", "smart_group"] + Schema.labeledTables
    + [
      "address", "contact_card", "avatar", "group_card", "group_member", "not_same", "edit_step", "edit_entry",
      "edit_group",
      "contact_checksum", "contacted", "sync_folder", "synced_card", "synced_group",
    ]

  /// The table that holds the lines of vCards in books of earlier versions.
  static let cardLines = "card_line"

  /// Returns all tables of a new book and ``cardLines``, keyed by name. Adds ``cardLines`` to the book.
  static func all(in book: DatabaseQueue) throws -> [String: DamagedTable] {
    let counts = try Self.columnCounts()
    return try book.write { db in
      try db.execute(
        sql: """
          CREATE TABLE card_line (
            id INTEGER PRIMARY KEY, contact_id INTEGER NOT NULL, position INTEGER NOT NULL, line TEXT NOT NULL)
          """)
      let rows = try Row.fetchAll(db, sql: "SELECT name, rootpage, sql FROM sqlite_master WHERE type = 'table'")
      let tables = try rows.map { row -> DamagedTable in
        let hasRowIDs = !row.text(2).contains("WITHOUT ROWID")
        let columns = try Row.fetchAll(
          db, sql: "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)", arguments: [row.text(0)])
        return DamagedTable(
          name: row.text(0),
          columns: columns.map {
            Column(
              name: $0.text(0), type: $0.text(1), isRequired: $0.number(2) == 1,
              isRowID: hasRowIDs && $0.number(3) == 1 && $0.text(1) == "INTEGER")
          }, counts: counts[row.text(0)] ?? columns.count...columns.count, hasRowIDs: hasRowIDs,
          usualRoot: row.number(1))
      }
      return Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Returns the numbers of columns of each table in the versions of the schema that have it.
  private static func columnCounts() throws -> [String: ClosedRange<Int>] {
    let book = try DatabaseQueue()
    return try Migrations.identifiers.reduce(into: [:]) { counts, version in
      try Migrations.migrator.migrate(book, upTo: version)
      let tables = try book.read { db in
        try Row.fetchAll(
          db,
          sql: """
            SELECT m.name, count(*) FROM sqlite_master m JOIN pragma_table_info(m.name) WHERE m.type = 'table' GROUP BY 1
            """)
      }
      for table in tables {
        let (count, known) = (table.number(1), counts[table.text(0)])
        counts[table.text(0)] = min(count, known?.lowerBound ?? count)...max(count, known?.upperBound ?? count)
      }
    }
  }

  /// Returns the statements of the schema that only a book has: those of SQLite's and GRDB's own tables are in other
  /// programs' files too.
  static func ownStatements(in book: DatabaseQueue) throws -> Set<String> {
    try book.read { db in
      try String.fetchSet(
        db,
        sql: """
          SELECT sql FROM sqlite_master
          WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE 'grdb!_%' ESCAPE '!'
          """)
    }
  }

  /// Returns true if the row has as many values as this table has columns or had in an earlier version, or fewer if it
  /// is cut off, and their types match.
  func fits(_ record: PageRecord) -> Bool {
    record.values.count <= counts.upperBound && (record.values.count >= counts.lowerBound || !record.isWhole)
      && hasTypes(of: record)
  }

  /// Returns true if the row has more values than this table has columns, and the types of the first ones match.
  func matchesBeginning(of record: PageRecord) -> Bool {
    record.values.count > counts.upperBound && hasTypes(of: record)
  }

  private func hasTypes(of record: PageRecord) -> Bool {
    guard hasRowIDs == (record.rowID != nil) else { return false }
    return zip(columns, record.values).allSatisfy { column, value in
      if column.isRowID { return value.isNull }
      switch value {
      case .null: return !column.isRequired
      case .integer: return column.type == "INTEGER" || column.type.isEmpty
      case .text: return column.type == "TEXT" || column.type.isEmpty
      case .blob: return column.type == "BLOB" || column.type.isEmpty
      case .real: return column.type.isEmpty
      }
    }
  }

  /// Returns the arguments of ``insertion`` for a row: its values, converted to the types of the columns. The values of
  /// columns that another program added are left out.
  func values(_ record: PageRecord) -> [DatabaseValue] {
    columns.enumerated().map { index, column in
      if column.isRowID, let id = record.rowID { return id.databaseValue }
      return Self.value(index < record.values.count ? record.values[index] : .null, for: column)
    }
  }

  /// Returns the id of the contact that a row belongs to; nil if it belongs to none, or the id is lost.
  func contact(of record: PageRecord) -> Int64? {
    guard let index = columns.firstIndex(where: { $0.name == "contact_id" }) else { return nil }
    if columns[index].isRowID { return record.rowID }
    return record.values.indices.contains(index) ? record.values[index].integer : nil
  }

  private static func value(_ value: PageRecord.Value, for column: Column) -> DatabaseValue {
    switch (value, column.type) {
    case (.null, _) where !column.isRequired: return .null
    case (.integer(let number), "INTEGER"): return number.databaseValue
    case (_, "INTEGER"): return column.isRequired ? 0.databaseValue : .null
    case (.text(let data), _), (.blob(let data), _): return data.databaseValue
    case (.integer(let number), _): return Data(String(number).utf8).databaseValue
    case (.real(let number), _): return Data(String(number).utf8).databaseValue
    case (.null, _): return Data().databaseValue
    }
  }

  /// The statement that inserts a row unless that violates a constraint, such as a key that is taken. Text is bound as
  /// a blob, so that invalid UTF-8 is kept.
  var insertion: String {
    let marks = columns.map { $0.type == "TEXT" ? "CAST(? AS TEXT)" : "?" }.joined(separator: ", ")
    return "INSERT OR IGNORE INTO \(name) (\(columns.map(\.name).joined(separator: ", "))) VALUES (\(marks))"
  }
}

/// Finds the tables of pages with labeled values that no tree leads to. The tables of phones, emails and so on have the
/// same columns, so their indexes decide; if the indexes are lost too, the values do.
struct LabeledPages {
  /// The pages, each with its table.
  private(set) var tables: [(page: Int, table: String)] = []

  private struct Key: Hashable {
    let contact: Int64
    let position: Int64
    let row: Int64
  }

  init(_ book: DamagedBook, _ numbers: [Int]) {
    guard !numbers.isEmpty else { return }
    var pageOfValue: [Key: Int] = [:]
    for number in numbers {
      for record in book.records(ofPage: number) {
        guard record.values.count > 2, let contact = record.values[1].integer,
          let position = record.values[2].integer, let row = record.rowID
        else { continue }
        pageOfValue[Key(contact: contact, position: position, row: row)] = number
      }
    }
    var hits: [Int: [String: Int]] = [:]
    for table in Schema.labeledTables {
      book.forEachEntry(ofIndex: table + "_contact") { entry in
        let numbers = entry.values.compactMap(\.integer)
        guard numbers.count == 3,
          let page = pageOfValue[Key(contact: numbers[0], position: numbers[1], row: numbers[2])]
        else { return }
        hits[page, default: [:]][table, default: 0] += 1
      }
    }
    tables = numbers.map { number in
      let best = hits[number]?.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      return (number, best ?? Self.guess(book.records(ofPage: number).compactMap { $0.values.last?.text }))
    }
  }

  private static func guess(_ values: [String]) -> String {
    func most(_ condition: (String) -> Bool) -> Bool { values.count(where: condition) * 2 > values.count }
    if most({ $0.contains("@") && !$0.contains("/") }) { return "email" }
    if most({ $0.contains("://") || $0.hasPrefix("www.") }) { return "url" }
    if most({ $0.contains(/^(-|[0-9]{4})-[0-9]{2}-[0-9]{2}$/) }) { return "contact_date" }
    if most({ $0.count(where: \.isNumber) >= 3 }) { return "phone" }
    return most({ $0.contains(" ") }) ? "related" : "handle"
  }
}
