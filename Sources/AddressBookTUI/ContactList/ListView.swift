import TerminalKit

/// Draws the lines of the list.
struct ListView {
  let theme: Theme
  let strings: Strings
  var layout = ListLayout()

  /// Draws the lines from the top of the rectangle, and blanks the rest.
  /// - Parameter before: the lines that are already drawn there, if any; unchanged ones are skipped.
  func draw(_ lines: ListLines, on canvas: inout Canvas, in rect: Rect, before: ListLines?) {
    let columns = layout.columns(width: rect.columns)
    let count = min(lines.count, rect.rows)
    for index in 0..<count {
      if let before, lines.isSame(index, as: before) { continue }
      let lineRect = rect.line(index)
      canvas.fill(lineRect, style: theme.text)
      switch lines.texts[index] {
      case .header(let title, let count): draw(title: title, count: count, on: &canvas, in: lineRect)
      case .row(let row):
        draw(
          row, columns, isSelected: lines.selected == index, isMarked: lines.isMarked(index), on: &canvas, in: lineRect)
      case .placeholder:
        canvas.put(
          TextWidth.ellipsis, at: Point(row: lineRect.row, column: lineRect.column + 2), limit: 1, style: theme.quiet)
      }
    }
    if let before, before.count <= count { return }
    canvas.fill(rect.inset(top: count, bottom: 0), style: theme.text)
  }

  private func draw(title: String, count: String, on canvas: inout Canvas, in rect: Rect) {
    var column = rect.column + 1
    column += canvas.put(
      title + " ", at: Point(row: rect.row, column: column), limit: rect.endColumn - column,
      style: theme.header.adding(.bold))
    let number = " " + count
    let ruleEnd = max(column, rect.endColumn - number.count - 1)
    canvas.put(
      String(repeating: "─", count: ruleEnd - column), at: Point(row: rect.row, column: column),
      limit: ruleEnd - column, style: theme.header.adding(theme.faint))
    canvas.put(
      number, at: Point(row: rect.row, column: ruleEnd), limit: rect.endColumn - ruleEnd, style: theme.quiet)
  }

  private func draw(
    _ row: ListRow, _ columns: ListColumns, isSelected: Bool, isMarked: Bool, on canvas: inout Canvas, in rect: Rect
  ) {
    let rowStyle = isSelected ? theme.selection : theme.text
    if isSelected {
      canvas.fill(rect, style: rowStyle)
      canvas.hiddenCursor = Point(row: rect.row, column: rect.column)
    }
    let sign = isMarked ? "●" : isSelected ? "▸" : " "
    canvas.put(sign, at: Point(row: rect.row, column: rect.column), limit: 1, style: rowStyle)
    for (column, cell) in columns.cells(of: row) {
      let isQuiet = column.field != .name && !isSelected
      let style = isQuiet ? rowStyle.with(foreground: theme.quiet.foreground).adding(theme.quiet.attributes) : rowStyle
      let start = rect.column + column.start
      let star = row.isFavorite && column.field == .name ? " " + Favorites.star : ""
      let room = max(0, column.width - TextWidth.columns(of: star))
      let used = canvas.put(
        cell.text, at: Point(row: rect.row, column: start), limit: room, style: style, highlights: cell.matches,
        highlightStyle: matchStyle(on: rowStyle, selected: isSelected))
      canvas.put(
        star, at: Point(row: rect.row, column: start + used), limit: column.width - used,
        style: isSelected ? rowStyle : theme.accent)
    }
  }

  /// On the selected row a match keeps the row's colors and is bold and underlined, so that it is readable on any
  /// background.
  private func matchStyle(on style: Style, selected: Bool) -> Style {
    selected ? style.adding([.bold, .underline]) : theme.match
  }
}
