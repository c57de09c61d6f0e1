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
  ///   - paragraphs: the text, sanitized with ``DisplayText/clean(_:)``; each paragraph begins a line.
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
      lines = paragraphs.flatMap { TextWidth.wrap(DisplayText.clean($0), columns: room) }
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
