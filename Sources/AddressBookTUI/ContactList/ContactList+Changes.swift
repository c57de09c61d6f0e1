import ResultsController

/// Every change to the list, by this program or another, arrives as an update of the results controller.
extension ContactList {
  /// Applies an update. The selection follows its contact, unless another one is awaited. The first visible row follows
  /// its contact, or keeps the selected contact on its line if the list was reordered.
  func apply(_ update: ResultsUpdate) {
    let line = update.isReordered ? selectedRow.flatMap { viewport.line(ofRow: $0, top: top) } : nil
    let isUntouched = selectedRow == 0 && awaitedID == nil && !update.before.isComplete && shownOrder != currentOrder
    recordShownOrder()
    if !update.keepsRows, !update.isReordered {
      let changes = update.changes
      discardContacts(changes.updates.map(\.id) + changes.moves.map(\.id) + changes.deletes.map(\.id))
    }
    discardOutdatedMatches()
    var state = ListState(top: top, height: 1, focus: selectedID)
    state.apply(update)
    viewport = ListViewport(counts: update.after.sections.map(\.count))
    top = state.top
    if let best = awaitedBest, let first = update.after.firstID(in: best) {
      awaitedID = first
      // A search begins at its first match.
      top = 0
    }
    if let awaited = awaitedID, let row = update.after.flatRow(ofID: awaited) {
      awaitedID = nil
      awaitedBest = nil
      selectedID = awaited
      selectedRow = row
      if let line = awaitedLine { top = max(0, row - line) }
      awaitedLine = nil
    } else {
      selectedID = state.focus
      selectedRow = selectedID.flatMap(update.after.flatRow(ofID:))
    }
    // Until now the list showed the first rows of another order.
    if isUntouched { select(row: 0, height: 2) }
    if let line, let selectedRow { top = viewport.top(showing: selectedRow, onLine: line) }
    if selectedRow == nil {
      selectedID = nil
      select(row: min(top, rowCount - 1), height: 2)
    }
    HeapTrimming.trim(after: update)
    onApplied()
  }
}
