import GRDB

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
      isSectionFirstKey = SortKey(name.lowercased()).sql == request.sortKeys[0].sql.lowercased()
    case .expression(let expression):
      section = SortKey.expression(expression).sql
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
