import TerminalKit

/// The layout of the main screen for a window size.
struct BrowserLayout: Equatable {
  /// The smallest usable window.
  static let smallest = Size(rows: 10, columns: 40)
  /// From this width on, list and detail are side by side.
  static let splitColumns = 96

  /// The line at the top.
  let title: Rect
  /// The list with its section headers; empty while the detail replaces it.
  let list: Rect
  /// The line between list and detail, one column; empty if they are not side by side.
  let divider: Rect
  /// The detail of the selected contact; empty in a narrow window that shows the list.
  let detail: Rect
  /// The index bar, one column.
  let index: Rect

  init(window: Rect, showsDetail: Bool) {
    title = window.line(0)
    let body = window.inset(top: 1, bottom: 1)
    // One blank column on each side of the bar.
    let barColumn = body.endColumn - 2
    let content = Rect(row: body.row, column: body.column, rows: body.rows, columns: max(0, body.columns - 3))
    let nothing = Rect(row: body.row, column: body.column, rows: 0, columns: 0)
    index = Rect(row: body.row, column: barColumn, rows: body.rows, columns: 1)
    if window.columns >= Self.splitColumns {
      let listColumns = content.columns * 11 / 20
      list = Rect(row: content.row, column: content.column, rows: content.rows, columns: listColumns)
      divider = Rect(row: content.row, column: content.column + listColumns + 1, rows: content.rows, columns: 1)
      let detailColumn = divider.endColumn + 2
      detail = Rect(
        row: content.row, column: detailColumn, rows: content.rows, columns: content.endColumn - detailColumn)
    } else if showsDetail {
      list = nothing
      divider = nothing
      detail = Rect(
        row: content.row, column: content.column + 2, rows: content.rows, columns: max(0, content.columns - 2))
    } else {
      list = content
      divider = nothing
      detail = nothing
    }
  }
}

/// The content that a pane of the main screen drew last. A frame starts as a copy of the last one, and a pane with the
/// same content draws nothing, because most keys change only two lines of the list.
struct LastDrawn<Content: Equatable> {
  private var content: Content?

  /// Records the new content, and returns whether it is the same as before.
  mutating func isSame(_ new: Content) -> Bool {
    if content == new { return true }
    content = new
    return false
  }

  /// Discards the content. Call this after something else was drawn over the pane.
  mutating func invalidate() { content = nil }
}
