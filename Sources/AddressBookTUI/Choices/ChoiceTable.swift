import TerminalKit

/// A table of fields with the values that can be chosen for each: side by side, or one below the other in a narrow
/// window. Its owner fills it, and knows what it means to choose a value.
struct ChoiceTable {
  /// A column of values.
  struct Column {
    let title: String
    /// Shown below the title.
    var note = ""
    /// The title in front of a value in a narrow window.
    let short: String
  }

  /// A value of a field.
  struct Value {
    let lines: [String]
    /// Whether the value is chosen; nil if it cannot be.
    var isChosen: Bool?
    var isQuiet = false
  }

  /// A field.
  struct Row {
    let name: String
    /// A value for each column.
    let values: [Value]
    /// The value in the result; nil in a table without one.
    var result: [String]?
    /// Another value, entered by the user.
    var entered: [String]?

    fileprivate var hasChoice: Bool { values.contains { $0.isChosen != nil } }
    fileprivate var isSame: Bool { result.map { result in values.allSatisfy { $0.lines == result } } ?? false }
  }

  let theme: Theme
  let strings: Strings
  var columns: [Column] = []
  var rows: [Row] = []
  /// The title of the column of the result; nil in a table without one.
  var resultTitle: String?
  /// The text above the table.
  var caption = ""
  /// The text to the right of the caption, instead of which columns are shown.
  var remark = ""
  /// False while another part of the screen has the focus.
  var isFocused = true
  /// The editor of another value for the focused row.
  var editor: FormEditor?
  private(set) var row = 0
  /// The focused column; nil in a table that only focuses rows.
  private(set) var column: Int?
  /// The number of columns for a value that the user enters.
  private(set) var enteredColumns = 1
  private var top = 0
  private var layout: Layout?

  init(theme: Theme, strings: Strings) {
    self.theme = theme
    self.strings = strings
  }

  // MARK: Focus

  /// Focuses a row; in a table that focuses single values, the one in a column.
  mutating func focus(row: Int, column: Int? = nil) {
    self.row = min(max(0, row), max(0, rows.count - 1))
    self.column = column.map { min(max(0, $0), max(0, columns.count - 1)) }
  }

  /// Moves the focus, at most to the edge.
  mutating func move(rows: Int = 0, columns: Int = 0) { focus(row: row + rows, column: column.map { $0 + columns }) }

  /// Scrolls to the first row.
  mutating func rewind() { top = 0 }

  /// Focuses the pressed row; the wheel moves the focus by rows.
  /// - Returns: the column of the pressed value; nil if no value was pressed.
  mutating func handle(_ mouse: Mouse) -> Int? {
    guard let layout, layout.rect.contains(mouse.position) else { return nil }
    switch mouse.action {
    case .wheelDown: move(rows: 1)
    case .wheelUp: move(rows: -1)
    case .press where mouse.button == 0:
      guard let target = layout.target(at: mouse.position) else { return nil }
      focus(row: target.row, column: column.map { target.column ?? $0 })
      return target.column
    case .press, .release, .drag: break
    }
    return nil
  }

  // MARK: Layout

  /// A row, laid out. Positions are relative to its first line.
  private struct Block {
    /// The row of the screen on which it begins; it may be outside the window.
    var start = 0
    var lines: [[TextPiece]]
    /// The positions of the values.
    var targets: [(column: Int, rect: Rect)] = []
    /// Where the focus is; nil if the row is not focused.
    var focus: Point?
    var editor: Rect?
  }

  private struct Layout {
    let rect: Rect
    /// Lines above the blocks; they do not scroll.
    let heading: [[TextPiece]]
    let blocks: [Block]
    /// The number of lines of all blocks.
    let lines: Int
    /// The column of the vertical rule before the result; nil for none.
    let rule: Int?

    /// Returns the row at a cell, and its column if the cell is in a value; nil outside the rows.
    func target(at point: Point) -> (row: Int, column: Int?)? {
      guard rect.contains(point), point.row >= rect.row + heading.count else { return nil }
      guard let row = blocks.lastIndex(where: { $0.start <= point.row }) else { return nil }
      let inside = Point(row: point.row - blocks[row].start, column: point.column)
      guard inside.row < blocks[row].lines.count else { return nil }
      return (row, blocks[row].targets.first { $0.rect.contains(inside) }?.column)
    }
  }

  /// The columns when they are side by side. If there is not enough room for all, those around the focused one are shown.
  private struct Grid {
    /// The number of columns for the names of the fields.
    let label: Int
    let shown: Range<Int>
    private let start: Int
    private let each: Int

    init(_ table: ChoiceTable, in rect: Rect) {
      let names = table.rows.map { TextWidth.columns(of: $0.name) }.max() ?? 0
      label = min(names + 2, rect.columns / 5)
      let (total, results) = (table.columns.count, table.resultTitle == nil ? 0 : 1)
      // One column on the right for the scroll bar.
      let room = rect.columns - marker - label - 1
      let count = table.column == nil ? total : min(total, max(1, room / narrowestColumn - results))
      shown = ChoiceTable.range(of: count, around: table.column, in: total)
      each = max(4, room / max(1, count + results))
      start = rect.column + marker + label
    }

    /// The number of columns of a value, after its marker.
    var columns: Int { max(1, each - marker - 1) }

    var result: Int { start(of: shown.upperBound) }

    func start(of column: Int) -> Int { start + (column - shown.lowerBound) * each }
  }

  private static let marker = 2
  private static let narrowest = 64
  private static let narrowestColumn = 18
  /// Below this height, the caption is left out, and in a narrow window the titles of columns that are not focused.
  private static let lowest = 14

  private static func range(of count: Int, around focused: Int?, in total: Int) -> Range<Int> {
    let first = min(max(0, (focused ?? 0) - count / 2), total - count)
    return first..<first + count
  }

  /// Lays everything out so that the focused row is visible, scrolled as little as possible.
  mutating func layOut(in rect: Rect) {
    let grid = rect.columns >= Self.narrowest ? Grid(self, in: rect) : nil
    let heading = heading(grid, in: rect)
    let height = rect.rows - heading.count
    enteredColumns = max(1, rect.columns - 2 * Self.marker - 2)
    var blocks: [Block] = []
    var (line, start, end) = (0, 0, 0)
    for index in rows.indices {
      let hasFocus = isFocused && index == row
      var block =
        grid.map { wide(rows[index], hasFocus, $0, height, rect) } ?? narrow(rows[index], hasFocus, height, rect)
      addEntered(rows[index].entered, hasFocus ? editor : nil, to: &block, height, rect)
      if index < rows.count - 1, height >= 3 * rows.count { block.lines.append([]) }
      if hasFocus { (start, end) = (line, line + block.lines.count) }
      block.start = rect.row + heading.count + line
      line += block.lines.count
      blocks.append(block)
    }
    top = max(top, end - height)
    // In a row that is taller than the window, the input at its end stays visible.
    if editor == nil || end - start <= height { top = min(top, start) }
    top = isFocused ? max(0, min(top, line - height)) : 0
    for index in blocks.indices { blocks[index].start -= top }
    layout = Layout(
      rect: rect, heading: heading, blocks: blocks, lines: line, rule: resultTitle == nil ? nil : grid?.result)
  }

  private func heading(_ grid: Grid?, in rect: Rect) -> [[TextPiece]] {
    let isLow = rect.rows < Self.lowest
    let count = min(columns.count, isLow ? 1 : 3)
    let shown = grid?.shown ?? Self.range(of: count, around: column, in: columns.count)
    let range = strings(
      "duplicates.columns", String(shown.lowerBound + 1), String(shown.upperBound), String(columns.count))
    let right = !remark.isEmpty ? remark : column != nil && shown.count < columns.count ? range : ""
    let hasCaption = isFocused && !(isLow && (grid == nil || right.isEmpty))
    return (hasCaption ? captionLines(right, in: rect) : [])
      + (grid.map { titles($0) } ?? narrowTitles(shown, in: rect))
  }

  private func captionLines(_ right: String, in rect: Rect) -> [[TextPiece]] {
    let width = TextWidth.columns(of: right)
    let room = max(1, rect.columns - width - (right.isEmpty ? 2 : 4))
    var lines = TextWidth.wrap([caption], columns: room, limit: 2).map {
      [piece($0, rect.column + 1, room, theme.quiet)]
    }
    lines[0].append(piece(right, rect.endColumn - width - 2, width, theme.quiet))
    return lines
  }

  private func titles(_ grid: Grid) -> [[TextPiece]] {
    var (titles, notes): ([TextPiece], [TextPiece]) = ([], [])
    for index in grid.shown {
      let (start, isFocused) = (grid.start(of: index), isFocused && index == column)
      if isFocused { titles.append(pointer(at: start)) }
      let style = isFocused ? theme.accent : theme.header
      titles.append(piece(columns[index].title, start + Self.marker, grid.columns, style))
      notes.append(piece(columns[index].note, start + Self.marker, grid.columns, theme.quiet))
    }
    if let resultTitle {
      titles.append(piece(resultTitle, grid.result + Self.marker, grid.columns, theme.header))
    }
    return columns.contains { !$0.note.isEmpty } ? [titles, notes] : [titles]
  }

  /// Returns the titles for which the short ones stand; none if these are the same.
  private func narrowTitles(_ shown: Range<Int>, in rect: Rect) -> [[TextPiece]] {
    guard columns.contains(where: { $0.title != $0.short }) else { return [] }
    return columns[shown].indices.map { index in
      let (column, isFocused) = (columns[index], isFocused && index == column)
      let text = column.title + (column.note.isEmpty ? "" : strings("list.separator") + column.note)
      let style = isFocused ? theme.accent : theme.header
      let title = piece(text, rect.column + Self.marker, rect.columns - Self.marker - 1, style)
      return isFocused ? [pointer(at: rect.column), title] : [title]
    }
  }

  private func piece(_ text: String, _ column: Int, _ columns: Int, _ style: Style) -> TextPiece {
    TextPiece(column: column, columns: columns, text: text, style: style)
  }

  private func pointer(at column: Int) -> TextPiece {
    piece("▸", column, 1, theme.accent)
  }

  private func wide(_ row: Row, _ hasFocus: Bool, _ grid: Grid, _ height: Int, _ rect: Rect) -> Block {
    let limit = hasFocus ? max(4, height - 3) : max(6, height / 3)
    var block = named(row, hasFocus, columns: grid.label - 1, limit: limit, rect)
    for column in grid.shown {
      add(
        row.values[column], column, wrapped(row.values[column].lines, columns: grid.columns, limit: limit),
        isFocused: hasFocus && column == self.column,
        at: Point(row: 0, column: grid.start(of: column)), columns: grid.columns + Self.marker, to: &block)
    }
    if let result = row.result {
      add(
        wrapped(result, columns: grid.columns, limit: limit), column: grid.result + Self.marker, grid.columns,
        theme.text, from: 0, to: &block)
    }
    return block
  }

  private func narrow(_ row: Row, _ hasFocus: Bool, _ height: Int, _ rect: Rect) -> Block {
    var block = named(row, hasFocus, columns: rect.columns - Self.marker - 1, limit: 1, rect)
    let limit = max(2, (height - 1) / 3)
    let short = columns.map { TextWidth.columns(of: $0.short) }.max() ?? 0
    let indent = Self.marker + short + 1
    let width = max(1, rect.columns - Self.marker - indent - 1)
    for (column, value) in row.values.enumerated() where !row.isSame {
      let isFocused = hasFocus && column == self.column
      guard !value.lines.isEmpty || isFocused || row.result == nil else { continue }
      let lines = wrapped(value.lines, columns: width, limit: hasFocus ? limit : 2)
      let start = block.lines.count
      add(
        value, column, lines, isFocused: isFocused, at: Point(row: start, column: rect.column + Self.marker),
        columns: rect.columns - Self.marker - 1, indent: indent, to: &block)
      block.lines[start].append(
        piece(columns[column].short, rect.column + 2 * Self.marker, short, isFocused ? theme.accent : theme.quiet))
    }
    if let result = row.result {
      let start = block.lines.count
      let room = hasFocus ? max(2, height - start) : 2
      add(
        wrapped(result, columns: width, limit: room), column: rect.column + Self.marker + indent, width, theme.text,
        from: start, to: &block)
      block.lines[start].append(piece("=", rect.column + 2 * Self.marker, 1, theme.quiet))
    }
    return block
  }

  /// Returns a block with the name of the row.
  private func named(_ row: Row, _ hasFocus: Bool, columns: Int, limit: Int, _ rect: Rect) -> Block {
    let names = TextWidth.wrap([row.name], columns: columns, limit: limit)
    var block = Block(lines: [])
    add(
      names, column: rect.column + Self.marker, columns,
      hasFocus ? theme.accent : row.hasChoice ? theme.text : theme.quiet, from: 0, to: &block)
    if hasFocus {
      block.lines[0].append(pointer(at: rect.column))
      block.focus = Point(row: 0, column: rect.column)
    }
    return block
  }

  /// Adds a value, with a radio button if it can be chosen.
  private func add(
    _ value: Value, _ column: Int, _ lines: [String], isFocused: Bool, at point: Point, columns: Int,
    indent: Int = marker, to block: inout Block
  ) {
    let isEmpty = lines.allSatisfy(\.isEmpty)
    let style = isFocused ? theme.selection : value.isQuiet || isEmpty ? theme.quiet : theme.text
    add(
      isEmpty ? ["—"] : lines, column: point.column + indent, max(1, columns - indent), style, from: point.row,
      to: &block)
    if let isChosen = value.isChosen {
      block.lines[point.row].append(button(isChosen, at: point.column))
    }
    if isFocused { block.focus = point }
    block.targets.append((column, Rect(row: point.row, column: point.column, rows: lines.count, columns: columns)))
  }

  private func add(
    _ lines: [String], column: Int, _ columns: Int, _ style: Style, from start: Int, to block: inout Block
  ) {
    block.lines += Array(repeating: [], count: max(0, start + lines.count - block.lines.count))
    for (line, text) in lines.enumerated() {
      block.lines[start + line].append(piece(text, column, columns, style))
    }
  }

  private func button(_ isChosen: Bool, at column: Int) -> TextPiece {
    piece(isChosen ? "◉" : "○", column, 1, isChosen ? theme.accent : theme.quiet)
  }

  /// Wraps the lines of a value. A label that does not fit beside its value is put below it.
  private func wrapped(_ lines: [String], columns: Int, limit: Int) -> [String] {
    let separator = strings("list.separator")
    let parts = lines.flatMap { line -> [String] in
      guard TextWidth.columns(of: line) > columns, let match = line.ranges(of: separator).last else { return [line] }
      return [String(line[..<match.lowerBound]), String(line[match.upperBound...])]
    }
    return TextWidth.wrap(parts, columns: columns, limit: limit)
  }

  /// Adds the value that the user has entered, or the editor in which the user types one.
  private func addEntered(
    _ entered: [String]?, _ editor: FormEditor?, to block: inout Block, _ height: Int, _ rect: Rect
  ) {
    let (column, columns) = (rect.column + 2 * Self.marker, enteredColumns)
    let start = block.lines.count
    if let editor {
      var rows = 1
      if case .area(let area) = editor {
        rows = max(min(3, height - 1), area.lineCount(columns: columns, atMost: min(8, max(1, height - 1))))
      }
      block.editor = Rect(row: start, column: column, rows: rows, columns: columns)
      block.lines += Array(repeating: [], count: rows)
    } else if let entered {
      add(
        TextWidth.wrap(entered, columns: columns, limit: 4), column: column, columns, theme.text, from: start,
        to: &block)
      block.lines[start].append(button(true, at: rect.column + Self.marker))
    }
  }

  // MARK: Drawing

  func draw(on canvas: inout Canvas) {
    guard let layout else { return }
    let body = layout.rect.inset(top: layout.heading.count)
    if let rule = layout.rule {
      canvas.fill(Rect(row: body.row, column: rule, rows: body.rows, columns: 1), style: theme.quiet, character: "│")
    }
    for block in layout.blocks {
      for (offset, pieces) in block.lines.enumerated() where (body.row..<body.endRow).contains(block.start + offset) {
        canvas.put(pieces, row: block.start + offset)
      }
      if let focus = block.focus {
        let row = min(max(block.start + focus.row, body.row), max(body.row, body.endRow - 1))
        canvas.hiddenCursor = Point(row: row, column: focus.column)
      }
      if let field = block.editor {
        let rect = Rect(row: block.start + field.row, column: field.column, rows: field.rows, columns: field.columns)
        editor?.draw(on: &canvas, in: rect, style: theme.focusedField)
      }
    }
    for (offset, pieces) in layout.heading.prefix(layout.rect.rows).enumerated() {
      canvas.put(pieces, row: layout.rect.row + offset)
    }
    ScrollBar.draw(
      on: &canvas, in: body.inset(left: body.columns - 1), first: top, visible: body.rows, total: layout.lines,
      track: theme.quiet, thumb: theme.accent)
  }
}
