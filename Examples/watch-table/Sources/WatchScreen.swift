import GRDB
import ResultsController
import TerminalKit

enum Command { case down, up, pageDown, pageUp, first, last, redraw, suspend, quit }

enum KeyContext { case list }

let keys = KeyMap<Command, KeyContext>([
  .init(["j", "Down"], .down, .move(.down), in: [.list], help: "next row", hint: "next"),
  .init(["k", "Up"], .up, .move(.up), in: [.list], help: "previous row", hint: "previous"),
  .init(["PgDn", "^F"], .pageDown, .move(.pageDown), in: [.list], help: "next page"),
  .init(["PgUp", "^B"], .pageUp, .move(.pageUp), in: [.list], help: "previous page"),
  .init(["g g", "Home"], .first, .move(.first), in: [.list], help: "first row"),
  .init(["G", "End"], .last, .move(.last), in: [.list], help: "last row"),
  .init(["^L"], .redraw, .redraw, in: [.list], help: "redraw the screen"),
  .init(["^Z"], .suspend, .suspend, in: [.list], help: "suspend"),
  .init(["q", "^C"], .quit, .quit, in: [.list], help: "quit"),
])

/// A table on the whole screen. The selection stays on its row, no matter who changes the table, until the row is
/// deleted.
final class WatchScreen: Screen {
  var keyContext: KeyContext { .list }
  private let controller: FetchedRecordsController<AnyRow>
  private let title: String
  private let style = WidgetStyle()
  private var list = ListState()
  /// The changes in the last update, or the last error.
  private var news = (text: "", isError: false)
  /// The visible rows, read before drawing.
  private var texts: [String] = []

  init(_ controller: FetchedRecordsController<AnyRow>, title: String) {
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

  func perform(_ command: Command, in context: ScreenContext<Command, KeyContext>) {
    guard case .move(let movement) = keys.role(of: command) else { return }
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
    Bars(style: style).drawTitle(
      title, detail: "\(controller.snapshot.count) rows", on: &canvas, in: rect.line(0))
    for (offset, text) in texts.enumerated() {
      let line = rect.line(1 + offset)
      let isFocused = list.top + offset == focusedRow
      TextRow(text).draw(isSelected: isFocused, on: &canvas, in: line, style: style)
    }
  }

  func bottomLine(in context: ScreenContext<Command, KeyContext>) -> BottomLine? {
    if !news.text.isEmpty { return BottomLine(news.text, isError: news.isError) }
    return BottomLine(hints: context.hints([.down, .up, .quit], in: .list))
  }

  /// Shows the table until the user quits.
  static func run(_ database: DatabasePool, _ request: ResultsRequest, title: String) throws {
    try Program.run(keys: keys) { context in
      let loop = context.loop
      let controller = FetchedRecordsController<AnyRow>(
        database, request: request, installsTriggers: true, deliver: .mainActor { loop.post($0) })
      try controller.performFetch()
      return WatchScreen(controller, title: title)
    }
  }
}
