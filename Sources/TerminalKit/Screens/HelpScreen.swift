/// A scrollable list of all keys of a program, generated from its table. A filter can be typed.
@MainActor
public final class HelpScreen<Command: Hashable & Sendable, Context: Hashable & Sendable>: Screen {
  /// The filter of a help screen: the context in which it is typed, and its texts in the user's language.
  public struct Filter {
    fileprivate let context: Context
    fileprivate let prompt: String
    fileprivate let found: (Int) -> String
    fileprivate let noMatch: (String) -> String

    /// Creates a filter.
    /// - Parameters:
    ///   - context: the context of the keys while it is typed. ``CommandRole/accept`` keeps it, ``CommandRole/cancel``
    ///     ends it, ``CommandRole/clear`` clears it.
    ///   - prompt: the text before the typed filter.
    ///   - found: says how many keys match.
    ///   - noMatch: shown instead of keys if none matches the text.
    public init(
      context: Context, prompt: String, found: @escaping (Int) -> String,
      noMatch: @escaping (String) -> String
    ) {
      self.context = context
      self.prompt = prompt
      self.found = found
      self.noMatch = noMatch
    }
  }

  /// The context of its keys, or of its filter's keys while the filter is typed.
  public var keyContext: Context { isTyping ? filter?.context ?? context : context }
  private let context: Context
  private let title: String
  private let allLines: [HelpLines<Command, Context>.Line]
  private let style: WidgetStyle
  private let filter: Filter?
  private var isTyping = false
  private var field = TextField("")
  /// The lines that match the filter, and how many of them have keys; without a filter all lines, and 0.
  private var found: (lines: [HelpLines<Command, Context>.Line], count: Int)
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

  /// Creates a help screen.
  /// - Parameters:
  ///   - title: the title.
  ///   - help: the lines.
  ///   - requestContext: the context in which help was requested; the list opens at its keys.
  ///   - context: the context of its own keys.
  ///   - filter: its filter, which ``CommandRole/filter`` starts; nil for none.
  ///   - style: its style.
  public init(
    title: String, help: HelpLines<Command, Context>, requestedIn requestContext: Context, context: Context,
    filter: Filter? = nil, style: WidgetStyle
  ) {
    self.title = title
    allLines = help.lines
    found = (allLines, 0)
    firstLine = help.firstLine(of: requestContext)
    self.context = context
    self.filter = filter
    self.style = style
  }

  private var isFiltered: Bool { isTyping || !field.isEmpty }

  // MARK: Events

  /// Scrolls, filters, or closes the screen.
  public func perform(_ command: Command, in context: ScreenContext<Command, Context>) {
    switch context.keys.role(of: command) {
    case .filter: isTyping = filter != nil
    case .accept: isTyping = false
    case .clear: edit { $0 = TextField("") }
    case .cancel where isFiltered:
      isTyping = false
      edit { $0 = TextField("") }
    case .cancel: context.pop(self)
    case .move(let movement): pager.move(movement)
    default: break
    }
  }

  /// Edits the filter while it is typed; otherwise scrolls a page if the key is Space.
  public func type(_ key: Key, in context: ScreenContext<Command, Context>) {
    guard isTyping else { return pager.type(key) }
    if key.code == .backspace, field.isEmpty { isTyping = false } else { edit { _ = $0.handle(key) } }
  }

  /// Handles the wheel and pasted text.
  public func handle(_ event: Event, in context: ScreenContext<Command, Context>) {
    if case .paste(let text) = event, isTyping { edit { $0.insert(text) } }
    pager.handle(event)
  }

  private func edit(_ change: (inout TextField) -> Void) {
    let before = field.text
    change(&field)
    guard field.text != before else { return }
    found = field.isEmpty ? (allLines, 0) : HelpLines<Command, Context>.filter(allLines, by: field.text)
    pager.show(0)
  }

  // MARK: Drawing

  /// Wraps the lines for the window.
  public func prepare(in rect: Rect) {
    // Leave a blank column beside the scroll bar.
    let body = rect.inset(top: 1, left: 2, bottom: 1)
    let columns = body.columns - 2
    keyColumns = allLines.map { TextWidth.columns(of: $0.keys) }.max() ?? 0
    rows = []
    let isFirst = firstRow == nil
    for (index, line) in found.lines.enumerated() {
      if index == firstLine, field.isEmpty { firstRow = rows.count }
      if line.keys.isEmpty {
        rows.append(.heading(line.text))
      } else {
        let texts = TextWidth.wrap(line.text, columns: max(1, columns - keyColumns - 2))
        rows += texts.enumerated().map { Row.key($0.offset == 0 ? line.keys : "", $0.element) }
      }
    }
    pager.layOut(in: body, lines: rows.count, first: field.isEmpty ? firstRow ?? 0 : 0)
    if isFirst { pager.show(firstRow ?? 0) }
  }

  /// Draws the visible lines.
  public func draw(on canvas: inout Canvas, in rect: Rect) {
    canvas.fill(rect, style: style.text)
    drawTitle(on: &canvas, in: rect.line(0))
    if rows.isEmpty, let filter {
      let line = pager.rect.line(0).inset(right: 2)
      canvas.put(
        filter.noMatch(field.text), at: Point(row: line.row, column: line.column), limit: line.columns,
        style: style.quiet)
    }
    pager.draw(on: &canvas, style: style) { index, line, canvas in
      draw(rows[index], on: &canvas, in: line.inset(right: 1))
    }
  }

  private func draw(_ row: Row, on canvas: inout Canvas, in line: Rect) {
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

  private func drawTitle(on canvas: inout Canvas, in line: Rect) {
    let summary = field.isEmpty ? "" : filter?.found(found.count) ?? ""
    Bars(style: style).drawTitle(
      title, detail: "", right: summary, isRightNeeded: !summary.isEmpty, on: &canvas, in: line)
    guard isFiltered, let filter else { return }
    let start = line.column + TextWidth.columns(of: title) + 4
    let prompt = canvas.put(
      filter.prompt + " ", at: Point(row: line.row, column: start), limit: max(0, line.endColumn - start),
      style: style.title)
    let end = line.endColumn - (summary.isEmpty ? 1 : TextWidth.columns(of: summary) + 3)
    let room = Rect(row: line.row, column: start + prompt, rows: 1, columns: max(0, end - start - prompt))
    field.draw(on: &canvas, in: room, style: style.title, focused: isTyping)
  }

  /// The keys that scroll, filter and close, or those of the filter while it is typed.
  public func bottomLine(in context: ScreenContext<Command, Context>) -> BottomLine? {
    BottomLine(hints: context.hints(isTyping ? [.accept, .cancel] : [.move(.down), .filter, .cancel], in: keyContext))
  }
}
