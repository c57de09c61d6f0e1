/// The frame and title of a popup, such as a dialog, in the center of the window.
public struct Popup {
  private let style: WidgetStyle

  /// Creates a popup in this style.
  public init(style: WidgetStyle) { self.style = style }

  /// Returns the centered rectangle for content of that size, including its frame.
  public static func frame(rows: Int, columns: Int, in window: Rect) -> Rect {
    let height = min(rows + 2, window.rows)
    let width = min(columns + 4, window.columns)
    return Rect(
      row: window.row + (window.rows - height) / 2, column: window.column + (window.columns - width) / 2, rows: height,
      columns: width)
  }

  /// Returns the area inside a frame; all of it if the frame is too small to be drawn.
  public static func room(in frame: Rect) -> Rect {
    frame.rows >= 2 && frame.columns >= 4 ? frame.inset(top: 1, left: 2, bottom: 1, right: 2) : frame
  }

  /// Draws the frame and returns the area inside it.
  @discardableResult
  public func draw(title: String, on canvas: inout Canvas, in frame: Rect) -> Rect {
    canvas.fill(frame, style: style.popup)
    guard frame.rows >= 2, frame.columns >= 4 else { return frame }
    let horizontal = String(repeating: "─", count: frame.columns - 2)
    let edge = style.popup.adding(style.faint)
    canvas.put(
      "╭" + horizontal + "╮", at: Point(row: frame.row, column: frame.column), limit: frame.columns, style: edge)
    for row in frame.row + 1..<frame.endRow - 1 {
      canvas.put("│", at: Point(row: row, column: frame.column), limit: 1, style: edge)
      canvas.put("│", at: Point(row: row, column: frame.endColumn - 1), limit: 1, style: edge)
    }
    canvas.put(
      "╰" + horizontal + "╯", at: Point(row: frame.endRow - 1, column: frame.column), limit: frame.columns, style: edge)
    if !title.isEmpty {
      canvas.put(
        " " + title + " ", at: Point(row: frame.row, column: frame.column + 2), limit: max(0, frame.columns - 4),
        style: style.popup.adding(.bold))
    }
    return Self.room(in: frame)
  }
}
