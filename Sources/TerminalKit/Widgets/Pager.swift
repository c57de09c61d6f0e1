/// The visible lines of a long text, scrolled by keys and the wheel.
public struct Pager: Hashable, Sendable {
  /// The first visible line.
  public private(set) var top = 0
  /// The rectangle of the last layout.
  public private(set) var rect = Rect(row: 0, column: 0, rows: 0, columns: 0)
  private var lineCount = 0
  private var lastTop = 0
  private let overlap: Int

  /// Creates a pager at the beginning of a text. A page overlaps the previous one by that many lines.
  public init(overlap: Int = 0) { self.overlap = overlap }

  /// The lines that are visible in the rectangle.
  public var visible: Range<Int> { top..<max(top, min(lineCount, top + rect.rows)) }

  /// Fits the pager into a rectangle.
  /// - Parameters:
  ///   - rect: the rectangle of the text, with a last column for the scroll bar.
  ///   - lines: the number of lines of the text.
  ///   - first: a line that may be at the top, however little text follows it.
  public mutating func layOut(in rect: Rect, lines: Int, first: Int = 0) {
    self.rect = rect
    lineCount = lines
    lastTop = max(first, lines - max(1, rect.rows))
    top = min(top, lastTop)
  }

  private var pageRows: Int { max(1, rect.rows - overlap) }

  /// Scrolls to a line.
  public mutating func show(_ line: Int) { top = min(max(0, line), lastTop) }

  /// Scrolls.
  public mutating func move(_ movement: Movement) { show(movement.line(from: top, page: pageRows, last: lastTop)) }

  /// Scrolls a page if the key is Space, as in other pagers.
  public mutating func type(_ key: Key) {
    if key == .character(" ") { show(top + pageRows) }
  }

  /// Scrolls with the wheel; other events are ignored.
  public mutating func handle(_ event: Event) {
    guard case .mouse(let mouse) = event else { return }
    if mouse.action == .wheelDown { show(top + ListSelection.wheelStep) }
    if mouse.action == .wheelUp { show(top - ListSelection.wheelStep) }
  }

  // MARK: Drawing

  /// Draws the visible lines with a closure, which gets the index of a line and its rectangle, and then the scroll bar.
  public func draw(
    on canvas: inout Canvas, style: WidgetStyle, line: (_ index: Int, _ rect: Rect, _ canvas: inout Canvas) -> Void
  ) {
    for (offset, index) in visible.enumerated() { line(index, rect.line(offset).inset(right: 1), &canvas) }
    drawScrollBar(on: &canvas, style: style)
  }

  /// Draws only the scroll bar, in the last column of the rectangle, for lines that are drawn in another way. The hidden
  /// cursor stands on the first line.
  public func drawScrollBar(on canvas: inout Canvas, style: WidgetStyle) {
    canvas.hiddenCursor = Point(row: rect.row, column: rect.column)
    ScrollBar.draw(
      on: &canvas, in: rect.inset(left: rect.columns - 1), first: top, visible: rect.rows, total: lineCount,
      track: style.quiet, thumb: style.accent)
  }
}

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
