/// The visible lines of a long text, scrolled by keys and the wheel.
public struct Pager: Hashable, Sendable {
  /// The first visible line.
  public private(set) var top = 0
  /// The rectangle of the last layout.
  public private(set) var rect = Rect(row: 0, column: 0, rows: 0, columns: 0)
  private var lineCount = 0
  private var lastTop = 0

  /// Creates a pager at the beginning of a text.
  public init() {}

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
    lastTop = max(first, lines - pageRows)
    top = min(top, lastTop)
  }

  private var pageRows: Int { max(1, rect.rows) }

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
