import TerminalKit

/// All keys, made from the key table.
@MainActor
final class HelpScreen: Screen {
  private let environment: AppEnvironment
  private var top = 0
  private var pageRows = 1
  private var lineCount = 0

  init(environment: AppEnvironment) { self.environment = environment }

  func handle(_ event: Event) {
    switch event {
    case .key(let key): handle(key)
    case .mouse(let mouse):
      if mouse.action == .wheelDown { top += ChoiceLines.wheelStep }
      if mouse.action == .wheelUp { top -= ChoiceLines.wheelStep }
    default: return
    }
    top = min(max(0, top), max(0, lineCount - pageRows))
  }

  private func handle(_ key: Key) {
    switch environment.keys.command(for: key, in: .list) {
    case .moveDown: top += 1
    case .moveUp: top -= 1
    case .pageDown, .halfDown: top += pageRows
    case .pageUp, .halfUp: top -= pageRows
    case .last: top = lineCount
    case .back, .quit, .help, .open: environment.screens.pop(self)
    default:
      switch key.code {
      case .home: top = 0
      case .character(" "): top += pageRows
      default: break
      }
    }
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let theme = environment.theme
    let words = environment.words
    canvas.fill(rect, style: theme.text)
    let bars = Bars(theme: theme)
    bars.drawTitle(words("help.title"), on: &canvas, in: rect.line(0))
    bars.drawMessage(words("help.hint"), isError: false, on: &canvas, in: rect.line(rect.rows - 1))
    let body = rect.inset(top: 1, left: 2, bottom: 1, right: 1)
    let lines = HelpLines(keys: environment.keys, words: words).lines
    lineCount = lines.count
    pageRows = max(1, body.rows)
    let keyColumns = lines.map { TextWidth.columns(of: $0.keys) }.max() ?? 0
    for (offset, line) in lines.dropFirst(top).prefix(body.rows).enumerated() {
      let row = body.row + offset
      guard !line.keys.isEmpty else {
        canvas.put(line.text, at: Point(row: row, column: body.column), limit: body.columns, style: theme.header)
        continue
      }
      canvas.put(line.keys, at: Point(row: row, column: body.column), limit: keyColumns, style: theme.accent)
      let start = body.column + keyColumns + 2
      canvas.put(
        line.text, at: Point(row: row, column: start), limit: max(0, body.endColumn - start), style: theme.text)
    }
  }
}

/// The help screen's lines, which the manual shares.
struct HelpLines {
  /// A key with its meaning, or a heading where there is no key.
  struct Line: Equatable {
    var keys: String
    var text: String
  }

  let keys: KeyTable
  let words: Words

  /// Every line of the table, under its heading.
  var lines: [Line] {
    var lines: [Line] = []
    var heading = ""
    for binding in keys.bindings {
      if binding.groupKey != heading {
        if !lines.isEmpty { lines.append(Line(keys: "", text: "")) }
        heading = binding.groupKey
        lines.append(Line(keys: "", text: words(heading)))
      }
      lines.append(
        Line(keys: binding.sequences.map(\.label).joined(separator: "  "), text: words(binding.descriptionKey)))
    }
    return lines
  }
}
