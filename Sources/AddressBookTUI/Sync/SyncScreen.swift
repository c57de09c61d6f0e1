import FolderSync
import ResultsController
import TerminalKit

/// Accounts and synced folders: when each was last synced, what came and went, and what is left to decide.
@MainActor
final class SyncScreen: Screen {
  var keyContext: KeyContext { .sync }
  private let environment: AppEnvironment
  private let actions: SyncActions
  private var state = SyncState()

  init(environment: AppEnvironment, actions: SyncActions) {
    self.environment = environment
    self.actions = actions
    read()
    actions.onChange = { [weak self] in self?.read() }
  }

  private func read() {
    do {
      state.show(try actions.entries())
    } catch {
      actions.status.show(reading: error)
    }
  }

  func perform(_ command: Command, in context: ScreenContext) {
    actions.status.clear()
    switch command {
    case .syncRun: if actions.progress == nil { actions.run(state.entries.request) } else { actions.stop() }
    case .syncDecide: if let entry = state.selected { actions.decide(entry) }
    case .syncAdd: actions.askForAccount()
    case .syncRemove: if let entry = state.selected { actions.askToRemove(entry) }
    case .syncGuide: actions.showGuide()
    case .syncClose: environment.screens.pop(self)
    default:
      if case .move(let movement)? = command.role { state.list.selection.move(movement) }
    }
  }

  func type(_ key: Key, in context: ScreenContext) {
    actions.status.say(environment.unboundText(of: key, in: .sync))
  }

  /// Numbers of contacts may have changed.
  func changed(_ writes: ResultsWrites) { read() }

  func handle(_ event: Event, in context: ScreenContext) {
    if case .mouse(let mouse) = event { _ = state.list.selection.handle(mouse) }
  }

  // MARK: Drawing

  func prepare(in rect: Rect) { state.list.layOut(in: rect.inset(top: 1, bottom: 1)) }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let (theme, strings) = (environment.theme, environment.strings)
    canvas.fill(rect, style: theme.text)
    Bars(theme: theme).drawTitle(strings("sync.title"), detail: actions.progress ?? "", on: &canvas, in: rect.line(0))
    guard !state.entries.isEmpty else {
      return EmptyList(environment: environment).draw(
        [
          .init(text: strings("sync.empty"), style: theme.quiet), .init(text: "", style: theme.quiet),
          .init(key: key(.syncAdd), text: strings("sync.empty.add"), style: theme.text),
          .init(key: key(.syncGuide), text: strings("sync.empty.guide"), style: theme.text),
        ], on: &canvas, in: rect.inset(top: 1, bottom: 1))
    }
    state.list.selection.draw(on: &canvas, style: theme.widgets) { row(of: state.entries[$0]) }
    state.list.draw(text, on: &canvas, quiet: theme.quiet)
  }

  private func key(_ command: Command) -> String { environment.keys.label(of: command, in: .sync) }

  /// The name, the changes of the last sync, and when it was, with a sign.
  private func row(of entry: SyncEntry) -> TextRow {
    let strings = environment.strings
    let name = entry.folder.map { (entry.account == nil ? "" : "  ") + $0.name } ?? entry.account?.name ?? ""
    var row = TextRow(name, attributes: entry.folder == nil ? .bold : [])
    row.tail = entry.folder.map { "  " + strings.number($0.count) } ?? ""
    guard let record = entry.record else {
      row.right = strings("sync.never")
      return row
    }
    row.right = record.localTime + " " + Self.sign(record.state)
    row.note = strings.list(
      [("sync.toBook", record.toBook), ("sync.toFolder", record.toFolder)].filter { $1.total > 0 }
        .map { strings($0, Self.text($1)) })
    return row
  }

  private static func sign(_ state: SyncRecord.State) -> String {
    switch state {
    case .done: "✓"
    case .open, .refused: "!"
    case .failed: "✗"
    }
  }

  /// `+3 ~1 −2`.
  private static func text(_ counts: SyncReport.Counts) -> String {
    [("+", counts.added), ("~", counts.changed), ("−", counts.deleted)].filter { $1 > 0 }.map { $0 + String($1) }
      .joined(separator: " ")
  }

  /// Where the selected line is synced with, and what happened.
  private var text: [ListWithText.Line] {
    guard let entry = state.selected else { return [] }
    let (theme, strings) = (environment.theme, environment.strings)
    let place = DisplayText.clean(entry.folder?.path ?? entry.account?.url ?? "")
    var lines = [(text: PlainColumns.fitted(place, to: state.list.columns, keepsEnd: true).trimmed, style: theme.quiet)]
    if let user = entry.account?.user, entry.folder == nil, !user.isEmpty { lines.append((user, theme.quiet)) }
    if entry.isReadOnly { lines.append((strings("sync.readOnly"), theme.quiet)) }
    let style = entry.record?.state == .failed ? theme.error : theme.text
    for line in entry.record?.lines ?? [] { lines += line.split(separator: "\n").map { (String($0), style) } }
    let decide = key(.syncDecide)
    if entry.isUndecided, !decide.isEmpty { lines.append((strings("sync.decide.hint", decide), theme.accent)) }
    return lines
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    if let message = actions.status.message { return BottomLine(message.text, isError: message.isError) }
    var hints =
      actions.progress == nil
      ? environment.hints([.syncRun], in: .sync) : environment.hint(.syncRun, as: "stop", in: .sync)
    if state.selected?.isUndecided == true { hints += environment.hints([.syncDecide], in: .sync) }
    return BottomLine(
      hints: hints + environment.hints([.syncAdd, .syncRemove, .syncGuide, .syncClose, .help], in: .sync))
  }
}
