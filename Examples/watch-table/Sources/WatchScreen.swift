import GRDB
import ResultsController
import TerminalKit

enum Command: ScreenCommand {
  case down, up, pageDown, pageUp, first, last, redraw, suspend, quit

  var role: CommandRole? {
    switch self {
    case .down: .move(.down)
    case .up: .move(.up)
    case .pageDown: .move(.pageDown)
    case .pageUp: .move(.pageUp)
    case .first: .move(.first)
    case .last: .move(.last)
    case .redraw: .redraw
    case .suspend: .suspend
    case .quit: .quit
    }
  }
}

enum KeyContext { case list }

let keys = KeyMap<Command, KeyContext>([
  .init(["j", "Down"], .down, in: [.list], descriptionKey: "next row"),
  .init(["k", "Up"], .up, in: [.list], descriptionKey: "previous row"),
  .init(["PgDn", "^F"], .pageDown, in: [.list], descriptionKey: "next page"),
  .init(["PgUp", "^B"], .pageUp, in: [.list], descriptionKey: "previous page"),
  .init(["g g", "Home"], .first, in: [.list], descriptionKey: "first row"),
  .init(["G", "End"], .last, in: [.list], descriptionKey: "last row"),
  .init(["^L"], .redraw, in: [.list], descriptionKey: "redraw the screen"),
  .init(["^Z"], .suspend, in: [.list], descriptionKey: "suspend"),
  .init(["q", "^C"], .quit, in: [.list], descriptionKey: "quit"),
])

/// A table on the whole screen. The selection stays on its row, no matter who changes the table, until the row is
/// deleted.
final class WatchScreen: Screen {
  var keyContext: KeyContext { .list }
  private let controller: ResultsController<AnyRow>
  private let title: String
  private let style = WidgetStyle()
  private var list = ListState()
  /// The changes in the last update, or the last error.
  private var news = (text: "", isError: false)
  /// The visible rows, read before drawing.
  private var texts: [String] = []

  init(_ controller: ResultsController<AnyRow>, title: String) {
    self.controller = controller
    self.title = title
    list.focus = controller.snapshot.id(atFlatRow: 0)
    controller.listen { [weak self] event in MainActor.assumeIsolated { self?.handle(event) } }
  }

  private func handle(_ event: ResultsEvent) {
    switch event {
    case .changed(let update): apply(update)
    case .failed(let error): news = ("\(error)", true)
    case .written: break
    }
  }

  private func apply(_ update: ResultsUpdate) {
    list.apply(update)
    let changes = update.changes
    news.text =
      "\(changes.inserts.count) inserted, \(changes.deletes.count) deleted, \(changes.moves.count) moved, "
      + "\(changes.updates.count) updated"
    news.isError = false
  }

  private var focusedRow: Int { list.focus.flatMap { controller.snapshot.flatRow(ofID: $0) } ?? 0 }

  func perform(_ command: Command) {
    guard case .move(let movement) = command.role else { return }
    var selection = ListSelection(count: controller.snapshot.count, selected: focusedRow)
    selection.layOut(in: Rect(row: 0, column: 0, rows: list.height, columns: 1))
    selection.move(movement)
    list.focus = controller.snapshot.id(atFlatRow: selection.selected)
  }

  func prepare(in rect: Rect) {
    let snapshot = controller.snapshot
    list.height = max(0, rect.rows - 2)
    list.top = min(max(list.top, focusedRow - list.height + 1), focusedRow)
    let visible = list.top..<min(snapshot.count, list.top + list.height)
    do {
      texts = try visible.map { try controller.object(atFlatRow: $0).text }
    } catch {
      news = ("\(error)", true)
    }
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let bars = Bars(style: style)
    bars.drawTitle(title, detail: "\(controller.snapshot.count) rows", on: &canvas, in: rect.line(0))
    for (offset, text) in texts.enumerated() {
      let line = rect.line(1 + offset)
      let isFocused = list.top + offset == focusedRow
      let lineStyle = isFocused ? style.selection : style.text
      canvas.fill(line, style: lineStyle)
      canvas.put(
        (isFocused ? "▸ " : "  ") + text, at: Point(row: line.row, column: line.column), limit: line.columns,
        style: lineStyle)
    }
    if news.text.isEmpty {
      let hints = [(Command.down, "next"), (.up, "previous"), (.quit, "quit")]
      bars.drawHints(
        hints.map { Hint(key: keys.sequence(for: $0.0, in: .list)?.label ?? "", word: $0.1) }, on: &canvas,
        in: rect.line(rect.rows - 1))
    } else {
      bars.drawMessage(news.text, isError: news.isError, on: &canvas, in: rect.line(rect.rows - 1))
    }
  }

  /// Shows the table until the user quits.
  static func run(_ database: DatabasePool, _ request: ResultsRequest, title: String) throws {
    let terminal = try NcursesTerminal()
    let loop = EventLoop(terminal: terminal, input: terminal.input)
    defer { terminal.restore() }
    let controller = ResultsController<AnyRow>(
      database, request: request, installsTriggers: true, deliver: .mainActor { loop.post($0) })
    try controller.performFetch()
    let screens = ScreenStack<Command, KeyContext>()
    screens.push(WatchScreen(controller, title: title))
    loop.run(Dispatcher(keys: keys, screens: screens, terminal: terminal, loop: loop))
  }
}
