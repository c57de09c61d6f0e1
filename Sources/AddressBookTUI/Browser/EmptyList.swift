import TerminalKit

/// The text shown in place of an empty list, on the main screen and the directory screen.
struct EmptyList {
  /// Why the list is empty.
  enum Reason {
    case loading
    /// No contact matches the search in the group, folder or collection, or in the whole book if `group` is nil.
    case notFound(String, group: String?, backKey: String)
    case emptyGroup(String, backKey: String)
    case emptyBook
  }

  let environment: AppEnvironment

  struct Line {
    /// The label of a key that is offered; empty for none.
    var key = ""
    var text: String
    var style: Style
  }

  @MainActor
  func draw(_ reason: Reason, on canvas: inout Canvas, in rect: Rect) { draw(lines(reason), on: &canvas, in: rect) }

  /// Draws lines in the middle of the rectangle, wrapped to its width.
  @MainActor
  func draw(_ lines: [Line], on canvas: inout Canvas, in rect: Rect) {
    // The texts of lines with keys are aligned.
    let keyWidth = min(lines.map { TextWidth.columns(of: $0.key) }.max() ?? 0, max(1, rect.columns / 2))
    func indent(of line: Line) -> Int { line.key.isEmpty ? 0 : keyWidth + 2 }
    let wrapped = lines.flatMap { line in
      TextWidth.wrap([line.text], columns: rect.columns - 4 - indent(of: line), limit: rect.rows).enumerated().map {
        Line(key: $0.offset == 0 || line.key.isEmpty ? line.key : " ", text: $0.element, style: line.style)
      }
    }
    let width = wrapped.map { TextWidth.columns(of: $0.text) + indent(of: $0) }.max() ?? 0
    let left = rect.column + max(1, (rect.columns - width) / 2)
    let top = rect.row + max(0, (rect.rows - wrapped.count) / 2)
    for (index, line) in wrapped.enumerated() where top + index < rect.endRow {
      canvas.put(line.key, at: Point(row: top + index, column: left), limit: keyWidth, style: environment.theme.accent)
      let column = left + indent(of: line)
      canvas.put(
        line.text, at: Point(row: top + index, column: column), limit: max(0, rect.endColumn - column - 1),
        style: line.style)
    }
  }

  @MainActor
  private func lines(_ reason: Reason) -> [Line] {
    let (strings, theme, keys) = (environment.strings, environment.theme, environment.keys)
    let heading = theme.text.adding(.bold)
    switch reason {
    case .loading: return [Line(text: strings("list.loading"), style: theme.quiet)]
    case .notFound(let query, let group, let backKey):
      let title = group.map { strings("search.none.inGroup", query, $0) } ?? strings("search.none", query)
      return [
        Line(text: title, style: heading), Line(text: strings("search.none.hint", backKey), style: theme.quiet),
      ]
    case .emptyGroup(let group, let backKey):
      let hint = strings("group.empty.hint", keys.label(of: .groups, in: .list), backKey)
      return [Line(text: strings("group.empty", group), style: heading), Line(text: hint, style: theme.quiet)]
    case .emptyBook:
      let offers: [(Command, String)] = [
        (.add, "empty.add"), (.import, "empty.import"), (.demo, "empty.demo"), (.help, "empty.help"),
        (.quit, "empty.quit"),
      ]
      return [Line(text: strings("empty.title"), style: heading), Line(text: "", style: theme.text)]
        + offers.map { Line(key: keys.label(of: $0.0, in: .list), text: strings($0.1), style: theme.text) }
    }
  }
}
