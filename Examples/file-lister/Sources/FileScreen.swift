import Foundation
import TerminalKit

/// The files of a folder. Typing filters them.
final class FileScreen: Screen {
  let keyContext = KeyContext.files
  private var folder: Folder
  private var files: [File] = []
  private var selection = ListSelection(count: 0)
  private var filter = TextField()

  init(_ url: URL) {
    folder = Folder(url)
    applyFilter()
  }

  // MARK: Events

  func perform(_ command: Command, in context: ScreenContext<Command, KeyContext>) {
    switch context.keys.role(of: command) {
    case .move(let movement): selection.move(movement)
    case .accept: open(in: context)
    case .cancel where filter.isEmpty: context.loop.stop()
    case .cancel: edit { $0 = TextField() }
    default: show(folder.url.deletingLastPathComponent(), selecting: folder.url.lastPathComponent)
    }
  }

  func type(_ key: Key, in context: ScreenContext<Command, KeyContext>) { edit { _ = $0.handle(key) } }

  func handle(_ event: Event, in context: ScreenContext<Command, KeyContext>) {
    switch event {
    case .paste(let text): edit { $0.insert(text) }
    case .mouse(let mouse): if selection.handle(mouse) { open(in: context) }
    default: break
    }
  }

  private func edit(_ change: (inout TextField) -> Void) {
    change(&filter)
    applyFilter()
  }

  private func applyFilter() {
    let choice = ChoiceFilter(filter.text)
    files = folder.files.filter { choice.matches($0.name) }
    selection = ListSelection(count: files.count, selected: choice.best(of: files.map(\.name)))
  }

  private func show(_ url: URL, selecting name: String? = nil) {
    folder = Folder(url)
    edit { $0 = TextField() }
    if let index = files.firstIndex(where: { $0.name == name }) { selection.select(index) }
  }

  private func open(in context: ScreenContext<Command, KeyContext>) {
    guard files.indices.contains(selection.selected) else { return }
    let file = files[selection.selected]
    if file.isFolder { show(folder.url.appendingPathComponent(file.name)) } else { context.push(DetailScreen(file)) }
  }

  // MARK: Drawing

  func prepare(in rect: Rect) { selection.layOut(in: rect.split(top: 2, bottom: 1).middle) }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let count = "\(files.count) of \(folder.files.count)"
    Bars(style: style).drawTitle(folder.url.path, detail: count, on: &canvas, in: rect.line(0))
    filter.draw(on: &canvas, in: rect.line(1), style: style.field, focused: true)
    if filter.isEmpty { canvas.put("type to filter", in: rect.line(1), style: style.field.adding(.dim)) }
    selection.draw(on: &canvas, style: style) { index in
      let file = files[index]
      return file.isFolder ? TextRow(file.name + "/", attributes: .bold) : TextRow(file.name, right: "\(file.size)")
    }
  }

  func bottomLine(in context: ScreenContext<Command, KeyContext>) -> BottomLine? {
    if let error = folder.error { return BottomLine(error, isError: true) }
    return BottomLine(hints: context.hints([.open, .parent, .help, .quit], in: .files))
  }
}
