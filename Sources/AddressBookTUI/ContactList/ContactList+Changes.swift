import ResultsController

/// The only way in which data reach the list: an update of the results controller, whoever wrote to the book.
extension ContactList {
  /// Applies an update. Selection and first visible row follow their contacts.
  func apply(_ update: ResultsUpdate) {
    if !update.keepsRows {
      let changes = update.changes
      discardContacts(changes.updates.map(\.id) + changes.moves.map(\.id) + changes.deletes.map(\.id))
    }
    discardOutdatedMatches()
    var state = ListState(top: top, height: 1, focus: selectedID)
    state.apply(update)
    viewport = ListViewport(counts: update.after.sections.map(\.count))
    top = state.top
    if let awaited = awaitedID, let row = update.after.flatRow(ofID: awaited) {
      awaitedID = nil
      selectedID = awaited
      selectedRow = row
      if let line = awaitedLine { top = max(0, row - line) }
      awaitedLine = nil
    } else {
      selectedID = state.focus
      selectedRow = selectedID.flatMap(update.after.flatRow(ofID:))
    }
    if selectedRow == nil {
      selectedID = nil
      select(row: min(top, rowCount - 1), height: 2)
    }
    HeapTrimming.trim(after: update)
    onApplied()
  }
}
