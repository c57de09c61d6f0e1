import AddressBookModel
import TerminalKit

/// The line at the bottom: a message, the progress of background work, the prompt after the jump key, or the available
/// keys.
@MainActor
final class StatusLine {
  /// The message, which is shown until the next key or command; nil if there is none.
  private(set) var message: (text: String, isError: Bool)?
  private let environment: AppEnvironment
  private var rect = Rect(row: 0, column: 0, rows: 0, columns: 0)
  private var content: Content?
  private var drawn = LastDrawn<Content>()

  /// The state of the main screen, which decides which keys are shown.
  struct ScreenState: Equatable {
    var mode: BrowserScreen.Mode
    var isEmpty: Bool
    var showsDetail: Bool
    var hasMarks: Bool
    /// True if the user is asked to choose contacts.
    var isPicking: Bool
    var isSearched: Bool
    var isGroup: Bool
    /// The sort order, which determines what the user types to jump.
    var order: ContactSortOrder
  }

  private struct Content: Equatable {
    var message: String?
    var isError: Bool
    var task: String?
    var state: ScreenState
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

  // MARK: Drawing

  /// Call this last in a frame: preparing another pane may show a message.
  /// - Parameter task: the progress of background work; nil if there is none.
  func prepare(_ state: ScreenState, task: String?, in line: Rect) {
    rect = line
    content = Content(message: message?.text, isError: message?.isError ?? false, task: task, state: state)
  }

  func invalidateDrawing() { drawn.invalidate() }

  func draw(on canvas: inout Canvas) {
    guard let content, !drawn.isSame(content) else { return }
    let bars = Bars(theme: environment.theme)
    if let message = content.message {
      bars.drawMessage(message, isError: content.isError, on: &canvas, in: rect)
    } else if let task = content.task {
      bars.drawMessage(task, isError: false, on: &canvas, in: rect)
    } else if content.state.mode == .jump {
      bars.drawMessage(prompt(content.state.order), isError: false, on: &canvas, in: rect)
    } else {
      bars.drawHints(hints(content.state), on: &canvas, in: rect)
    }
  }

  private func prompt(_ order: ContactSortOrder) -> String {
    switch order {
    case .name, .organization: environment.strings("jump.prompt")
    case .birthday: environment.strings("jump.prompt.month")
    case .added, .changed: environment.strings("jump.prompt.year")
    }
  }

  private func hints(_ state: ScreenState) -> [Hint] {
    if state.mode == .search {
      return [
        hint(.searchKeep, .search, "keep"), hint(.searchCancel, .search, "endSearch"), hint(.help, .search, "help"),
      ]
    }
    let back = backHints(state)
    if state.isEmpty { return back + [hint(.help, .list, "help"), hint(.quit, .list, "quit")] }
    if state.isPicking {
      return [
        hint(.open, .list, "pick"), hint(.mark, .list, "mark"), hint(.search, .list, "search"),
      ] + back + [hint(.help, .list, "help"), hint(.quit, .list, "quit")]
    }
    if state.showsDetail {
      return [
        hint(.back, .list, "back"), hint(.edit, .list, "edit"), hint(.delete, .list, "delete"),
        hint(.openLink, .list, "openLink"), hint(.copy, .list, "copy"), hint(.undo, .list, "undo"),
        hint(.help, .list, "help"),
      ]
    }
    if state.hasMarks {
      return [
        hint(.mark, .list, "mark"), hint(.markAll, .list, "markAll"), hint(.delete, .list, "delete"),
        hint(.duplicates, .list, "merge"),
        hint(.addToGroup, .list, "join"), hint(.removeFromGroup, .list, "leave"), hint(.export, .list, "export"),
      ] + back
    }
    return back + [
      hint(.add, .list, "add"), hint(.edit, .list, "edit"), hint(.delete, .list, "delete"), hint(.undo, .list, "undo"),
      hint(.mark, .list, "mark"), hint(.jump, .list, "jump"), hint(.groups, .list, "groups"),
      hint(.quit, .list, "quit"), hint(.palette, .list, "commands"),
    ]
  }

  private func hint(_ command: Command, _ context: KeyContext, _ word: String) -> Hint {
    Hint(key: environment.keys.label(of: command, in: context), word: environment.strings("hint." + word))
  }

  /// The hint for going back; empty if there is nowhere to go.
  private func backHints(_ state: ScreenState) -> [Hint] {
    if state.isSearched { return [hint(.back, .list, "endSearch")] }
    if state.isGroup { return [hint(.back, .list, "all")] }
    return state.hasMarks ? [hint(.back, .list, "unmark")] : []
  }
}
