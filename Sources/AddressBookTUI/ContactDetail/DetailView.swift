import TerminalKit

/// Lays the lines of the detail pane out for a width, and draws them.
struct DetailView {
  let theme: Theme

  /// A line of the laid out pane: text in its cell, with the label that stands left of it.
  struct LaidOutLine: Equatable {
    var role: DetailLine.Role
    var label = ""
    var text = ""
  }

  private static let labelLimit = 14
  private static let gap = 2

  /// Wraps long values; labels stand right-aligned in a column of their own.
  func layOut(_ lines: [DetailLine], columns: Int) -> [LaidOutLine] {
    let valueColumns = max(1, columns - labelColumns(of: lines, columns: columns) - Self.gap)
    return lines.flatMap { line -> [LaidOutLine] in
      switch line.role {
      case .space: return [LaidOutLine(role: .space)]
      case .name, .subtitle:
        return TextWidth.wrap(line.text, columns: max(1, columns)).map { LaidOutLine(role: line.role, text: $0) }
      case .value:
        let wrapped = line.text.split(separator: "\n", omittingEmptySubsequences: false)
          .flatMap { TextWidth.wrap(String($0), columns: valueColumns) }
        return (wrapped.isEmpty ? [""] : wrapped).enumerated().map { index, text in
          LaidOutLine(role: .value, label: index == 0 ? line.label : "", text: text)
        }
      }
    }
  }

  /// Draws the pane from its line `top` on.
  func draw(_ lines: [DetailLine], top: Int, on canvas: inout Canvas, in rect: Rect) {
    canvas.fill(rect, style: theme.text)
    let labels = labelColumns(of: lines, columns: rect.columns)
    for (index, line) in layOut(lines, columns: rect.columns).dropFirst(top).prefix(rect.rows).enumerated() {
      let row = rect.row + index
      switch line.role {
      case .space: break
      case .name:
        canvas.put(
          line.text, at: Point(row: row, column: rect.column), limit: rect.columns, style: theme.text.adding(.bold))
      case .subtitle:
        canvas.put(line.text, at: Point(row: row, column: rect.column), limit: rect.columns, style: theme.quiet)
      case .value:
        let label = TextWidth.prefix(of: line.label, columns: labels)
        canvas.put(
          label.0, at: Point(row: row, column: rect.column + labels - label.columns), limit: labels, style: theme.quiet)
        let start = rect.column + labels + Self.gap
        canvas.put(
          line.text, at: Point(row: row, column: start), limit: max(0, rect.endColumn - start), style: theme.text)
      }
    }
  }

  private func labelColumns(of lines: [DetailLine], columns: Int) -> Int {
    let widest = lines.map { TextWidth.columns(of: $0.label) }.max() ?? 0
    return min(widest, Self.labelLimit, max(0, columns / 3))
  }
}
