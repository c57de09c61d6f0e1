/// What a list view keeps across changes: the first visible row by its index, the selected rows and the focused one by
/// id.
///
/// Lines count only rows: a screen that shows section headers between rows must convert.
public struct ListState: Sendable, Equatable {
  /// The flat row on the first line, from 0.
  public var top: Int
  /// How many rows are visible, at least 0.
  public var height: Int
  /// The selected rows; rows that leave the list are deselected.
  public var selection: Set<Int64>
  /// The row with the cursor.
  public var focus: Int64?

  /// A state for a list, with nothing selected unless given.
  public init(top: Int = 0, height: Int = 0, selection: Set<Int64> = [], focus: Int64? = nil) {
    self.top = top
    self.height = height
    self.selection = selection
    self.focus = focus
  }

  /// Applies a change.
  ///
  /// The first visible row that is still in the list and did not move keeps its line. If there is none, the nearest
  /// such row above the window goes to the first line, otherwise the nearest below. A list that fits into the window
  /// starts at its first row. If the focused row left the list, the focus goes to the next row that is still there and
  /// did not move, otherwise to the previous one. In a list with another order, the focused row keeps its line if it
  /// was visible; otherwise the window starts at the first row. A focused row that is not in that list loses the focus.
  /// A row keeps its line only if enough rows precede it. An initial update, which has the whole list, changes only what
  /// the list does not have.
  /// - Returns: the id of the row that the window was placed by, even if the list now fits into the window; nil if
  ///   there was none, or if a list with another order starts at its first row. For an update that completes an
  ///   opening, the id of the first visible row.
  @discardableResult
  public mutating func apply(_ update: ResultsUpdate) -> Int64? { apply(update, walking: !update.keepsRows) }

  /// - Parameter walking: whether to look at row after row, which is slower; needed if rows moved.
  mutating func apply(_ update: ResultsUpdate, walking: Bool) -> Int64? {
    guard update.before.isComplete else { return update.after.id(atFlatRow: top) }
    if update.isInitial { return begin(update.after) }
    if update.isReordered { return reorder(update) }
    let before = update.before
    let after = update.after
    let moved = update.keepsRows ? [] : Set(update.changes.moves.map(\.id))
    func stays(_ row: Int) -> Int64? {
      guard let id = before.id(atFlatRow: row), !moved.contains(id), after.contains(id) else { return nil }
      return id
    }
    func nearest(from row: Int) -> Int64? {
      if !walking, let old = before.index, let new = after.index { return old.firstCommonID(from: row, with: new) }
      return (min(row, before.count)..<before.count).lazy.compactMap(stays).first
    }
    func nearest(before row: Int) -> Int64? {
      if !walking, let old = before.index, let new = after.index { return old.lastCommonID(before: row, with: new) }
      return (0..<row).reversed().lazy.compactMap(stays).first
    }

    if let old = focus, !after.contains(old) {
      let row = before.flatRow(ofID: old) ?? before.count
      focus = nearest(from: row + 1) ?? nearest(before: row)
    }
    if !selection.isEmpty { selection = selection.filter { after.contains($0) } }

    let first = min(max(0, top), before.count)
    let window = first..<(first + min(max(0, height), before.count - first))
    var held: (id: Int64, line: Int)?
    for row in window {
      if let id = stays(row) {
        held = (id, row - first)
        break
      }
    }
    if held == nil, let id = nearest(before: first) ?? nearest(from: window.upperBound) {
      held = (id, 0)
    }
    guard let held, let row = after.flatRow(ofID: held.id) else {
      top = 0
      return nil
    }
    top = after.count <= height ? 0 : max(0, row - held.line)
    return held.id
  }

  private mutating func begin(_ list: ResultsSnapshot) -> Int64? {
    selection = selection.filter { list.contains($0) }
    if let id = focus, !list.contains(id) { focus = nil }
    top = max(0, min(top, list.count - height))
    return list.id(atFlatRow: top)
  }

  private mutating func reorder(_ update: ResultsUpdate) -> Int64? {
    selection = selection.filter { update.after.contains($0) }
    let line = focus.flatMap(update.before.flatRow(ofID:)).map { $0 - top }
    guard let id = focus, let row = update.after.flatRow(ofID: id) else {
      focus = nil
      top = 0
      return nil
    }
    guard let line, (0..<max(1, height)).contains(line), update.after.count > height else {
      top = 0
      return nil
    }
    top = max(0, row - line)
    return id
  }
}
