import TerminalKit

/// The line at the top of a directory: its host, the search field, the progress of the search, and the number of marks.
@MainActor
struct DirectoryTitle {
  let environment: AppEnvironment

  struct Content {
    var host: String
    var phase: DirectoryState.Phase
    var count: Int
    var marked: Int
  }

  func field(of content: Content, in line: Rect) -> Rect {
    let (host, prompt) = (
      hostColumns(of: content, in: line), TextWidth.columns(of: environment.strings("search.prompt")) + 1
    )
    let start = line.column + 1 + host + prompt
    let end = line.endColumn - TextWidth.columns(of: summary(of: content)) - 3
    return Rect(row: line.row, column: start, rows: 1, columns: max(4, end - start))
  }

  func draw(_ content: Content, on canvas: inout Canvas, in line: Rect) {
    let (theme, strings) = (environment.theme, environment.strings)
    Bars(theme: theme).drawTitle("", right: summary(of: content), isRightNeeded: true, on: &canvas, in: line)
    let columns = hostColumns(of: content, in: line)
    let start = Point(row: line.row, column: line.column + 1)
    canvas.put(DisplayText.clean(content.host), at: start, limit: max(0, columns - 1), style: theme.title)
    canvas.put(
      strings("search.prompt"), at: Point(row: line.row, column: start.column + columns), limit: 2, style: theme.title)
  }

  /// Returns the width of the host and a space after it; at most a third of the line, to leave room for the field.
  private func hostColumns(of content: Content, in line: Rect) -> Int {
    min(TextWidth.columns(of: DisplayText.clean(content.host)) + 1, line.columns / 3)
  }

  private func summary(of content: Content) -> String {
    let strings = environment.strings
    let found =
      switch content.phase {
      case .idle, .failed: content.count > 0 ? strings.count("search.found", content.count) : ""
      case .searching: strings("directory.searching")
      case .done(let isCut):
        isCut
          ? strings("directory.foundMore", strings.number(content.count)) : strings.count("search.found", content.count)
      }
    let marks = content.marked > 0 ? "● " + strings.number(content.marked) : ""
    return [found, marks].filter { !$0.isEmpty }.joined(separator: strings("list.separator"))
  }
}
