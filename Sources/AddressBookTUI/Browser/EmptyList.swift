import TerminalKit

/// The text shown instead of rows in an empty list.
struct EmptyList {
  /// Why it is empty.
  enum Reason {
    case loading
    /// No contact matches the search, in a group or in the whole book.
    case notFound(String, group: String?, backKey: String)
    case emptyGroup(String, backKey: String)
    case emptyBook
  }

  let environment: AppEnvironment

  private struct Line {
    var key = ""
    var text: String
    var style: Style
  }

  @MainActor
  func draw(_ reason: Reason, on canvas: inout Canvas, in rect: Rect) {
    let lines = lines(reason)
    let width = lines.map { TextWidth.columns(of: $0.text) + ($0.key.isEmpty ? 0 : 3) }.max() ?? 0
    let left = rect.column + max(1, (rect.columns - width) / 2)
    let top = rect.row + max(0, (rect.rows - lines.count) / 2)
    for (index, line) in lines.enumerated() where top + index < rect.endRow {
      var column = left
      if !line.key.isEmpty {
        canvas.put(
          line.key, at: Point(row: top + index, column: column), limit: 2, style: environment.theme.accent)
        column += 3
      }
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
