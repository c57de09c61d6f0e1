/// Text to read that fills the window, wrapped to its width: the state of a ``PagerScreen``.
public struct PagerState: Sendable {
  private let title: String
  private let detail: String
  private let paragraphs: [String]
  private let hints: [Hint]
  private var pager = Pager()
  /// The paragraphs wrapped to the width of the last layout.
  private var lines: [String] = []
  private var columns = 0

  /// Creates a pager at the beginning of a text.
  /// - Parameters:
  ///   - title: the title.
  ///   - detail: text after the title; empty for none.
  ///   - paragraphs: the text, sanitized with ``DisplayText/clean(_:)``; each paragraph begins a line.
  ///   - hints: the hints in the bottom line.
  public init(title: String, detail: String = "", paragraphs: [String], hints: [Hint] = []) {
    self.title = title
    self.detail = detail
    self.paragraphs = paragraphs
    self.hints = hints
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
      lines = paragraphs.flatMap { TextWidth.wrap(DisplayText.clean($0), columns: room) }
    }
    pager.layOut(in: body, lines: lines.count)
  }

  /// Draws the text in the window of the last layout.
  public func draw(on canvas: inout Canvas, in window: Rect, style: WidgetStyle) {
    canvas.fill(window, style: style.text)
    let bars = Bars(style: style)
    bars.drawTitle(title, detail: detail, on: &canvas, in: window.line(0))
    bars.drawHints(hints, on: &canvas, in: window.line(window.rows - 1))
    pager.draw(on: &canvas, style: style) { index, line, canvas in
      canvas.put(lines[index], at: Point(row: line.row, column: line.column), limit: columns, style: style.text)
    }
  }
}
