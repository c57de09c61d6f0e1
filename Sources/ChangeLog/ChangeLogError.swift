/// What can be wrong with a table that is to be tracked. What SQLite itself refuses is thrown as GRDB's `DatabaseError`.
public enum ChangeLogError: Error, Sendable, Hashable {
  /// The database has no such table. A view is none.
  case unknownTable(String)
  /// The table has no such column.
  case unknownColumn(String, table: String)
  /// Columns of the table have all the names by which SQLite tells a row that has no primary key: `rowid`, `oid`, `_rowid_`.
  case noRowID(table: String)
}
