import GRDB
import IDSets

/// A sort key: one column, in the collation of its declaration (BINARY, NOCASE or RTRIM), or an SQL expression.
public struct RowSortKey: Hashable, Sendable {
  /// The column's name, unquoted, or the expression.
  public var column: String
  /// The direction; NULL comes first when ascending and last when descending, as in SQLite.
  public var ascending: Bool
  /// Whether `column` is an expression.
  public var isExpression = false

  /// Orders by a column.
  public init(_ column: String, ascending: Bool = true) {
    self.column = column
    self.ascending = ascending
  }

  /// Orders by an SQL expression over the table's columns. Text is compared byte by byte.
  public static func expression(_ sql: String, ascending: Bool = true) -> RowSortKey {
    var key = RowSortKey(sql, ascending: ascending)
    key.isExpression = true
    return key
  }

  var sql: String { isExpression ? "(\(column))" : column.quotedDatabaseIdentifier }
}

/// The key that divides a list into sections.
public enum SectionKey: Hashable, Sendable {
  /// A column: the first sort key itself, or one whose values agree with the order of the first sort key.
  case column(String)
  /// An SQL expression over the table's columns that agrees with the order of the first sort key, such as an initial.
  case expression(String)
}

/// The rows of the table that are in the list.
public enum ResultsFilter: Hashable, Sendable {
  /// Every row.
  case all
  /// Rows for which an SQL expression is true. It must only use the row itself: changes elsewhere are not seen.
  case sql(String, StatementArguments = StatementArguments())
}

/// A statement that returns the number of rows of each section without counting, for example from a table kept by
/// triggers.
public struct SectionCounts: Hashable, Sendable {
  /// Returns the section value and its count in the order of the list; without sections, one row: NULL and the count.
  public var sql: String
  /// The statement's arguments.
  public var arguments: StatementArguments

  /// Counts for the first screen; the index corrects them once it is complete.
  public init(sql: String, arguments: StatementArguments = StatementArguments()) {
    self.sql = sql
    self.arguments = arguments
  }
}

/// A request for the rows of a table: which ones, in which order, in which sections.
///
/// The primary key is the identity of a row and always the last sort key, ascending; in a table without one it is the
/// rowid. A list opens fastest when a covering index holds the sort keys in order, then the primary key. With a filter,
/// the index must contain the filter's columns too, even if it is a partial index with the same condition: `CREATE
/// INDEX … ON contact(section, sort_key, id, deleted_at) WHERE deleted_at IS NULL`.
public struct ResultsRequest: Hashable, Sendable {
  /// The table's name, unquoted.
  public var table: String
  /// The rows of the table that are in the list.
  public var filter: ResultsFilter
  /// If set, only these of the filtered rows are in the list, such as the results of a search.
  ///
  /// Changing only this set does not query the table: the ids are looked up in the full list, which stays in memory.
  public var ids: IDSet?
  /// The key that divides the list into sections; nil makes one section, which stays when the list is empty.
  public var sectionKey: SectionKey?
  /// The sort keys; at least one.
  public var sortKeys: [RowSortKey]
  /// How many rows are read at a time, at least 1.
  public var pageSize: Int {
    didSet { pageSize = max(1, pageSize) }
  }
  /// A faster source of the section counts for a staged opening; nil counts with GROUP BY.
  public var sectionCounts: SectionCounts?
  /// The columns that a record is read from, in this order; nil for all columns of the table. It must be the same in
  /// all requests of a controller, which keeps the rows that it has read.
  public var columns: [String]?
  /// Replaces the filter, the section key and the sort keys.
  package var source: JoinedSource?

  /// Makes a request; it is checked against the database when it is fetched.
  public init(
    table: String,
    filter: ResultsFilter = .all,
    ids: IDSet? = nil,
    sectionKey: SectionKey? = nil,
    sortKeys: [RowSortKey],
    pageSize: Int = 64,
    sectionCounts: SectionCounts? = nil,
    columns: [String]? = nil
  ) {
    self.table = table
    self.filter = filter
    self.ids = ids
    self.sectionKey = sectionKey
    self.sortKeys = sortKeys
    self.pageSize = max(1, pageSize)
    self.sectionCounts = sectionCounts
    self.columns = columns
  }

  /// The rows of a joined source, whose table is `table`.
  package init(table: String, source: JoinedSource) {
    self.init(table: table, sortKeys: [])
    self.source = source
  }

  /// Checks everything that does not need the database.
  func validate() throws(ResultsError) {
    if source != nil { return }
    guard let first = sortKeys.first else { throw .sortKeyNeeded }
    if case .column(let section) = sectionKey,
      first.column.lowercased() != section.lowercased(),
      sortKeys.dropFirst().contains(where: { !$0.isExpression && $0.column.lowercased() == section.lowercased() })
    {
      throw .sectionKeyNotFirst(column: section)
    }
  }

  /// Whether both lists come from the same rows in the same order, so that only their ids differ.
  func hasSameBase(as other: ResultsRequest) -> Bool {
    filter == other.filter && source == other.source && hasSameOrder(as: other)
  }

  /// Whether the sort keys of both lists are comparable.
  func hasSameOrder(as other: ResultsRequest) -> Bool {
    table == other.table && sectionKey == other.sectionKey && sortKeys == other.sortKeys
      && source?.section == other.source?.section && source?.order == other.source?.order
  }
}
