/// A screen with text to read; see ``PagerState``.
@MainActor
public final class PagerScreen<Command: Hashable & Sendable, Context: Hashable & Sendable>: Screen {
  /// The context of its keys; Space scrolls a page.
  public let keyContext: Context
  private var state: PagerState
  private let style: WidgetStyle

  /// Creates a pager.
  /// - Parameters:
  ///   - state: its text.
  ///   - context: the context of its keys.
  ///   - style: its style.
  public init(
    _ state: PagerState, context: Context, style: WidgetStyle
  ) {
    self.state = state
    keyContext = context
    self.style = style
  }

  /// Scrolls, or closes the screen.
  public func perform(_ command: Command, in context: ScreenContext<Command, Context>) {
    switch context.keys.role(of: command) {
    case .cancel: context.pop(self)
    case .move(let movement): state.move(movement)
    default: break
    }
  }

  /// Scrolls a page with Space.
  public func type(_ key: Key, in context: ScreenContext<Command, Context>) { state.type(key) }

  /// Handles the wheel.
  public func handle(_ event: Event, in context: ScreenContext<Command, Context>) { state.handle(event) }

  /// Wraps the text for the window.
  public func prepare(in rect: Rect) { state.layOut(in: rect) }

  /// Draws the visible text.
  public func draw(on canvas: inout Canvas, in rect: Rect) { state.draw(on: &canvas, in: rect, style: style) }

  /// The keys that scroll and close.
  public func bottomLine(in context: ScreenContext<Command, Context>) -> BottomLine? {
    BottomLine(hints: context.hints([.move(.down), .cancel], in: keyContext))
  }
}

/// Text to read that fills the window, wrapped to its width: the state of a ``PagerScreen``.
public struct PagerState: Sendable {
  private let title: String
  private let detail: String
  private let paragraphs: [String]
  private var pager = Pager()
  /// The paragraphs wrapped to the width of the last layout.
  private var lines: [String] = []
  private var columns = 0

  /// Creates a pager at the beginning of a text.
  /// - Parameters:
  ///   - title: the title.
  ///   - detail: text after the title; empty for none.
  ///   - paragraphs: the text, sanitized with ``DisplayText/clean(_:)``; each paragraph begins a line, and the blanks
  ///     at its beginning indent all its lines.
  public init(title: String, detail: String = "", paragraphs: [String]) {
    self.title = title
    self.detail = detail
    self.paragraphs = paragraphs
  }

  // MARK: Events

  /// Scrolls.
  public mutating func move(_ movement: Movement) { pager.move(movement) }

  /// Scrolls a page if the key is Space.
  public mutating func type(_ key: Key) { pager.type(key) }

  /// Scrolls with the wheel.
  public mutating func handle(_ event: Event) { pager.handle(event) }

  // MARK: Drawing

  /// Wraps the text for the window.
  public mutating func layOut(in window: Rect) {
    let body = window.inset(top: 1, left: 1, bottom: 1)
    // Leave a blank column beside the scroll bar.
    let room = max(1, body.columns - 2)
    if columns != room {
      columns = room
      lines = paragraphs.flatMap { paragraph in
        let indent = String(paragraph.prefix(room / 2).prefix { $0 == " " })
        let text = DisplayText.clean(String(paragraph.dropFirst(indent.count)))
        return TextWidth.wrap(text, columns: room - indent.count).map { indent + $0 }
      }
    }
    pager.layOut(in: body, lines: lines.count)
  }

  /// Draws the text in the window of the last layout.
  public func draw(on canvas: inout Canvas, in window: Rect, style: WidgetStyle) {
    canvas.fill(window, style: style.text)
    let bars = Bars(style: style)
    bars.drawTitle(title, detail: detail, on: &canvas, in: window.line(0))
    pager.draw(on: &canvas, style: style) { index, line, canvas in
      canvas.put(lines[index], at: Point(row: line.row, column: line.column), limit: columns, style: style.text)
    }
  }
}

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
