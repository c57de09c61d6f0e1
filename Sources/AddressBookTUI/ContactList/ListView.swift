import TerminalKit

/// The lines of section headers and rows in the list.
///
/// The first line is always the header of the first visible row's section, so that a section is never without its name;
/// the headers of later sections are between the rows. Rows have flat indexes: they are counted through all sections,
/// without headers.
struct ListViewport: Equatable {
  /// A line of the list.
  enum Line: Equatable {
    /// The header of a section, by its index.
    case header(section: Int)
    /// A row by its flat index, with its section.
    case row(Int, section: Int)

    /// Flat index of its row; nil for a header.
    var row: Int? {
      if case .row(let row, _) = self { row } else { nil }
    }
  }

  /// The number of rows in each section, in the order of the list; no section is empty unless the whole list is.
  let counts: [Int]
  /// Flat index of each section's first row, followed by the total number of rows.
  private let starts: [Int]

  init(counts: [Int]) {
    self.counts = counts
    var starts = [0]
    starts.reserveCapacity(counts.count + 1)
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    self.starts = starts
  }

  /// The total number of rows.
  var rowCount: Int { starts[starts.count - 1] }

  /// The section of a row, which must exist.
  func section(ofRow row: Int) -> Int {
    var low = 0
    var high = counts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= row { low = middle } else { high = middle }
    }
    return low
  }

  /// Flat index of a section's first row.
  func firstRow(ofSection section: Int) -> Int { starts[section] }

  /// The lines to draw when `top` is the first visible row: at most `height`, fewer at the end of the list.
  func lines(top: Int, height: Int) -> [Line] {
    guard height > 0, rowCount > 0 else { return [] }
    var row = min(max(0, top), rowCount - 1)
    var section = section(ofRow: row)
    var lines: [Line] = [.header(section: section)]
    lines.reserveCapacity(height)
    while lines.count < height, row < rowCount {
      if row >= starts[section + 1] {
        section += 1
        lines.append(.header(section: section))
        continue
      }
      lines.append(.row(row, section: section))
      row += 1
    }
    return lines
  }

  /// The first visible row that makes `row` visible, as close to `top` as possible.
  func top(showing row: Int, from top: Int, height: Int) -> Int {
    guard rowCount > 0 else { return 0 }
    let row = min(max(0, row), rowCount - 1)
    let last = lastTop(height: height)
    if row <= top { return min(row, last) }
    return max(min(top, last), earliestTop(withLast: row, height: height))
  }

  /// The same, with some rows above and below it, as far as there is room.
  func top(showing row: Int, withRows margin: Int, from top: Int, height: Int) -> Int {
    let margin = min(margin, max(0, (height - 3) / 4))
    guard margin > 0 else { return self.top(showing: row, from: top, height: height) }
    return [row + margin, row - margin, row].reduce(top) { self.top(showing: $1, from: $0, height: height) }
  }

  /// The line of a row, counted with headers, when `top` is the first visible row; nil for a row above it, and for one
  /// that does not exist.
  func line(ofRow row: Int, top: Int) -> Int? {
    guard top <= row, row < rowCount else { return nil }
    return row - top + 1 + section(ofRow: row) - section(ofRow: top)
  }

  /// The first visible row that puts a row on a line, or as near above it as headers allow.
  func top(showing row: Int, onLine line: Int) -> Int {
    var top = row
    while top > 0, let above = self.line(ofRow: row, top: top - 1), above <= line { top -= 1 }
    return top
  }

  /// The largest useful first row: the one that puts the last row on the last line.
  func lastTop(height: Int) -> Int {
    rowCount == 0 ? 0 : earliestTop(withLast: rowCount - 1, height: height)
  }

  /// The smallest first row for which `row` is still visible.
  private func earliestTop(withLast row: Int, height: Int) -> Int {
    var first = row
    var section = section(ofRow: row)
    var used = 2  // the header in the first line, and the row itself
    while first > 0 {
      let crossing = first == starts[section]
      let cost = crossing ? 2 : 1
      guard used + cost <= height else { break }
      used += cost
      first -= 1
      if crossing { section -= 1 }
    }
    return first
  }
}

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
    if isSelected { canvas.hiddenCursor = Point(row: rect.row, column: rect.column) }
    let rowStyle = TextRow.drawSign(
      isSelected: isSelected, isMarked: isMarked, on: &canvas, in: rect, style: theme.widgets
    ).style
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
