import Dispatch
import Glibc
import SystemCalls

/// A function that completes typed text: it takes the text, and calls the closure with the completed text, now or
/// later.
public typealias TextCompletion = @MainActor (String, @escaping @MainActor @Sendable (String) -> Void) -> Void

/// A popup that asks for one line of text, such as a path. It stays open until its owner closes it: invalid text can be
/// corrected.
@MainActor
public final class PromptScreen<Command: Hashable & Sendable, Context: Hashable & Sendable>: Screen {
  /// The context of its keys; keys without a command edit the text.
  public let keyContext: Context
  private var state: PromptState
  private let style: WidgetStyle
  private let complete: TextCompletion?
  private let word: String?
  private var history: InputHistory
  private let cancel: @MainActor () -> Void
  private let accept: @MainActor (String, PromptScreen) -> Void

  /// Creates a prompt.
  /// - Parameters:
  ///   - state: its texts.
  ///   - context: the context of its keys.
  ///   - style: its style.
  ///   - word: what accepting does, for the hint; nil for the word of the key table.
  ///   - complete: the action of ``CommandRole/complete``; nil for none.
  ///   - history: what was entered before, which ``CommandRole/move(_:)`` goes back to.
  ///   - cancel: called after the user has canceled.
  ///   - accept: called with the text if it is not empty; closes the prompt, or calls ``show(error:)``.
  public init(
    _ state: PromptState, context: Context, style: WidgetStyle, word: String? = nil,
    complete: TextCompletion? = nil, history: InputHistory = InputHistory(),
    cancel: @escaping @MainActor () -> Void = {}, accept: @escaping @MainActor (String, PromptScreen) -> Void
  ) {
    self.state = state
    keyContext = context
    self.style = style
    self.word = word
    self.complete = complete
    self.history = history
    self.cancel = cancel
    self.accept = accept
  }

  /// True: the screen below remains visible around it.
  public var isOverlay: Bool { true }

  /// The typed text.
  public var text: String { state.text }

  /// Shows why the text is not valid.
  public func show(error: String) { state.error = error }

  /// Accepts, completes or cancels.
  public func perform(_ command: Command, in context: ScreenContext<Command, Context>) {
    switch context.keys.role(of: command) {
    case .cancel:
      context.pop(self)
      cancel()
    case .accept where !state.text.isEmpty: accept(state.text, self)
    case .complete: completeText()
    case .move(.up): if let text = history.older(than: state.text) { state.text = text }
    case .move(.down): if let text = history.newer(than: state.text) { state.text = text }
    default: break
    }
  }

  /// Edits the text.
  public func type(_ key: Key, in context: ScreenContext<Command, Context>) { state.type(key) }

  /// Handles pasted text and the mouse.
  public func handle(_ event: Event, in context: ScreenContext<Command, Context>) {
    switch event {
    case .paste(let text): state.insert(text)
    case .mouse(let mouse): state.handle(mouse)
    default: break
    }
  }

  private func completeText() {
    let typed = state.text
    complete?(typed) { [self] completed in
      // Keep anything that was typed in the meantime.
      if state.text == typed { state.text = completed }
    }
  }

  /// Lays out the popup.
  public func prepare(in rect: Rect) { state.layOut(in: rect) }

  /// Draws the prompt.
  public func draw(on canvas: inout Canvas, in rect: Rect) { state.draw(on: &canvas, style: style) }

  /// The keys that accept, complete and cancel.
  public func bottomLine(in context: ScreenContext<Command, Context>) -> BottomLine? {
    var words: [CommandRole: String] = [:]
    words[.accept] = word
    let roles: [CommandRole] = complete == nil ? [.accept, .cancel] : [.accept, .complete, .cancel]
    return BottomLine(hints: context.hints(roles, in: keyContext, words: words))
  }
}

/// A popup with one line of text, and the reason why the last input was rejected.
public struct PromptState: Hashable, Sendable {
  private let title: String
  private let detail: String
  private let hint: String
  private var field: TextField
  /// Why the text was rejected, in the user's language; nil for none. Changing the text clears it.
  public var error: String?
  private var frame = Rect(row: 0, column: 0, rows: 0, columns: 0)
  private var errorLines: [String] = []
  private var hintLines: [String] = []

  /// Creates a prompt.
  /// - Parameters:
  ///   - title: the title in the frame.
  ///   - detail: a line above the hint; empty for none.
  ///   - hint: the last lines; empty for none.
  ///   - text: the initial text.
  ///   - error: why that text was rejected.
  public init(title: String, detail: String = "", hint: String = "", text: String = "", error: String? = nil) {
    self.title = title
    self.detail = detail
    self.hint = hint
    self.error = error
    field = TextField(text)
  }

  /// The typed text. Setting it moves the cursor to the end.
  public var text: String {
    get { field.text }
    set { edit { $0 = TextField(newValue) } }
  }

  // MARK: Events

  /// Edits the text with a key.
  public mutating func type(_ key: Key) { edit { _ = $0.handle(key) } }

  /// Inserts text, for example a paste.
  public mutating func insert(_ text: String) { edit { $0.insert(text) } }

  /// Moves the cursor.
  public mutating func handle(_ mouse: Mouse) {
    guard mouse.action == .press, fieldRect.contains(mouse.position) else { return }
    field.moveCursor(toColumn: mouse.position.column - fieldRect.column, columns: fieldRect.columns)
  }

  private mutating func edit(_ change: (inout TextField) -> Void) {
    let before = field.text
    change(&field)
    if field.text != before { error = nil }
  }

  // MARK: Drawing

  private var fieldRect: Rect { Popup.room(in: frame).line(0) }

  /// Lays out the popup in the window.
  public mutating func layOut(in window: Rect) {
    let columns = min(70, window.columns - 6)
    errorLines = error.map { TextWidth.wrap(DisplayText.clean("✗ " + $0), columns: max(1, columns)) } ?? []
    hintLines = hint.isEmpty ? [] : TextWidth.wrap(hint, columns: max(1, columns))
    let below = (detail.isEmpty ? 0 : 1) + hintLines.count
    let rows = 1 + errorLines.count + (below == 0 ? 0 : below + 1)
    frame = Popup.frame(rows: rows, columns: columns, in: window)
  }

  /// Draws the prompt at the position from ``layOut(in:)``.
  public func draw(on canvas: inout Canvas, style: WidgetStyle) {
    let room = Popup(style: style).draw(title: title, on: &canvas, in: frame)
    field.draw(on: &canvas, in: fieldRect, style: style.field, focused: true)
    for (index, line) in errorLines.prefix(max(0, room.rows - 1)).enumerated() {
      canvas.put(
        line, at: Point(row: room.row + 1 + index, column: room.column), limit: room.columns, style: style.error)
    }
    let hints = hintLines.prefix(max(1, room.rows - 1))
    let hintRow = room.endRow - hints.count
    if !detail.isEmpty, hintRow > room.row + 1 {
      canvas.put(detail, at: Point(row: hintRow - 1, column: room.column), limit: room.columns, style: style.popup)
    }
    for (index, line) in hints.enumerated() {
      canvas.put(
        line, at: Point(row: hintRow + index, column: room.column), limit: room.columns,
        style: style.popup.adding(style.faint))
    }
  }
}

/// Completion of file names, as in a shell.
public enum PathCompletion {
  /// Returns the path with the home folder in place of `~`, if that is its first component.
  public static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
    return String(cString: home) + path.dropFirst()
  }

  /// Returns the path extended by the longest common prefix of all matching files; a folder that is the only match gets
  /// its slash, and so does `~`.
  public static func completed(_ path: String) -> String {
    let full = expanded(path)
    if path == "~", full != path { return "~/" }
    let slash = full.lastIndex(of: "/")
    let folder = slash.map { String(full[...$0]) } ?? "./"
    let start = slash.map { String(full[full.index(after: $0)...]) } ?? full
    let names = Folder.names(in: folder).sorted().filter {
      $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix("."))
    }
    guard var common = names.first else { return path }
    for name in names.dropFirst() {
      common = String(zip(common, name).prefix { $0 == $1 }.map(\.0))
    }
    let typed =
      slash == nil ? "" : String(path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)])
    let isFolder = names.count == 1 && isFolder(folder + common)
    return typed + common + (isFolder ? "/" : "")
  }

  /// Completes the path in a ``PromptScreen``. The folder is read on another thread, because it may be large or on a
  /// disk that does not respond.
  public static func completion(on loop: any ProgramLoop) -> TextCompletion {
    { typed, done in
      DispatchQueue.global(qos: .userInitiated).async {
        let completed = completed(typed)
        loop.post { done(completed) }
      }
    }
  }

  private static func isFolder(_ path: String) -> Bool { stat(of: path)?.isFolder == true }
}
