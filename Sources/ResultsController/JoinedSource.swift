import GRDB

/// Rows of a table together with values of other tables, for a layer that knows how tables belong together and writes the SQL
/// of its lists itself. It takes the place of a request's filter, section key and sort keys.
package struct JoinedSource: Hashable, Sendable {
  /// One key of the order.
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
    /// What of a row of the list holds the number of a row of this table: a written row concerns the rows that refer to it. Nil
    /// when no such expression tells which rows it concerns: then the list is read again.
    package var referrer: String?

    package init(table: String, referrer: String?) {
      self.table = table
      self.referrer = referrer
    }
  }

  /// What follows FROM: the table by its alias, and joins that neither add nor remove rows.
  package var from: String
  /// The alias of the table, as SQL.
  package var alias: String
  /// Which rows are in the list; nil for all.
  package var condition: String?
  /// The arguments of the condition.
  package var arguments: StatementArguments
  /// What divides the list.
  package var section: String?
  /// The order; texts are compared byte by byte, and the primary key comes last.
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
