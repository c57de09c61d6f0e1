import GRDB

/// A request resolved against the schema: checked names, collations, and the SQL to run.
struct FetchPlan: Sendable {
  enum Collation: Sendable {
    case binary, noCase, rightTrim

    /// One of SQLite's own; nil for any other.
    init?(name: String) {
      switch name.uppercased() {
      case "BINARY": self = .binary
      case "NOCASE": self = .noCase
      case "RTRIM": self = .rightTrim
      default: return nil
      }
    }
  }

  struct KeyPart: Sendable {
    let ascending: Bool
    let collation: Collation
  }

  private(set) var request: ResultsRequest
  let keyParts: [KeyPart]
  /// Which selected column is the section: 1 when it is the first sort key or selected before the keys; nil when unsectioned.
  let sectionColumn: Int32?
  /// How the section column compares texts; expressions are compared byte by byte.
  let sectionCollation: Collation
  private let spelling: SectionSpelling
  /// The first selected column that is a sort key.
  let firstKeyColumn: Int32
  let idColumn: String
  let table: String
  let selection: String
  let ordering: String
  let filterSQL: String?
  let filterArguments: StatementArguments
  let sectionSQL: String?

  /// - Parameter spelling: How the sections of earlier readings are spelled.
  init(_ request: ResultsRequest, _ db: Database, spelling: SectionSpelling = SectionSpelling()) throws {
    try request.validate()
    guard try db.tableExists(request.table) else { throw ResultsError.unknownTable(request.table) }
    guard let rowID = try db.primaryKey(request.table).rowIDColumn else {
      throw ResultsError.unsupportedPrimaryKey(table: request.table)
    }
    func check(_ name: String) throws -> String {
      guard let collation = SQLite.collation(ofColumn: name, table: request.table, db) else {
        throw ResultsError.unknownColumn(name, table: request.table)
      }
      return collation
    }

    var parts: [KeyPart] = []
    var keys: [String] = []
    var order: [String] = []
    for key in request.sortKeys {
      let column = key.column
      let collation = try check(column)
      guard let known = Collation(name: collation) else {
        throw ResultsError.unsupportedCollation(collation, column: column)
      }
      parts.append(KeyPart(ascending: key.ascending, collation: known))
      keys.append(column.quotedDatabaseIdentifier)
      order.append(column.quotedDatabaseIdentifier + (key.ascending ? "" : " DESC"))
    }

    let id = rowID.quotedDatabaseIdentifier
    var selected = [id]
    switch request.sectionKey {
    case .column(let name):
      sectionCollation = Collation(name: try check(name)) ?? .binary
      let column = name.quotedDatabaseIdentifier
      sectionSQL = column
      sectionColumn = 1
      if name.lowercased() != request.sortKeys[0].column.lowercased() { selected.append(column) }
    case .expression(let expression):
      sectionSQL = "(\(expression))"
      sectionColumn = 1
      sectionCollation = .binary
      selected.append("(\(expression))")
    case nil:
      sectionSQL = nil
      sectionColumn = nil
      sectionCollation = .binary
    }
    self.spelling = spelling
    firstKeyColumn = Int32(selected.count)
    self.request = request
    keyParts = parts
    idColumn = id
    table = request.table.quotedDatabaseIdentifier
    selection = (selected + keys).joined(separator: ", ")
    ordering = (order + [id]).joined(separator: ", ")
    switch request.filter {
    case .all:
      filterSQL = nil
      filterArguments = StatementArguments()
    case .sql(let sql, let arguments):
      filterSQL = "(\(sql))"
      filterArguments = arguments
    }
  }

  /// The same plan for a request of the same base.
  func with(_ request: ResultsRequest) -> FetchPlan {
    var copy = self
    copy.request = request
    return copy
  }

  /// The section of a row, from a column that holds its section key.
  func section(_ row: RawRow, _ column: Int32) -> SectionValue {
    if sectionCollation != .binary, row.kind(column) == .text {
      return spelling.section(row.bytes(column, .text), sectionCollation)
    }
    return row.sectionValue(column)
  }

  private var whereClause: String { filterSQL.map { " WHERE \($0)" } ?? "" }

  /// Every row of the list: id, section, sort keys. In order, or as the table gives them.
  func indexSQL(ordered: Bool) -> String {
    "SELECT \(selection) FROM \(table)\(whereClause)" + (ordered ? " ORDER BY \(ordering)" : "")
  }

  /// Whether SQLite should order the rows. With a filter that no covering index serves it is quicker to sort here: ordered,
  /// SQLite would walk the index and probe the table row by row.
  func letsSQLiteOrder(_ db: Database) throws -> Bool {
    if filterSQL == nil { return true }
    let rows = try Row.fetchAll(
      db, sql: "EXPLAIN QUERY PLAN " + indexSQL(ordered: true), arguments: filterArguments)
    let steps = rows.map { row -> String in row["detail"] }
    return steps.contains { $0.contains("COVERING INDEX") } && !steps.contains { $0.contains("TEMP B-TREE") }
  }

  /// The ids of some rows of the list, by LIMIT and OFFSET.
  func pageSQL(limit: Int, offset: Int) -> String {
    "SELECT \(idColumn) FROM \(table)\(whereClause) ORDER BY \(ordering) LIMIT \(limit) OFFSET \(offset)"
  }

  /// The section values and counts in the order of the list.
  var countsSQL: String {
    guard let sectionSQL else { return "SELECT NULL, count(*) FROM \(table)\(whereClause)" }
    if request.sectionKey == .column(request.sortKeys[0].column) {
      let direction = request.sortKeys[0].ascending ? "" : " DESC"
      return "SELECT \(sectionSQL), count(*) FROM \(table)\(whereClause) GROUP BY 1 ORDER BY 1\(direction)"
    }
    let first = request.sortKeys[0]
    let key = first.column.quotedDatabaseIdentifier
    let edge = first.ascending ? "min(\(key))" : "max(\(key)) DESC"
    return "SELECT \(sectionSQL), count(*) FROM \(table)\(whereClause) GROUP BY 1 ORDER BY \(edge)"
  }

  /// The written rows that are in the list: id, section, sort keys, content. The ids come from the log past the cursor.
  func written(
    log: String, cursor: Int64, content: String
  ) -> (sql: String, arguments: StatementArguments, isRepeated: Bool) {
    // A parameter of ours would take the number of one that the filter names by number.
    let mayBind = filterSQL?.contains(/\?[0-9]/) != true
    let after = mayBind ? ":results_cursor" : String(cursor)
    let written =
      "SELECT old_id AS results_id FROM \(log) WHERE seq > \(after) UNION SELECT new_id FROM \(log) WHERE seq > \(after)"
    let sql =
      "SELECT \(selection), \(content) FROM (\(written)) CROSS JOIN \(table) ON \(idColumn) = results_id\(whereClause)"
    return mayBind
      ? (sql, filterArguments + ["results_cursor": cursor], true) : (sql, filterArguments, false)
  }

  /// The content of every row of the list: id, content.
  func contentSQL(content: String) -> String { "SELECT \(idColumn), \(content) FROM \(table)\(whereClause)" }
}
