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
