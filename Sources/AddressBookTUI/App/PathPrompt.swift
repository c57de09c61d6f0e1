import Dispatch
import Glibc
import TerminalKit

/// Asks for a file by its path; Tab completes the name.
@MainActor
final class PathPrompt: Screen {
  var isOverlay: Bool { true }
  private let title: String
  private let hint: String
  private let theme: Theme
  private let loop: any ProgramLoop
  private let close: @MainActor (any Screen) -> Void
  private let choose: @MainActor (String) -> Void
  private var field = TextField("")

  init(
    title: String, hint: String, theme: Theme, loop: any ProgramLoop,
    close: @escaping @MainActor (any Screen) -> Void,
    choose: @escaping @MainActor (String) -> Void
  ) {
    self.title = title
    self.hint = hint
    self.theme = theme
    self.loop = loop
    self.close = close
    self.choose = choose
  }

  func handle(_ event: Event) {
    switch event {
    case .paste(let text): field.insert(text)
    case .key(let key):
      switch key.code {
      case .escape: close(self)
      case .enter:
        guard !field.text.isEmpty else { return }
        close(self)
        choose(PathCompletion.expanded(field.text))
      case .tab: complete()
      default: _ = field.handle(key)
      }
    default: break
    }
  }

  /// Reads the folder on another thread: it may be large, or on a disk that does not answer.
  private func complete() {
    let (typed, loop) = (field.text, loop)
    DispatchQueue.global(qos: .userInitiated).async { [weak self] in
      let completed = PathCompletion.completed(typed)
      loop.post {
        // What was typed meanwhile is not taken away.
        if let self, self.field.text == typed { self.field = TextField(completed) }
      }
    }
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let columns = min(70, rect.columns - 6)
    let room = Popup(theme: theme).draw(
      title: title, on: &canvas, in: Popup.frame(rows: 3, columns: columns, in: rect))
    field.draw(on: &canvas, in: room.line(0), style: theme.focusedField, focused: true)
    canvas.put(
      hint, at: Point(row: room.row + 2, column: room.column), limit: room.columns, style: theme.popup.adding(.dim))
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
