import Dispatch
import Glibc
import TerminalKit

/// Asks for a file by its path; the path is kept until whoever asked closes the prompt.
@MainActor
final class PathPrompt: Screen {
  var isOverlay: Bool { true }
  var keyContext: KeyContext { .prompt }
  private let title: String
  private let hint: String
  private let theme: Theme
  private let loop: any ProgramLoop
  private let close: @MainActor (PathPrompt) -> Void
  private let choose: @MainActor (String, PathPrompt) -> Void
  private var field: TextField
  /// Why the path could not be used.
  private var error: String?
  private var fieldRect = Rect(row: 0, column: 0, rows: 0, columns: 0)

  /// - Parameters:
  ///   - text: what was typed before.
  ///   - error: why that could not be used, in the person's language.
  ///   - close: called when the person gives up.
  ///   - choose: given a path with `~` replaced; closes the prompt, or shows why the path cannot be used.
  init(
    title: String, hint: String, text: String = "", error: String? = nil, theme: Theme, loop: any ProgramLoop,
    close: @escaping @MainActor (PathPrompt) -> Void, choose: @escaping @MainActor (String, PathPrompt) -> Void
  ) {
    self.title = title
    self.hint = hint
    self.error = error
    self.theme = theme
    self.loop = loop
    self.close = close
    self.choose = choose
    field = TextField(text)
  }

  /// What was typed.
  var text: String { field.text }

  /// Says why the path cannot be used.
  func show(error: String) { self.error = error }

  func perform(_ command: Command) {
    switch command {
    case .promptCancel: close(self)
    case .promptAccept where !field.isEmpty: choose(PathCompletion.expanded(field.text), self)
    case .promptComplete: complete()
    default: break
    }
  }

  func type(_ key: Key) { edit { _ = $0.handle(key) } }

  func handle(_ event: Event) {
    switch event {
    case .paste(let text): edit { $0.insert(text) }
    case .mouse(let mouse) where mouse.action == .press && fieldRect.contains(mouse.position):
      field.moveCursor(toColumn: mouse.position.column - fieldRect.column, columns: fieldRect.columns)
    default: break
    }
  }

  private func edit(_ change: (inout TextField) -> Void) {
    let before = field.text
    change(&field)
    if field.text != before { error = nil }
  }

  private func errorLines(in rect: Rect) -> [String] {
    error.map { TextWidth.wrap(DisplayText.clean("✗ " + $0), columns: max(1, columns(in: rect))) } ?? []
  }

  private func columns(in rect: Rect) -> Int { min(70, rect.columns - 6) }

  private func frame(in rect: Rect) -> Rect {
    Popup.frame(rows: 3 + errorLines(in: rect).count, columns: columns(in: rect), in: rect)
  }

  func prepare(in rect: Rect) { fieldRect = Popup.room(in: frame(in: rect)).line(0) }

  /// Reads the folder on another thread: it may be large, or on a disk that does not answer.
  private func complete() {
    let (typed, loop) = (field.text, loop)
    DispatchQueue.global(qos: .userInitiated).async { [weak self] in
      let completed = PathCompletion.completed(typed)
      loop.post {
        // What was typed in the meantime stays.
        guard let self, self.field.text == typed else { return }
        self.edit { $0 = TextField(completed) }
      }
    }
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let room = Popup(theme: theme).draw(title: title, on: &canvas, in: frame(in: rect))
    field.draw(on: &canvas, in: fieldRect, style: theme.focusedField, focused: true)
    for (index, line) in errorLines(in: rect).prefix(max(0, room.rows - 1)).enumerated() {
      canvas.put(
        line, at: Point(row: room.row + 1 + index, column: room.column), limit: room.columns, style: theme.error)
    }
    canvas.put(
      hint, at: Point(row: room.endRow - 1, column: room.column), limit: room.columns, style: theme.popup.adding(.dim))
  }
}

/// Names of files as a shell completes them.
enum PathCompletion {
  /// The path with `~` at its start replaced by the home folder.
  static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
    return String(cString: home) + path.dropFirst()
  }

  /// The path with as much more as all files of its folder that begin so have in common; a folder gets its slash.
  static func completed(_ path: String) -> String {
    let full = expanded(path)
    let slash = full.lastIndex(of: "/")
    let folder = slash.map { String(full[...$0]) } ?? "./"
    let start = slash.map { String(full[full.index(after: $0)...]) } ?? full
    let names = names(in: folder).filter { $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix(".")) }
    guard var common = names.first else { return path }
    for name in names.dropFirst() {
      common = String(zip(common, name).prefix { $0 == $1 }.map(\.0))
    }
    let typed =
      slash == nil ? "" : String(path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)])
    let isFolder = names.count == 1 && isFolder(folder + common)
    return typed + common + (isFolder ? "/" : "")
  }

  private static func names(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
