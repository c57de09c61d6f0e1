import GRDB

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
