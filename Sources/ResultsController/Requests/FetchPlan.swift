import ChangeLog
import GRDB

/// A request resolved against the schema: checked names, collations, and the SQL to run.
struct FetchPlan: Sendable {
  enum Collation: Sendable {
    case binary, noCase, rightTrim

    /// One of SQLite's built-in collations; nil for any other.
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
  /// The columns that identify a row.
  let key: PrimaryKey
  /// Numbers for rows whose key is not the rowid; nil if it is.
  let identities: RowIdentities?
  let keyParts: [KeyPart]
  /// The selected column with the section: the column after the primary key, which is the first sort key or an
  /// additional column before the sort keys; nil if the list has no sections.
  let sectionColumn: Int32?
  /// The collation of the section column; expressions are compared byte by byte.
  let sectionCollation: Collation
  private let spelling: SectionSpelling
  /// The first selected column that is a sort key.
  let firstKeyColumn: Int32
  /// The primary key's columns as a list.
  let keyList: String
  /// The table's name in SQL.
  let table: String
  private let from: String
  /// The prefix of the table's columns: empty, or a name of the table and a dot.
  let prefix: String
  let selection: String
  let ordering: String
  let filterSQL: String?
  let filterArguments: StatementArguments
  let sectionSQL: String?

  /// - Parameters:
  ///   - spelling: the spelling of sections that were read before.
  ///   - identities: the numbers assigned to keys.
  init(
    _ request: ResultsRequest, _ db: Database, spelling: SectionSpelling = SectionSpelling(),
    identities: RowIdentities = RowIdentities()
  ) throws {
    try request.validate()
    key = try Self.key(request.table, db)
    self.identities = key.isRowID ? nil : identities
    self.spelling = spelling
    self.request = request
    let terms = try request.source.map { PlanTerms($0) } ?? PlanTerms(request, db)
    // An unqualified rowid that has no column could resolve to the rowid of a joined subquery.
    let prefix =
      request.source.map { "\($0.alias)." } ?? (key.isHidden ? "\(request.table.quotedDatabaseIdentifier)." : "")
    let keys = key.columns.map { prefix + $0.sql }
    var parts = terms.keyParts
    var keyColumns = terms.keyColumns
    var order = terms.ordering
    if key.isRowID {
      order.append(keys[0])
    } else {
      // Assigned numbers are not in the order of the keys, so the keys are part of the sort key.
      for (column, sql) in zip(key.columns, keys) {
        guard let known = Collation(name: column.collation) else {
          throw ResultsError.unsupportedCollation(column.collation, column: column.name)
        }
        parts.append(KeyPart(ascending: true, collation: known))
        keyColumns.append(sql)
        order.append(sql)
      }
    }
    if parts.isEmpty {
      parts = [KeyPart(ascending: true, collation: .binary)]
      keyColumns = keys
    }
    let count = Int32(keys.count)
    sectionSQL = terms.section
    sectionColumn = terms.section == nil ? nil : count
    sectionCollation = terms.sectionCollation
    let selectsSection = terms.section != nil && !terms.isSectionFirstKey
    firstKeyColumn = selectsSection ? count + 1 : count
    keyParts = parts
    keyList = keys.joined(separator: ", ")
    table = request.table.quotedDatabaseIdentifier
    from = request.source?.from ?? table
    self.prefix = prefix
    selection = (keys + (selectsSection ? [terms.section ?? "NULL"] : []) + keyColumns).joined(separator: ", ")
    ordering = order.joined(separator: ", ")
    filterSQL = terms.filter
    filterArguments = terms.arguments
  }

  private static func key(_ table: String, _ db: Database) throws -> PrimaryKey {
    do {
      return try PrimaryKey(table: table, in: db)
    } catch ChangeLogError.unknownTable(let table) {
      throw ResultsError.unknownTable(table)
    }
  }

  /// The same plan for a request with the same base.
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

  /// The number that identifies the current row in the list, from its primary key at the beginning of the row. Throws
  /// `nullInPrimaryKey`.
  @inline(__always)
  func id(_ row: RawRow) throws -> Int64 {
    guard let identities else { return row.integer(0) }
    guard let key = row.key(Int32(key.columns.count)) else { throw ResultsError.nullInPrimaryKey(table: request.table) }
    return identities.number(of: key)
  }

  // MARK: SQL

  private var whereClause: String { filterSQL.map { " WHERE \($0)" } ?? "" }

  /// Every row of the list: key, section, sort keys; sorted, or in the table's own order.
  func indexSQL(ordered: Bool) -> String {
    "SELECT \(selection) FROM \(from)\(whereClause)" + (ordered ? " ORDER BY \(ordering)" : "")
  }

  /// Whether SQLite should sort the rows. With a filter or joins, and no covering index, it is faster to sort here:
  /// SQLite would walk the index and look up each table row.
  func sortsInSQLite(_ db: Database) throws -> Bool {
    if filterSQL == nil, request.source == nil { return true }
    let rows = try Row.fetchAll(
      db, sql: "EXPLAIN QUERY PLAN " + indexSQL(ordered: true), arguments: filterArguments)
    let steps = rows.map { row -> String in row["detail"] }
    return steps.contains { $0.contains("COVERING INDEX") } && !steps.contains { $0.contains("TEMP B-TREE") }
  }

  /// The ids of one page of the list, by LIMIT and OFFSET.
  func ids(_ db: Database, limit: Int, offset: Int) throws -> [Int64] {
    var ids: [Int64] = []
    try SQLite.forEachRow(
      db, sql: "SELECT \(keyList) FROM \(from)\(whereClause) ORDER BY \(ordering) LIMIT \(limit) OFFSET \(offset)",
      arguments: filterArguments
    ) { ids.append(try id($0)) }
    return ids
  }

  /// The section values and counts in the order of the list.
  var countsSQL: String {
    guard let sectionSQL else { return "SELECT NULL, count(*) FROM \(from)\(whereClause)" }
    if request.sectionKey == .column(request.sortKeys[0].column), !request.sortKeys[0].isExpression {
      let direction = request.sortKeys[0].ascending ? "" : " DESC"
      return "SELECT \(sectionSQL), count(*) FROM \(from)\(whereClause) GROUP BY 1 ORDER BY 1\(direction)"
    }
    let first = request.sortKeys[0]
    let key = first.sql
    let edge = first.ascending ? "min(\(key))" : "max(\(key)) DESC"
    return "SELECT \(sectionSQL), count(*) FROM \(from)\(whereClause) GROUP BY 1 ORDER BY \(edge)"
  }

  /// Whether SQL contains `?` followed by a digit, even in a string. Uses no regular expression, because the first
  /// change would then have to load its engine.
  private static func hasNumberedParameter(_ sql: String) -> Bool {
    zip(sql.utf8, sql.utf8.dropFirst()).contains {
      $0 == UInt8(ascii: "?") && UInt8(ascii: "0")...UInt8(ascii: "9") ~= $1
    }
  }

  /// The written rows that are in the list: key, section, sort keys, content. The keys come from the logs after a
  /// position.
  func written(
    _ logs: TrackedLogs, since position: LogPosition, content: String
  ) -> (sql: String, arguments: StatementArguments, isRepeated: Bool) {
    // Our own parameter could get a number that the filter uses explicitly.
    let mayBind = request.source == nil && filterSQL.map(Self.hasNumberedParameter) != true
    let after = mayBind ? ":results_cursor" : String(position.rows.line)
    var written = logs.rows.writtenKeysSQL(after: after)
    for (index, log) in logs.related.enumerated() {
      if let sql = referrersSQL(index, log, since: position.related[index]) { written += " UNION \(sql)" }
    }
    let filter = filterSQL.map { " AND \($0)" } ?? ""
    let sql =
      "SELECT \(selection), \(content) FROM (\(written)) CROSS JOIN \(from) WHERE \(logs.rows.joinSQL(prefix))\(filter)"
    return mayBind
      ? (sql, filterArguments + ["results_cursor": position.rows.line], true) : (sql, filterArguments, false)
  }

  /// The keys of the rows, in the list or not, that refer to written rows of another table; nil if this cannot be
  /// determined.
  func referrersSQL(_ index: Int, _ log: ChangeLogReader, since cursor: LogCursor) -> String? {
    guard let source = request.source, let referrer = source.related[index].referrer, key.isRowID, log.key.isRowID
    else {
      return nil
    }
    return "SELECT \(keyList) FROM \(from) WHERE \(referrer) IN (\(log.writtenKeysSQL(after: String(cursor.line))))"
  }

  /// The content of every row of the list: key, content.
  func contentSQL(content: String) -> String { "SELECT \(keyList), \(content) FROM \(from)\(whereClause)" }
}
