import TerminalKit

/// What stands on one line of the list, ready to be drawn.
enum ListLine: Equatable {
  /// A section header with the number of people in it.
  case header(title: String, count: String)
  /// A person.
  case row(ListRow)
  /// A row whose text is not read yet.
  case placeholder
}

/// One person's line.
struct ListRow: Equatable {
  /// A text with the code points in it that the search matched.
  struct Cell: Equatable {
    var text = ""
    var matches: [Range<Int>] = []
  }

  var name = Cell()
  var phone = Cell()
  var organization = Cell()
  var email = Cell()
  /// Each match with its field's name before it, and the column that can show it: `note: …`.
  var hints: [(field: ListColumns.Field?, cell: Cell)] = []
  var isSelected = false
  var isMarked = false

  static func == (left: ListRow, right: ListRow) -> Bool {
    left.name == right.name && left.phone == right.phone && left.organization == right.organization
      && left.email == right.email && left.isSelected == right.isSelected && left.isMarked == right.isMarked
      && left.hints.elementsEqual(right.hints) { $0 == $1 }
  }

  /// What is said of a match that none of these columns shows; nil when one of them shows a match.
  func hint(besides columns: [ListColumns.Field]) -> Cell? {
    guard columns.allSatisfy({ cell($0).matches.isEmpty }) else { return nil }
    return hints.first { hint in hint.field.map { !columns.contains($0) } ?? true }?.cell
  }

  func cell(_ field: ListColumns.Field) -> Cell {
    switch field {
    case .name: name
    case .phone: phone
    case .organization: organization
    case .email: email
    }
  }
}

/// Draws the lines of the list.
struct ListView {
  let theme: Theme
  let words: Words

  /// Draws the lines from the top of the rectangle; what is left below them is blank.
  /// - Parameter before: the lines that stand there already; those that are the same stay.
  func draw(_ lines: [ListLine], on canvas: inout Canvas, in rect: Rect, before: [ListLine] = []) {
    let columns = ListColumns(width: rect.columns)
    for (index, line) in lines.prefix(rect.rows).enumerated() {
      let lineRect = rect.line(index)
      if before.indices.contains(index), before[index] == line { continue }
      canvas.fill(lineRect, style: theme.text)
      switch line {
      case .header(let title, let count): draw(title: title, count: count, on: &canvas, in: lineRect)
      case .row(let row): draw(row, columns, on: &canvas, in: lineRect)
      case .placeholder:
        canvas.put("…", at: Point(row: lineRect.row, column: lineRect.column + 2), limit: 1, style: theme.quiet)
      }
    }
    canvas.fill(rect.inset(top: min(lines.count, rect.rows), bottom: 0), style: theme.text)
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
      limit: ruleEnd - column, style: theme.header.adding(.dim))
    canvas.put(
      number, at: Point(row: rect.row, column: ruleEnd), limit: rect.endColumn - ruleEnd, style: theme.quiet)
  }

  private func draw(_ row: ListRow, _ columns: ListColumns, on canvas: inout Canvas, in rect: Rect) {
    let ground = row.isSelected ? theme.selection : theme.text
    if row.isSelected { canvas.fill(rect, style: ground) }
    let sign = row.isMarked ? "●" : row.isSelected ? "▸" : " "
    canvas.put(sign, at: Point(row: rect.row, column: rect.column), limit: 1, style: ground)
    let hint = row.hint(besides: columns.columns.map(\.field))
    for column in columns.columns {
      var cell = row.cell(column.field)
      if let hint, column == columns.columns.last, column.field != .name { cell = hint }
      let isQuiet = column.field != .name && !row.isSelected
      let style = isQuiet ? ground.with(foreground: theme.quiet.foreground).adding(theme.quiet.attributes) : ground
      canvas.put(
        cell.text, at: Point(row: rect.row, column: rect.column + column.start), limit: column.width, style: style,
        highlights: cell.matches, highlightStyle: matchStyle(on: ground, selected: row.isSelected))
    }
  }

  /// On the selected row a match keeps the row's colours and is underlined, so that it reads on any ground.
  private func matchStyle(on ground: Style, selected: Bool) -> Style {
    selected ? ground.adding([.bold, .underline]) : theme.match
  }
}
