/// A row's content before the first reported write.
public enum EarlierRow: Hashable, Sendable {
  /// There was no such row.
  case absent
  /// The row existed, but was too long for the log to keep its content.
  case unknown
  /// The row's content had this fingerprint, which is only comparable within this process.
  case content(UInt64)
}

/// The rows that the log lists since a cursor.
public enum LoggedWrites: Hashable, Sendable {
  /// All rows that were written, each with its previous content. A row that a write might have replaced is among them,
  /// even if it stayed.
  case rows([RowKey: EarlierRow], cursor: LogCursor)
  /// The log does not reach back that far, ends before the old cursor, or has a line that does not identify a row: any
  /// row may have been written. Reread the table, and continue from the new cursor.
  case lost(cursor: LogCursor)
}

/// The changes to a table since a cursor.
public enum TableChanges: Hashable, Sendable {
  /// New, changed and deleted rows. The sets are disjoint. Rows that were inserted and deleted again, or whose content
  /// is the same as before, are in none. A row that still exists counts as updated if the log did not keep its content.
  case rows(inserted: Set<RowKey>, updated: Set<RowKey>, deleted: Set<RowKey>, cursor: LogCursor)
  /// The log does not reach back that far, ends before the old cursor, or has a line that does not identify a row: any
  /// row may have been written. Reread the table, and continue from the new cursor.
  case lost(cursor: LogCursor)
}
