import Glibc
import TerminalKit

/// The layout of the chooser in a window.
struct FileChooserLayout: Equatable {
  /// The typed text.
  let filter: Rect
  /// The names.
  let list: Rect
  /// The preview; empty in a narrow window.
  let preview: Rect
  /// The selected entry's full name if the list has no room for it; otherwise empty.
  let name: Rect
  /// The lines of the full name.
  let nameLines: [String]

  /// The minimum width of a window that has room for the preview.
  private static let splitColumns = 60

  init(window: Rect, name text: String = "") {
    filter = window.line(1).inset(left: 1, right: 1)
    let room = window.inset(top: 2, left: 1, bottom: 1, right: 1)
    let lines = text.isEmpty ? [] : TextWidth.wrap(text, columns: max(1, room.columns))
    nameLines = Array(lines.prefix(room.rows / 2))
    let body = room.inset(bottom: nameLines.count)
    name = Rect(row: body.endRow, column: room.column, rows: nameLines.count, columns: room.columns)
    guard window.columns >= Self.splitColumns else {
      list = body
      preview = Rect(row: body.row, column: body.endColumn, rows: 0, columns: 0)
      return
    }
    let columns = min(48, max(24, body.columns * 2 / 5))
    list = Rect(row: body.row, column: body.column, rows: body.rows, columns: columns)
    preview = Rect(
      row: body.row, column: list.endColumn + 3, rows: body.rows, columns: body.endColumn - list.endColumn - 3)
  }
}

@MainActor
struct FileChooserView {
  let environment: AppEnvironment
  private var strings: Strings { environment.strings }
  private var theme: Theme { environment.theme }

  init(environment: AppEnvironment) { self.environment = environment }

  func draw<Preview>(_ screen: FileChooserScreen<Preview>, on canvas: inout Canvas, in rect: Rect) {
    canvas.fill(rect, style: theme.text)
    let bars = Bars(theme: theme)
    bars.drawTitle(
      screen.kind.title, detail: String(decoding: screen.folder, as: UTF8.self),
      right: screen.showsHidden ? strings("chooser.hidden") : "", on: &canvas, in: rect.line(0))
    let layout = screen.layout
    screen.state.drawField(on: &canvas, style: theme.widgets)
    if screen.state.choices.isEmpty { drawEmpty(screen, on: &canvas, in: layout.list) }
    screen.state.drawList(on: &canvas, style: theme.widgets)
    drawPreview(screen, on: &canvas, in: layout.preview)
    for (index, text) in layout.nameLines.enumerated() {
      let line = layout.name.line(index)
      canvas.put(text, at: Point(row: line.row, column: line.column), limit: line.columns, style: theme.text)
    }
  }

  private func drawEmpty<Preview>(_ screen: FileChooserScreen<Preview>, on canvas: inout Canvas, in rect: Rect) {
    var lines: [String]
    if let failure = screen.contents?.failure {
      lines = [strings("chooser.unreadable", String(cString: strerror(failure)))]
    } else if screen.contents == nil {
      lines = [strings("chooser.loading")]
    } else if !screen.state.field.isEmpty {
      lines = [strings("chooser.noFiles", screen.state.field.text)]
    } else {
      lines = [screen.kind.empty]
      if !screen.showsHidden {
        lines.append(strings("chooser.empty.hidden", environment.keys.label(of: .filesHidden, in: .files)))
      }
    }
    lines = lines.flatMap { TextWidth.wrap($0, columns: max(1, rect.columns)) }
    for (offset, text) in lines.prefix(rect.rows).enumerated() {
      canvas.put(text, at: Point(row: rect.row + offset, column: rect.column), limit: rect.columns, style: theme.quiet)
    }
  }

  private func drawPreview<Preview>(_ screen: FileChooserScreen<Preview>, on canvas: inout Canvas, in rect: Rect) {
    guard !rect.isEmpty, let result = screen.selectedPreview else { return }
    switch result {
    case .success(let preview): screen.kind.draw(preview, &canvas, rect)
    case .failure(let refusal):
      let lines = TextWidth.wrap("✗ " + refusal.text, columns: rect.columns)
      for (offset, text) in lines.prefix(rect.rows).enumerated() {
        canvas.put(
          text, at: Point(row: rect.row + offset, column: rect.column), limit: rect.columns, style: theme.error)
      }
    }
  }

  func bottomLine<Preview>(_ screen: FileChooserScreen<Preview>) -> BottomLine {
    if let message = screen.message { return BottomLine(message, isError: true) }
    if screen.contents?.isCut == true {
      return BottomLine(strings("chooser.tooMany", strings.number(FileFolder.limit)))
    }
    let context = screen.keyContext
    let open = environment.hint(.chooserOpen, as: "chooserOpen", in: context)
    return BottomLine(
      hints: context == .files
        ? open + environment.hints([.filesUp, .filesHidden, .chooserCancel], in: context)
        : open + environment.hint(.chooserCancel, as: "clear", in: context))
  }
}

extension FileFolder.Entry {
  /// The line of the list.
  var item: ChooserState.Item {
    var item = ChooserState.Item(text + (isFolder ? "/" : ""), detail: format ?? "")
    if isFolder { item.attributes = .bold }
    return item
  }
}
