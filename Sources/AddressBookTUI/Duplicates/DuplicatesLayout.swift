import TerminalKit

/// The positions of the list of candidates and of the comparison in a window.
struct DuplicatesLayout: Equatable {
  let list: Rect
  /// The line between the list and the comparison: one column or one row; empty if only one of them is shown.
  let rule: Rect
  /// The comparison; empty in a small window that shows the list.
  let comparison: Rect

  /// The height of the list above a comparison.
  private static let listRows = 6

  /// - Parameter isOpen: whether the comparison has the window to itself.
  init(body: Rect, isOpen: Bool) {
    let nothing = Rect(row: body.row, column: body.column, rows: 0, columns: 0)
    if isOpen {
      (list, rule, comparison) = (nothing, nothing, body)
    } else if body.columns >= BrowserLayout.splitColumns {
      let columns = body.columns * 3 / 10
      list = Rect(row: body.row, column: body.column, rows: body.rows, columns: columns)
      rule = Rect(row: body.row, column: list.endColumn, rows: body.rows, columns: 1)
      comparison = body.inset(left: columns + 2)
    } else if body.rows >= 3 * Self.listRows {
      list = Rect(row: body.row, column: body.column, rows: Self.listRows, columns: body.columns)
      rule = body.line(Self.listRows)
      comparison = body.inset(top: Self.listRows + 1)
    } else {
      (list, rule, comparison) = (body, nothing, nothing)
    }
  }
}
