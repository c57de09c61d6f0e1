import AvatarImage
import Glibc
import TerminalKit

/// Where the parts of the chooser stand in a window.
struct PhotoChooserLayout: Equatable {
  /// The names.
  let list: Rect
  /// The picture and what is said of it; empty on a narrow window.
  let preview: Rect

  /// From this width on the preview stands beside the names.
  private static let splitColumns = 60

  init(window: Rect) {
    let body = window.inset(top: 2, left: 1, bottom: 1, right: 1)
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

/// Draws the chooser.
@MainActor
struct PhotoChooserView {
  let environment: AppEnvironment
  private var words: Words { environment.words }
  private var theme: Theme { environment.theme }

  init(environment: AppEnvironment) { self.environment = environment }

  func draw(_ screen: PhotoChooserScreen, on canvas: inout Canvas, in rect: Rect) {
    canvas.fill(rect, style: theme.text)
    let bars = Bars(theme: theme)
    bars.drawTitle(
      words("chooser.title"), detail: String(decoding: screen.folder, as: UTF8.self),
      right: screen.showsHidden ? words("chooser.hidden") : "", on: &canvas, in: rect.line(0))
    let layout = PhotoChooserLayout(window: rect)
    if screen.entries.isEmpty {
      drawEmpty(screen, on: &canvas, in: layout.list)
    } else {
      drawNames(screen, on: &canvas, in: layout.list)
    }
    drawPreview(screen, on: &canvas, in: layout.preview)
    drawBottom(screen, on: &canvas, in: rect.line(rect.rows - 1))
  }

  private func drawNames(_ screen: PhotoChooserScreen, on canvas: inout Canvas, in rect: Rect) {
    for (offset, entry) in screen.entries.dropFirst(screen.top).prefix(rect.rows).enumerated() {
      let isSelected = screen.top + offset == screen.selected
      let line = rect.line(offset)
      let style = isSelected ? theme.selection : theme.text
      canvas.fill(line, style: style)
      let kind = entry.format.map(PictureMessage.name(of:)) ?? ""
      let name = (isSelected ? "▸ " : "  ") + entry.text + (entry.isFolder ? "/" : "")
      canvas.put(
        name, at: Point(row: line.row, column: line.column), limit: line.columns - kind.count - 2,
        style: entry.isFolder ? style.adding(.bold) : style)
      canvas.put(
        kind, at: Point(row: line.row, column: line.endColumn - kind.count - 1), limit: kind.count,
        style: isSelected ? style : theme.quiet)
      if isSelected, !screen.isFiltering { canvas.cursor = Point(row: line.row, column: line.column) }
    }
  }

  private func drawEmpty(_ screen: PhotoChooserScreen, on canvas: inout Canvas, in rect: Rect) {
    var lines: [String]
    if let failure = screen.contents?.failure {
      lines = [words("chooser.unreadable", String(cString: strerror(failure)))]
    } else if screen.contents == nil {
      lines = [words("chooser.loading")]
    } else if !screen.filter.isEmpty {
      lines = [words("chooser.noMatch", screen.filter.text)]
    } else {
      lines = [words("chooser.empty")]
      if !screen.showsHidden {
        lines.append(words("chooser.empty.hidden", environment.keys.label(of: .chooserHidden, in: .chooser)))
      }
    }
    lines = lines.flatMap { TextWidth.wrap($0, columns: max(1, rect.columns)) }
    for (offset, text) in lines.prefix(rect.rows).enumerated() {
      canvas.put(text, at: Point(row: rect.row + offset, column: rect.column), limit: rect.columns, style: theme.quiet)
    }
  }

  private func drawPreview(_ screen: PhotoChooserScreen, on canvas: inout Canvas, in rect: Rect) {
    guard !rect.isEmpty, let result = screen.selectedPreview else { return }
    switch result {
    case .success(let preview):
      if let drawing = preview.drawing {
        canvas.put(drawing, in: rect.inset(bottom: 2), ground: theme.text)
      }
      canvas.put(
        description(of: preview),
        at: Point(row: rect.row + min(rect.rows - 1, (preview.drawing?.rows ?? 0) + 1), column: rect.column),
        limit: rect.columns, style: theme.quiet)
    case .failure(let refusal):
      let lines = TextWidth.wrap("✗ " + screen.text(of: refusal), columns: rect.columns)
      for (offset, text) in lines.prefix(rect.rows).enumerated() {
        canvas.put(
          text, at: Point(row: rect.row + offset, column: rect.column), limit: rect.columns, style: theme.error)
      }
    }
  }

  private func description(of preview: PicturePreview) -> String {
    words(
      "chooser.size", PictureMessage.name(of: preview.format), words.number(preview.width),
      words.number(preview.height))
  }

  private func drawBottom(_ screen: PhotoChooserScreen, on canvas: inout Canvas, in line: Rect) {
    let bars = Bars(theme: theme)
    if let message = screen.message {
      bars.drawMessage(message, isError: true, on: &canvas, in: line)
    } else if screen.isFiltering || !screen.filter.isEmpty {
      canvas.fill(line, style: theme.text)
      let used = canvas.put(
        words("chooser.filter"), at: Point(row: line.row, column: line.column + 1), limit: line.columns - 2,
        style: theme.accent)
      screen.filter.draw(
        on: &canvas, in: line.inset(left: used + 1, right: 1), style: theme.text, focused: screen.isFiltering)
    } else if screen.contents?.isCut == true {
      bars.drawMessage(
        words("chooser.tooMany", words.number(PictureFolder.limit)), isError: false, on: &canvas, in: line)
    } else {
      let hints: [(Command, String)] = [
        (.chooserOpen, "chooserOpen"), (.chooserUp, "chooserUp"), (.chooserFilter, "chooserFilter"),
        (.chooserHidden, "chooserHidden"), (.chooserCancel, "cancel"),
      ]
      bars.drawHints(
        hints.map { Hint(key: environment.keys.label(of: $0.0, in: .chooser), word: words("hint." + $0.1)) },
        on: &canvas, in: line)
    }
  }
}
