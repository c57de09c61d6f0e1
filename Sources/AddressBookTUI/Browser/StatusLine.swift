import AddressBookModel
import TerminalKit

/// The line at the bottom: a message, the progress of background work, the prompt after the jump key, or the available
/// keys.
@MainActor
final class StatusLine {
  /// The message, which is shown until the next key or command; nil if there is none.
  private(set) var message: (text: String, isError: Bool)?
  private let environment: AppEnvironment

  /// The state of the main screen, which decides which keys are shown.
  struct ScreenState {
    var mode: BrowserScreen.Mode
    var isEmpty: Bool
    var showsDetail: Bool
    /// Whether the contact in the detail has related ones.
    var hasRelated: Bool
    var hasMarks: Bool
    /// What the user is asked to choose; nil for nothing.
    var pick: ScreenPick?
    var isSearched: Bool
    var isGroup: Bool
    /// The sort order, which determines what the user types to jump.
    var order: ContactSortOrder
  }

  init(environment: AppEnvironment) { self.environment = environment }

  // MARK: Messages

  func say(_ text: String) { message = (text, false) }

  /// Shows what was done, and how to undo it.
  func showUndoable(_ text: String) {
    let key = environment.keys.label(of: .undo, in: .list)
    say(key.isEmpty ? text : environment.strings("status.undoable", text, key))
  }

  /// Shows the result of a write, and how to undo it if it changed anything.
  /// - Parameter count: 0 if nothing was changed.
  func show(_ text: String, changed count: Int) {
    if count == 0 { say(text) } else { showUndoable(text) }
  }

  func fail(_ text: String) { message = (text, true) }

  /// Shows that the book could not be read; the rest of the screen stays as it is.
  func show(reading error: any Error) {
    let strings = environment.strings
    let reason = StoreError(behind: error)?.message(in: strings.localization) ?? String(describing: error)
    fail(strings("status.readFailed", reason))
  }

  /// Shows a problem of the configuration file, or how many it has, on which lines, and where to read them.
  func show(_ issues: [ConfigurationIssue]) {
    guard let first = issues.first else { return }
    let strings = environment.strings
    guard issues.count > 1 else { return fail(first.text(strings)) }
    var lines: [String] = []
    for issue in issues where lines.last != String(issue.line) { lines.append(String(issue.line)) }
    fail(strings("config.more", strings.number(issues.count), strings.list(lines)))
  }

  func clear() { message = nil }

  // MARK: The line

  /// The last line of the main screen.
  func bottomLine(_ state: ScreenState, _ work: BackgroundWork) -> BottomLine {
    if message == nil, work.task == nil, state.mode == .jump { return BottomLine(prompt(state.order)) }
    return environment.bottomLine(message, work, stop: .back, in: .list, hints: hints(state))
  }

  private func prompt(_ order: ContactSortOrder) -> String {
    switch order {
    case .name, .organization:
      environment.strings(environment.configuration.sections.hasNumbers ? "jump.prompt.strokes" : "jump.prompt")
    case .birthday: environment.strings("jump.prompt.month")
    case .added, .changed, .contacted: environment.strings("jump.prompt.year")
    }
  }

  private func hints(_ state: ScreenState) -> [Hint] {
    func hints(_ commands: Command...) -> [Hint] { environment.hints(commands, in: .list) }
    if let pick = state.pick {
      return environment.hints([.pickAccept] + (pick.isMultiple ? [.pickMark] : []) + [.pickCancel, .help], in: .pick)
    }
    if state.mode == .search {
      return environment.hints([.searchKeep], in: .search)
        + environment.hint(.searchCancel, as: "endSearch", in: .search) + environment.hints([.help], in: .search)
    }
    let back = backHints(state)
    if state.isEmpty { return back + hints(.help, .quit) }
    if state.showsDetail {
      let related = state.hasRelated ? environment.hint(.open, as: "related", in: .list) : []
      return hints(.back) + related + hints(.edit, .delete, .openLink, .copy, .undo, .help)
    }
    if state.hasMarks {
      return hints(.mark, .markAll, .delete, .duplicates, .addToGroup, .removeFromGroup, .export) + back
    }
    return back + hints(.add, .edit, .delete, .undo, .mark, .jump, .groups, .quit, .palette)
  }

  /// The hint for going back; empty if there is nowhere to go.
  private func backHints(_ state: ScreenState) -> [Hint] {
    if state.isSearched { return environment.hint(.back, as: "endSearch", in: .list) }
    if state.isGroup { return environment.hint(.back, as: "all", in: .list) }
    return state.hasMarks ? environment.hint(.back, as: "unmark", in: .list) : []
  }
}
