/// A bar that shows which part of a long list is visible.
public enum ScrollBar {
  /// Draws the bar in the first column of the rectangle; draws nothing if the whole list is visible.
  ///
  /// - Parameters:
  ///   - canvas: the canvas to draw on.
  ///   - rect: the rectangle whose first column is used.
  ///   - first: the first visible row, from 0.
  ///   - visible: the number of visible rows.
  ///   - total: the total number of rows.
  ///   - track: the style of the track.
  ///   - thumb: the style of the thumb.
  public static func draw(
    on canvas: inout Canvas, in rect: Rect, first: Int, visible: Int, total: Int, track: Style, thumb: Style
  ) {
    guard !rect.isEmpty, total > visible, visible > 0 else { return }
    let range = thumbRows(of: rect.rows, first: first, visible: visible, total: total)
    for row in 0..<rect.rows {
      let cell = Rect(row: rect.row + row, column: rect.column, rows: 1, columns: 1)
      if range.contains(row) {
        canvas.fill(cell, style: thumb, character: "┃")
      } else {
        canvas.fill(cell, style: track, character: "│")
      }
    }
  }

  /// Returns the lines of the thumb, at least one. It touches an end of the track only if the list is scrolled to that
  /// end, or if the track is less than two lines longer than the thumb.
  static func thumbRows(of rows: Int, first: Int, visible: Int, total: Int) -> Range<Int> {
    guard rows > 0, total > visible else { return 0..<max(0, rows) }
    let length = min(rows, max(1, rows * visible / total))
    let last = total - visible
    let first = min(max(0, first), last)
    var start = (rows - length) * first / last
    if first > 0, start == 0, rows > length { start = 1 }
    if first < last, start == rows - length, start > 0 { start -= 1 }
    return start..<start + length
  }
}
