import GRDB

/// One column that rows are ordered by, in the collation of its declaration (BINARY, NOCASE or RTRIM).
public struct SortKey: Hashable, Sendable {
  /// The column's name, unquoted.
  public var column: String
  /// The direction; NULL comes first when ascending and last when descending, as in SQLite.
  public var ascending: Bool

  /// Orders by a column.
  public init(_ column: String, ascending: Bool = true) {
    self.column = column
    self.ascending = ascending
  }
}

/// What divides a list into sections.
public enum SectionKey: Hashable, Sendable {
  /// A column. It is the first sort key, or its values agree with the order of the first sort key.
  case column(String)
  /// An SQL expression over the table's columns that agrees with the order of the first sort key, such as an initial.
  case expression(String)
}

/// Which rows of the table are in the list.
public enum ResultsFilter: Hashable, Sendable {
  /// Every row.
  case all
  /// Rows for which an SQL expression is true. It may read only the row itself: a change elsewhere is not seen.
  case sql(String, StatementArguments = StatementArguments())
}

/// A statement that knows the number of rows of each section without counting them, as a table kept by triggers does.
public struct SectionCounts: Hashable, Sendable {
  /// Returns the section value and its count in the order of the list; without sections, one row: NULL and the count.
  public var sql: String
  /// The statement's arguments.
  public var arguments: StatementArguments

  /// Counts that the first screen shows; the index corrects them when it is complete.
  public init(sql: String, arguments: StatementArguments = StatementArguments()) {
    self.sql = sql
    self.arguments = arguments
  }
}

/// Which rows of which table, in which order, divided by what.
///
/// The primary key is the identity of a row and always the last sort key, ascending; in a table without one it is the rowid.
/// A list opens fastest when a covering index holds the sort keys in order, then the primary key. With a filter, the index
/// covers it only if it has the filter's columns too, also a partial index whose condition is the filter:
/// `CREATE INDEX … ON contact(section, sort_key, id, deleted_at) WHERE deleted_at IS NULL`.
public struct ResultsRequest: Hashable, Sendable {
  /// The table's name, unquoted.
  public var table: String
  /// The rows that are in the list.
  public var filter: ResultsFilter
  /// When set, only these rows of the filtered ones are in the list, as a search found them.
  ///
  /// Changing only this set costs no query: the ids are looked up in the list without it, which stays in memory.
  public var ids: Set<Int64>?
  /// What divides the list; nil makes one section, which stays when the list is empty.
  public var sectionKey: SectionKey?
  /// The order of rows; at least one.
  public var sortKeys: [SortKey]
  /// How many rows are read at once, at least 1.
  public var pageSize: Int
  /// A quicker source of the section counts for a staged opening; nil counts with GROUP BY.
  public var sectionCounts: SectionCounts?
  /// Takes the place of the filter, the section key and the sort keys.
  package var source: JoinedSource?

  /// Makes a request; it is checked against the database when it is fetched.
  public init(
    table: String,
    filter: ResultsFilter = .all,
    ids: Set<Int64>? = nil,
    sectionKey: SectionKey? = nil,
    sortKeys: [SortKey],
    pageSize: Int = 64,
    sectionCounts: SectionCounts? = nil
  ) {
    self.table = table
    self.filter = filter
    self.ids = ids
    self.sectionKey = sectionKey
    self.sortKeys = sortKeys
    self.pageSize = max(1, pageSize)
    self.sectionCounts = sectionCounts
  }

  /// The rows of a joined source, whose table is `table`.
  package init(table: String, source: JoinedSource) {
    self.init(table: table, sortKeys: [])
    self.source = source
  }

  /// Checks what needs no database.
  func validate() throws(ResultsError) {
    if source != nil { return }
    guard let first = sortKeys.first else { throw .sortKeyNeeded }
    if case .column(let section) = sectionKey,
      first.column.lowercased() != section.lowercased(),
      sortKeys.dropFirst().contains(where: { $0.column.lowercased() == section.lowercased() })
    {
      throw .sectionKeyNotFirst(column: section)
    }
  }

  /// Whether both lists come from the same rows in the same order, so that only their ids differ.
  func hasSameBase(as other: ResultsRequest) -> Bool {
    filter == other.filter && source == other.source && hasSameOrder(as: other)
  }

  /// Whether the sort keys of both lists compare with each other.
  func hasSameOrder(as other: ResultsRequest) -> Bool {
    table == other.table && sectionKey == other.sectionKey && sortKeys == other.sortKeys
      && source?.section == other.source?.section && source?.order == other.source?.order
  }
}
