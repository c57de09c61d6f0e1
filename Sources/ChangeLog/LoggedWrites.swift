/// What a row was before the first write that a reading tells of.
public enum EarlierRow: Hashable, Sendable {
  /// There was no such row.
  case absent
  /// There was one, too long for the log to keep its content.
  case unknown
  /// There was one whose content had this fingerprint, to be compared with others of this process only.
  case content(UInt64)
}

/// What the log says about the time since a cursor.
public enum LoggedWrites: Hashable, Sendable {
  /// These rows were written, and no others, which may be none. What is said of each is what it was before.
  case rows([RowKey: EarlierRow], cursor: LogCursor)
  /// The log does not reach back that far: any row may have been written. Read the table again, and go on from the cursor.
  case lost(cursor: LogCursor)
}

/// What became of the rows that were written since a cursor.
public enum TableChanges: Hashable, Sendable {
  /// Rows that are new, that are others than before, and that are gone. No row is in two of the sets, and what came and went
  /// again is in none. A row whose content the log did not keep counts as updated.
  case rows(inserted: Set<RowKey>, updated: Set<RowKey>, deleted: Set<RowKey>, cursor: LogCursor)
  /// The log does not reach back that far: any row may have been written. Read the table again, and go on from the cursor.
  case lost(cursor: LogCursor)
}
