import Foundation
import TerminalKit

/// The files of a folder. Typing filters them.
final class FileScreen: Screen {
  var keyContext: KeyContext { .files }
  private let screens: ScreenStack<Command, KeyContext>
  private let loop: any ProgramLoop
  private let style: WidgetStyle
  private var folder: Folder
  private var files: [File]
  private var selection: ListSelection
  private var filter = TextField()

  init(_ url: URL, screens: ScreenStack<Command, KeyContext>, loop: any ProgramLoop, style: WidgetStyle) {
    self.screens = screens
    self.loop = loop
    self.style = style
    folder = Folder(url)
    files = folder.files
    selection = ListSelection(count: files.count)
  }

  // MARK: Events

  func perform(_ command: Command) {
    switch command.role {
    case .move(let movement): selection.move(movement)
    case .accept: open()
    case .cancel where filter.isEmpty: loop.stop()
    case .cancel: edit { $0 = TextField() }
    default:
      if command == .parent { show(folder.url.deletingLastPathComponent(), selecting: folder.url.lastPathComponent) }
    }
  }

  func type(_ key: Key) { edit { _ = $0.handle(key) } }

  func handle(_ event: Event) {
    switch event {
    case .paste(let text): edit { $0.insert(text) }
    case .mouse(let mouse): if selection.handle(mouse) { open() }
    default: break
    }
  }

  private func edit(_ change: (inout TextField) -> Void) {
    let before = filter.text
    change(&filter)
    if filter.text != before { applyFilter() }
  }

  private func applyFilter() {
    let choice = ChoiceFilter(filter.text)
    files = folder.files.filter { choice.matches($0.name) }
    selection.rewind()
    selection.count = files.count
    selection.select(choice.best(of: files.map(\.name)))
  }

  private func show(_ url: URL, selecting name: String? = nil) {
    folder = Folder(url)
    filter = TextField()
    applyFilter()
    if let index = files.firstIndex(where: { $0.name == name }) { selection.select(index) }
  }

  private func open() {
    guard files.indices.contains(selection.selected) else { return }
    let file = files[selection.selected]
    if file.isFolder {
      show(folder.url.appendingPathComponent(file.name))
    } else {
      screens.push(DetailScreen(file, style: style) { [screens] in screens.pop($0) })
    }
  }

  // MARK: Drawing

  func prepare(in rect: Rect) { selection.layOut(in: rect.inset(top: 2, bottom: 1)) }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let bars = Bars(style: style)
    bars.drawTitle(folder.url.path, detail: "\(files.count) of \(folder.files.count)", on: &canvas, in: rect.line(0))
    filter.draw(on: &canvas, in: rect.line(1), style: style.field, focused: true)
    if filter.isEmpty {
      canvas.put(
        "type to filter", at: Point(row: rect.row + 1, column: rect.column), limit: rect.columns,
        style: style.field.adding(.dim))
    }
    selection.draw(on: &canvas, style: style) { index, line, canvas in
      drawFile(files[index], isSelected: index == selection.selected, on: &canvas, in: line)
    }
    if let error = folder.error {
      bars.drawMessage(error, isError: true, on: &canvas, in: rect.line(rect.rows - 1))
    } else {
      bars.drawHints(hints, on: &canvas, in: rect.line(rect.rows - 1))
    }
  }

  private func drawFile(_ file: File, isSelected: Bool, on canvas: inout Canvas, in line: Rect) {
    let lineStyle = isSelected ? style.selection : style.text
    let size = file.isFolder ? "" : "\(file.size)"
    canvas.fill(line, style: lineStyle)
    canvas.put(
      (isSelected ? "▸ " : "  ") + file.name + (file.isFolder ? "/" : ""),
      at: Point(row: line.row, column: line.column), limit: max(0, line.columns - size.count - 2),
      style: file.isFolder ? lineStyle.adding(.bold) : lineStyle)
    canvas.put(
      size, at: Point(row: line.row, column: line.endColumn - size.count - 1), limit: size.count,
      style: isSelected ? lineStyle : style.quiet)
  }

  private var hints: [Hint] {
    [(Command.open, "open"), (.parent, "parent folder"), (.help, "keys"), (.quit, "quit")].map {
      Hint(key: keys.sequence(for: $0.0, in: .files)?.label ?? "", word: $0.1)
    }
  }
}
