import TerminalKit

/// All keys, made from the key table.
@MainActor
final class HelpScreen: Screen {
  var keyContext: KeyContext { .help }
  private let environment: AppEnvironment
  private let lines: [HelpLines.Line]
  /// The lines as they are laid out in the window.
  private var rows: [Row] = []
  private var keyColumns = 0
  private var pager = Pager()
  /// The line that is shown first, and its row.
  private let firstLine: Int
  private var firstRow: Int?

  private enum Row {
    case heading(String)
    /// A key with its meaning, or with more of that of the row above.
    case key(String, String)
  }

  /// - Parameter context: where help was asked for; its keys are shown first.
  init(environment: AppEnvironment, context: KeyContext = .list) {
    self.environment = environment
    let help = HelpLines(keys: environment.keys, strings: environment.strings)
    lines = help.lines
    firstLine = help.firstLine(of: context)
  }

  func perform(_ command: Command) {
    if command == .helpClose { environment.screens.pop(self) } else { pager.perform(command) }
  }

  func type(_ key: Key) { pager.type(key) }

  func handle(_ event: Event) { pager.handle(event) }

  func prepare(in rect: Rect) {
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

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let theme = environment.theme
    let strings = environment.strings
    canvas.fill(rect, style: theme.text)
    let bars = Bars(theme: theme)
    bars.drawTitle(strings("help.title"), on: &canvas, in: rect.line(0))
    let hints = [(Command.moveDown, "scroll"), (.helpClose, "back")]
    bars.drawHints(
      hints.map { Hint(key: environment.keys.label(of: $0.0, in: .help), word: strings("hint." + $0.1)) }, on: &canvas,
      in: rect.line(rect.rows - 1))
    let body = Self.body(rect)
    for (offset, row) in rows.dropFirst(pager.top).prefix(body.rows).enumerated() {
      let line = body.line(offset)
      switch row {
      case .heading(let text):
        canvas.put(text, at: Point(row: line.row, column: line.column), limit: line.columns, style: theme.header)
      case .key(let keys, let text):
        canvas.put(keys, at: Point(row: line.row, column: line.column), limit: keyColumns, style: theme.accent)
        let start = line.column + keyColumns + 2
        canvas.put(
          text, at: Point(row: line.row, column: start), limit: max(0, line.endColumn - start), style: theme.text)
      }
    }
  }
}

/// The help screen's lines, which the manual shares.
struct HelpLines {
  /// A key with its meaning, or a heading without a key.
  struct Line: Equatable {
    var keys: String
    var text: String
  }

  let keys: KeyTable
  let strings: Strings

  /// Every line of the table, under its heading.
  var lines: [Line] { titled.map(\.line) }

  /// Index of the first heading that has a key of its own in the context; 0 where there is none.
  func firstLine(of context: KeyContext) -> Int {
    let titled = titled
    guard let line = titled.firstIndex(where: { $0.binding.map { Self.isOwn($0, of: context) } ?? false }) else {
      return 0
    }
    return titled[..<line].lastIndex { $0.line.keys.isEmpty && !$0.line.text.isEmpty } ?? 0
  }

  /// What holds nearly everywhere is no context's own.
  private static func isOwn(_ binding: KeyTable.Binding, of context: KeyContext) -> Bool {
    binding.contexts.contains(context) && binding.contexts.count < KeyContext.allCases.count - 1
  }

  private var titled: [(line: Line, binding: KeyTable.Binding?)] {
    var lines: [(line: Line, binding: KeyTable.Binding?)] = []
    var heading = ""
    for binding in keys.bindings {
      if binding.groupKey != heading {
        if !lines.isEmpty { lines.append((Line(keys: "", text: ""), nil)) }
        heading = binding.groupKey
        lines.append((Line(keys: "", text: strings(heading)), nil))
      }
      let keys = binding.sequences.map(\.label).joined(separator: "  ")
      lines.append((Line(keys: keys.isEmpty ? "–" : keys, text: strings(binding.descriptionKey)), binding))
    }
    return lines
  }
}
