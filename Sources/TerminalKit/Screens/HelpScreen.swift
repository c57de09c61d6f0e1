/// A scrollable list of all keys of a program, generated from its table.
@MainActor
public final class HelpScreen<Command: ScreenCommand, Context: Hashable & Sendable>: Screen {
  /// The context of its own keys.
  public let keyContext: Context
  private let title: String
  private let lines: [HelpLines<Command, Context>.Line]
  private let hints: [Hint]
  private let style: WidgetStyle
  private let close: @MainActor (any Screen<Command, Context>) -> Void
  /// The lines laid out for the window.
  private var rows: [Row] = []
  private var keyColumns = 0
  private var pager = Pager()
  /// The line to show first, and its row.
  private let firstLine: Int
  private var firstRow: Int?

  private enum Row {
    case heading(String)
    /// A key with its meaning, or the continuation of the row above.
    case key(String, String)
  }

  /// A help screen.
  /// - Parameters:
  ///   - title: the title.
  ///   - help: the lines.
  ///   - asked: the context in which help was requested; its keys are shown first.
  ///   - context: the context of its own keys.
  ///   - hints: the hints in the bottom line.
  ///   - style: its style.
  ///   - close: removes it from the stack.
  public init(
    title: String, help: HelpLines<Command, Context>, askedIn asked: Context, context: Context, hints: [Hint],
    style: WidgetStyle, close: @escaping @MainActor (any Screen<Command, Context>) -> Void
  ) {
    self.title = title
    lines = help.lines
    firstLine = help.firstLine(of: asked)
    keyContext = context
    self.hints = hints
    self.style = style
    self.close = close
  }

  /// Scrolls or closes.
  public func perform(_ command: Command) {
    switch command.role {
    case .cancel: close(self)
    case .move(let movement): pager.move(movement)
    default: break
    }
  }

  /// Space turns a page.
  public func type(_ key: Key) { pager.type(key) }

  /// Handles the wheel.
  public func handle(_ event: Event) { pager.handle(event) }

  /// Wraps the lines for the window.
  public func prepare(in rect: Rect) {
    let body = Self.body(rect)
    keyColumns = lines.map { TextWidth.columns(of: $0.keys) }.max() ?? 0
    rows = []
    let isFirst = firstRow == nil
    for (index, line) in lines.enumerated() {
      if index == firstLine { firstRow = rows.count }
      if line.keys.isEmpty {
        rows.append(.heading(line.text))
      } else {
        let texts = TextWidth.wrap(line.text, columns: max(1, body.columns - keyColumns - 2))
        rows += texts.enumerated().map { Row.key($0.offset == 0 ? line.keys : "", $0.element) }
      }
    }
    pager.layOut(rows: body.rows, lines: rows.count, first: firstRow ?? 0)
    if isFirst { pager.show(firstRow ?? 0) }
  }

  private static func body(_ rect: Rect) -> Rect { rect.inset(top: 1, left: 2, bottom: 1, right: 1) }

  /// Draws it.
  public func draw(on canvas: inout Canvas, in rect: Rect) {
    canvas.fill(rect, style: style.text)
    let bars = Bars(style: style)
    bars.drawTitle(title, on: &canvas, in: rect.line(0))
    bars.drawHints(hints, on: &canvas, in: rect.line(rect.rows - 1))
    let body = Self.body(rect)
    for (offset, row) in rows.dropFirst(pager.top).prefix(body.rows).enumerated() {
      let line = body.line(offset)
      switch row {
      case .heading(let text):
        canvas.put(text, at: Point(row: line.row, column: line.column), limit: line.columns, style: style.header)
      case .key(let keys, let text):
        canvas.put(keys, at: Point(row: line.row, column: line.column), limit: keyColumns, style: style.accent)
        let start = line.column + keyColumns + 2
        canvas.put(
          text, at: Point(row: line.row, column: start), limit: max(0, line.endColumn - start), style: style.text)
      }
    }
  }
}
