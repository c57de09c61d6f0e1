import GRDB

/// Reads a whole list into an index.
enum IndexQuery {
  /// Reads the rows of a plan in order. Throws `sectionOrderDisagrees`, `nullInPrimaryKey`, `cancelled`, or SQLite's
  /// error.
  ///
  /// - Parameter earlier: a list that is probably similar; unchanged parts are shared with it.
  static func run(
    _ plan: FetchPlan, _ db: Database, _ cancellation: Cancellation, sharing earlier: OrderedIndex? = nil
  ) throws -> OrderedIndex {
    if try plan.sortsInSQLite(db), let index = try readOrdered(plan, db, cancellation, earlier) { return index }
    return try readAndSort(plan, db, cancellation)
  }

  /// Fills chunks as rows arrive, in one pass. Nil if SQLite's order differs from that of the encoded keys, as in a
  /// UTF-16 database.
  private static func readOrdered(
    _ plan: FetchPlan, _ db: Database, _ cancellation: Cancellation, _ earlier: OrderedIndex?
  ) throws -> OrderedIndex? {
    let encoder = SortKeyEncoder(plan)
    var builder = ChunkBuilder()
    var sharing = earlier.map { ChunkSharing($0) }
    var runs = SectionRuns(plan)
    let isOrdered = try SQLite.stepRows(
      db, sql: plan.indexSQL(ordered: true), arguments: plan.filterArguments, cancellation: cancellation
    ) { row in
      encoder.encode(row)
      let key = KeyView(encoder.bytes)
      let id = try plan.id(row)
      // Rows that match the earlier list are in order.
      if sharing?.reuse(id, key, &builder) != true {
        // A chunk must only contain rows in order.
        guard builder.canAppend(id, key) else { return false }
        if sharing?.begins(id, key, &builder) != true { builder.append(id, key) }
      }
      try runs.add(row)
      return true
    }
    guard isOrdered else { return nil }
    sharing?.finish(&builder)
    builder.flush()
    return OrderedIndex(chunks: builder.chunks, sections: runs.finished(), isSectioned: plan.sectionColumn != nil)
  }

  /// Reads rows in the table's own order and sorts them.
  private static func readAndSort(
    _ plan: FetchPlan, _ db: Database, _ cancellation: Cancellation
  ) throws -> OrderedIndex {
    let encoder = SortKeyEncoder(plan)
    var ids: [Int64] = []
    var ends: [Int] = [0]
    var keys: [UInt8] = []
    var sections = SectionNames(plan)
    try SQLite.forEachRow(
      db, sql: plan.indexSQL(ordered: false), arguments: plan.filterArguments, cancellation: cancellation
    ) { row in
      encoder.encode(row)
      ids.append(try plan.id(row))
      keys.append(contentsOf: encoder.bytes)
      ends.append(keys.count)
      sections.add(row)
    }
    var builder = ChunkBuilder()
    var runs = SectionRuns(plan)
    try keys.withUnsafeBufferPointer { keys in
      try ids.withUnsafeBufferPointer { ids in
        try ends.withUnsafeBufferPointer { ends in
          func key(_ index: Int) -> KeyView {
            KeyView(UnsafeBufferPointer(rebasing: keys[ends[index]..<ends[index + 1]]))
          }
          let order = (0..<ids.count).sorted { left, right in
            let order = KeyView.compare(key(left), key(right))
            return order != 0 ? order < 0 : ids[left] < ids[right]
          }
          if cancellation.isCancelled { throw ResultsError.cancelled }
          for index in order {
            builder.append(ids[index], key(index))
            try runs.add(sections.value(index))
          }
        }
      }
    }
    builder.flush()
    return OrderedIndex(chunks: builder.chunks, sections: runs.finished(), isSectioned: plan.sectionColumn != nil)
  }
}

/// Turns the section column of sorted rows into runs of equal sections, and refuses a section that occurs twice.
struct SectionRuns {
  private let plan: FetchPlan
  private let column: Int32?
  private var runs: [(value: SectionValue, count: Int)] = []
  private var seen: Set<SectionValue> = []
  private var currentInteger: Int64?
  private var current: SectionValue?
  private var currentCount = 0

  init(_ plan: FetchPlan) {
    self.plan = plan
    column = plan.sectionColumn
  }

  @inline(__always)
  mutating func add(_ row: RawRow) throws {
    guard let column else {
      currentCount += 1
      return
    }
    // Integers are the most common section keys; others are compared as values.
    if let currentInteger, row.kind(column) == .integer, row.integer(column) == currentInteger {
      currentCount += 1
      return
    }
    try add(plan.section(row, column))
  }

  mutating func add(_ value: SectionValue) throws {
    guard column != nil, value != current else {
      currentCount += 1
      return
    }
    close()
    guard seen.insert(value).inserted else { throw ResultsError.sectionOrderDisagrees(value) }
    current = value
    currentCount = 1
    if case .integer(let integer) = value { currentInteger = integer } else { currentInteger = nil }
  }

  mutating func finished() -> [(value: SectionValue, count: Int)] {
    close()
    return runs
  }

  private mutating func close() {
    if let current { runs.append((current, currentCount)) }
  }
}

/// The section of each unsorted row, with each value stored once.
private struct SectionNames {
  private let plan: FetchPlan
  private var values: [SectionValue] = []
  private var numbers: [SectionValue: Int32] = [:]
  private var rows: [Int32] = []

  init(_ plan: FetchPlan) { self.plan = plan }

  mutating func add(_ row: RawRow) {
    guard let column = plan.sectionColumn else { return }
    let value = plan.section(row, column)
    if let number = numbers[value] {
      rows.append(number)
    } else {
      numbers[value] = Int32(values.count)
      rows.append(Int32(values.count))
      values.append(value)
    }
  }

  func value(_ index: Int) -> SectionValue { plan.sectionColumn == nil ? .null : values[Int(rows[index])] }
}

/// A request or a joined source, as SQL.
struct PlanTerms {
  var keyParts: [FetchPlan.KeyPart] = []
  /// The expressions of the sort keys.
  var keyColumns: [String] = []
  /// The sort keys with their directions.
  var ordering: [String] = []
  var section: String?
  var sectionCollation = FetchPlan.Collation.binary
  /// Whether the section is the first sort key.
  var isSectionFirstKey = false
  var filter: String?
  var arguments = StatementArguments()

  /// The terms of a request. Throws `unknownColumn`, `unsupportedCollation`.
  init(_ request: ResultsRequest, _ db: Database) throws(ResultsError) {
    func collation(_ column: String) throws(ResultsError) -> String {
      guard let collation = SQLite.collation(ofColumn: column, table: request.table, db) else {
        throw .unknownColumn(column, table: request.table)
      }
      return collation
    }
    for key in request.sortKeys {
      let name = key.isExpression ? "BINARY" : try collation(key.column)
      guard let known = FetchPlan.Collation(name: name) else {
        throw .unsupportedCollation(name, column: key.column)
      }
      keyParts.append(FetchPlan.KeyPart(ascending: key.ascending, collation: known))
      keyColumns.append(key.sql)
      // An expression that is only a column would be compared in the column's collation.
      ordering.append(key.sql + (key.isExpression ? " COLLATE BINARY" : "") + (key.ascending ? "" : " DESC"))
    }
    switch request.sectionKey {
    case .column(let name):
      sectionCollation = FetchPlan.Collation(name: try collation(name)) ?? .binary
      section = name.quotedDatabaseIdentifier
      isSectionFirstKey = RowSortKey(name.lowercased()).sql == request.sortKeys[0].sql.lowercased()
    case .expression(let expression):
      section = RowSortKey.expression(expression).sql
      isSectionFirstKey = section == request.sortKeys[0].sql
    case nil: break
    }
    if case .sql(let sql, let arguments) = request.filter {
      filter = "(\(sql))"
      self.arguments = arguments
    }
  }

  /// The terms of a joined source.
  init(_ source: JoinedSource) {
    for order in source.order {
      keyParts.append(FetchPlan.KeyPart(ascending: order.ascending, collation: .binary))
      keyColumns.append(order.sql)
      ordering.append(order.sql + (order.ascending ? "" : " DESC"))
    }
    section = source.section
    isSectionFirstKey = source.section != nil && source.section == source.order.first?.sql
    filter = source.condition.map { "(\($0))" }
    arguments = source.arguments
  }
}

/// Rows of a table together with values of other tables, for a layer that knows how the tables are related and writes
/// the SQL of its lists itself. It replaces a request's filter, section key and sort keys.
package struct JoinedSource: Hashable, Sendable {
  /// One sort key.
  package struct Order: Hashable, Sendable {
    package var sql: String
    package var ascending: Bool

    package init(_ sql: String, ascending: Bool) {
      self.sql = sql
      self.ascending = ascending
    }
  }

  /// Another table that the list depends on.
  package struct Related: Hashable, Sendable {
    /// Its name, unquoted.
    package var table: String
    /// An expression on the list's row that yields the rowid of a row of this table: a written row affects the rows
    /// that refer to it. Nil if no such expression finds the affected rows; then the whole list is reread.
    package var referrer: String?

    package init(table: String, referrer: String?) {
      self.table = table
      self.referrer = referrer
    }
  }

  /// The FROM clause: the table under its alias, and joins that neither add nor remove rows.
  package var from: String
  /// The alias of the table, as SQL.
  package var alias: String
  /// The WHERE condition; nil for all rows.
  package var condition: String?
  /// The arguments of the condition.
  package var arguments: StatementArguments
  /// The expression that divides the list into sections; nil if there are no sections.
  package var section: String?
  /// The sort keys; strings are compared byte by byte, and the primary key comes last.
  package var order: [Order]
  /// The other tables.
  package var related: [Related]

  package init(
    from: String, alias: String, condition: String?, arguments: StatementArguments, section: String?, order: [Order],
    related: [Related]
  ) {
    self.from = from
    self.alias = alias
    self.condition = condition
    self.arguments = arguments
    self.section = section
    self.order = order
    self.related = related
  }
}
