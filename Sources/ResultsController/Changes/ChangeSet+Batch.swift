/// The form of a change set that a strict table view accepts in one batch: no row is deleted, inserted or moved twice,
/// and the rows of inserted and deleted sections are left out.
public struct ChangeBatch: Sendable, Equatable {
  /// Ordinals in the old list.
  public var deleteSections: [Int]
  /// Ordinals in the new list.
  public var insertSections: [Int]
  /// Paths in the old list, including rows that move into an inserted section.
  public var deleteRows: [RowPath]
  /// Paths in the new list, including rows that move out of a deleted section.
  public var insertRows: [RowPath]
  /// Moves within and between sections that both lists have.
  public var moveRows: [Move]
  /// Paths in the new list of rows to reconfigure after the batch: their content changed, but the table kept their
  /// views.
  public var reconfigureAfter: [RowPath]

  /// One move.
  public struct Move: Sendable, Hashable {
    /// The old path.
    public var from: RowPath
    /// The new path.
    public var to: RowPath
  }
}

extension ChangeSet {
  /// The change as one batch, for a table view that checks its counts.
  public func batch() -> ChangeBatch {
    let deleted = Set(deletedSections.map(\.ordinal))
    let inserted = Set(insertedSections.map(\.ordinal))
    var deleteRows = deletes.map(\.path).filter { !deleted.contains($0.section) }
    var insertRows = inserts.map(\.path).filter { !inserted.contains($0.section) }
    var moveRows: [ChangeBatch.Move] = []
    var reconfigure = updates.map(\.to)
    for move in moves {
      switch (deleted.contains(move.from.section), inserted.contains(move.to.section)) {
      case (false, false):
        moveRows.append(ChangeBatch.Move(from: move.from, to: move.to))
        if move.contentChanged { reconfigure.append(move.to) }
      case (false, true): deleteRows.append(move.from)
      case (true, false): insertRows.append(move.to)
      case (true, true): break
      }
    }
    return ChangeBatch(
      deleteSections: deletedSections.map(\.ordinal), insertSections: insertedSections.map(\.ordinal),
      deleteRows: deleteRows.sorted(), insertRows: insertRows.sorted(), moveRows: moveRows.sorted { $0.from < $1.from },
      reconfigureAfter: reconfigure.sorted())
  }
}
