import AddressBookModel
import TerminalKit

/// Text to read, in a pager: the notices of an import, the history of a contact.
@MainActor
final class PagerScreen: Screen {
  var keyContext: KeyContext { .help }
  private let environment: AppEnvironment
  private let title: String
  private let detail: String
  /// One or more lines each.
  private let paragraphs: [String]
  private var pager = Pager()
  /// The paragraphs wrapped to the width of the last layout.
  private var lines: [String] = []
  private var columns = 0

  /// - Parameter paragraphs: the text; control characters are shown as symbols.
  init(title: String, detail: String, paragraphs: [String], environment: AppEnvironment) {
    self.title = title
    self.detail = detail
    self.paragraphs = paragraphs
    self.environment = environment
  }

  func perform(_ command: Command) {
    switch command.role {
    case .cancel: environment.screens.pop(self)
    case .move(let movement): pager.move(movement)
    default: break
    }
  }

  func type(_ key: Key) { pager.type(key) }

  func handle(_ event: Event) { pager.handle(event) }

  func prepare(in rect: Rect) {
    let body = Self.body(of: rect)
    if columns != body.columns {
      columns = body.columns
      lines = paragraphs.flatMap { TextWidth.wrap(DisplayText.clean($0), columns: max(1, columns)) }
    }
    pager.layOut(rows: body.rows, lines: lines.count)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let theme = environment.theme
    let strings = environment.strings
    canvas.fill(rect, style: theme.text)
    let bars = Bars(theme: theme)
    bars.drawTitle(title, detail: detail, on: &canvas, in: rect.line(0))
    bars.drawHints(
      [(Command.moveDown, "scroll"), (.helpClose, "back")].map {
        Hint(key: environment.keys.label(of: $0.0, in: .help), word: strings("hint." + $0.1))
      }, on: &canvas, in: rect.line(rect.rows - 1))
    let body = Self.body(of: rect)
    for (offset, line) in lines.dropFirst(pager.top).prefix(max(0, body.rows)).enumerated() {
      canvas.put(
        line, at: Point(row: body.row + offset, column: body.column), limit: body.columns, style: theme.text)
    }
    ScrollBar.draw(
      on: &canvas, in: rect.inset(top: 1, left: rect.columns - 1, bottom: 1), first: pager.top, visible: body.rows,
      total: lines.count, track: theme.quiet, thumb: theme.accent)
  }

  private static func body(of rect: Rect) -> Rect { rect.inset(top: 1, left: 1, bottom: 1, right: 2) }
}
