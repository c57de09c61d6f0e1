import Contacts
import TerminalKit

/// Lays out and draws the comparison of contacts to be merged: side by side with the merged contact, or one below the
/// other in a narrow window.
struct MergeView {
  let theme: Theme
  let strings: Strings

  /// The contacts to compare.
  struct Content: Equatable {
    var table: MergeTable
    var draft: MergeDraft
    /// The names of the contacts, in the order of the table's cells.
    var names: [String]
    /// Why the contacts are probably the same.
    var reason: String
    /// The number of contacts, which may be more than are merged at once.
    var total: Int
  }

  /// The focused value.
  struct Focus: Equatable {
    var row = 0
    var column = 0
  }

  /// A field, laid out.
  struct Block {
    let row: Int
    var lines: [[TextPiece]] = []
    /// The positions of the contacts' values; rows are relative to the block.
    var targets: [(column: Int, rect: Rect)] = []
    /// Where the focused value begins, relative to the block; nil if the field is not focused.
    var focus: Point?
  }

  /// The lines of all fields, and where to draw them.
  struct Layout {
    let rect: Rect
    /// Lines above the blocks; they do not scroll.
    let heading: [[TextPiece]]
    let blocks: [Block]
    /// The first line of the blocks to show.
    let top: Int
    /// The column of the vertical rule before the merged contact; nil if the contacts are one below the other.
    let ruleColumn: Int?

    /// The blocks, each with its first line, which may be outside the window.
    var placed: [(line: Int, block: Block)] {
      var line = rect.row + heading.count - top
      return blocks.map { block in
        defer { line += block.lines.count }
        return (line, block)
      }
    }

    /// Returns the row at a cell, and its contact if the cell is in a value; nil outside the fields.
    func target(at point: Point) -> (row: Int, column: Int?)? {
      guard rect.contains(point), point.row >= rect.row + heading.count else { return nil }
      guard
        let (line, block) = placed.first(where: { ($0.line..<$0.line + $0.block.lines.count).contains(point.row) })
      else { return nil }
      let inside = Point(row: point.row - line, column: point.column)
      return (block.row, block.targets.first { $0.rect.contains(inside) }?.column)
    }
  }

  static let marker = 2
  private static let narrowest = 64

  // MARK: Layout

  /// Lays everything out so that the focused row is visible, scrolling from `top` as little as possible.
  /// - Parameter focus: nil while the list of candidates has the focus.
  func layout(_ content: Content, focus: Focus?, from top: Int, in rect: Rect) -> Layout {
    let columns = rect.columns >= Self.narrowest ? MergeColumns(content, focus, in: rect) : nil
    let heading = columns.map { wideHeading(content, focus, $0, in: rect) } ?? narrowHeading(content, focus, in: rect)
    let height = rect.rows - heading.count
    var blocks: [Block] = []
    var (line, start, end) = (0, 0, 0)
    for (index, row) in content.table.rows.enumerated() {
      let isFocused = index == focus?.row
      var block = Block(row: index)
      let focused = isFocused ? focus?.column : nil
      let limit = isFocused ? max(4, height - 2) : max(6, height / 3)
      if let columns {
        addWide(row, content, columns, focused, limit, to: &block, rect)
      } else {
        addNarrow(row, content, focused, isFocused ? height : 0, to: &block, rect)
      }
      if index < content.table.rows.count - 1, height > 30 { block.lines.append([]) }
      if isFocused { (start, end) = (line, line + block.lines.count) }
      line += block.lines.count
      blocks.append(block)
    }
    let first = focus == nil ? 0 : min(start, max(top, end - height))
    return Layout(
      rect: rect, heading: heading, blocks: blocks, top: max(0, min(first, line - height)),
      ruleColumn: columns?.merged.start)
  }

  private func wideHeading(_ content: Content, _ focus: Focus?, _ columns: MergeColumns, in rect: Rect) -> [[TextPiece]]
  {
    var lines = focus == nil ? [] : [reasonLine(content, columns.shownText(strings), in: rect)]
    var (names, states): ([TextPiece], [TextPiece]) = ([], [])
    for column in columns.contacts {
      let isFocused = column.contact == focus?.column
      let style = isFocused ? theme.accent : theme.header
      let text = title(column.contact, content)
      if isFocused { names.append(TextPiece(column: column.start, columns: 1, text: "▸", style: theme.accent)) }
      names.append(TextPiece(column: column.start + Self.marker, columns: column.columns, text: text, style: style))
      states.append(
        TextPiece(
          column: column.start + Self.marker, columns: column.columns, text: state(column.contact, content),
          style: theme.quiet))
    }
    names.append(
      TextPiece(
        column: columns.merged.start + Self.marker, columns: columns.merged.columns,
        text: strings("duplicates.column.merged"), style: theme.header))
    lines += [names, states]
    return lines
  }

  private func narrowHeading(_ content: Content, _ focus: Focus?, in rect: Rect) -> [[TextPiece]] {
    // A low window has room for the focused contact alone.
    let isLow = rect.rows < 14
    let shown = min(content.names.count, isLow ? 1 : 3)
    let first = min(max(0, (focus?.column ?? 0) - shown / 2), content.names.count - shown)
    let range = shown < content.names.count ? MergeColumns.text(first, shown, content.names.count, strings) : ""
    let lines = (first..<first + shown).map { contact in
      let isFocused = contact == focus?.column
      let state = state(contact, content)
      let text = title(contact, content) + (state.isEmpty ? "" : strings("list.separator") + state)
      let piece = TextPiece(
        column: rect.column + Self.marker, columns: rect.columns - Self.marker - 1, text: text,
        style: isFocused ? theme.accent : theme.header)
      return isFocused
        ? [TextPiece(column: rect.column, columns: 1, text: "▸", style: theme.accent), piece] : [piece]
    }
    return isLow ? lines : [reasonLine(content, range, in: rect)] + lines
  }

  /// Returns the line that says why the contacts are probably the same, and which of them are shown, or how many of
  /// them can be merged at once.
  private func reasonLine(_ content: Content, _ range: String, in rect: Rect) -> [TextPiece] {
    let limited = strings("duplicates.limited", strings.number(content.names.count), strings.number(content.total))
    let right = content.total > content.names.count ? limited : range
    let width = TextWidth.columns(of: right)
    let reason = TextPiece(
      column: rect.column + 1, columns: max(1, rect.columns - width - 4), text: content.reason, style: theme.quiet)
    return [
      reason,
      TextPiece(column: rect.endColumn - width - 2, columns: width, text: right, style: theme.quiet),
    ]
  }

  private func title(_ contact: Int, _ content: Content) -> String {
    "\(contact + 1) " + DisplayText.clean(content.names[contact])
  }

  /// Returns the role of a contact; empty for one that is merged into the main one.
  private func state(_ contact: Int, _ content: Content) -> String {
    let id = content.draft.ids[contact]
    if id == content.draft.main { return strings("duplicates.column.main") }
    return content.draft.leftOut.contains(id) ? strings("duplicates.column.leftOut") : ""
  }

  private func addWide(
    _ row: MergeTable.Row, _ content: Content, _ columns: MergeColumns, _ focused: Int?, _ limit: Int,
    to block: inout Block, _ rect: Rect
  ) {
    let cells = columns.contacts.map {
      wrapped(row.cells[$0.contact], columns: $0.columns, limit: limit)
    }
    let merged = wrapped(row.merged, columns: columns.merged.columns, limit: limit)
    block.lines = Array(repeating: [], count: max(merged.count, cells.map(\.count).max() ?? 1))
    addName(row, isFocused: focused != nil, columns: columns.label, to: &block, rect)
    for (column, lines) in zip(columns.contacts, cells) {
      add(
        column.contact, of: row, lines, content, isFocused: column.contact == focused,
        at: Point(row: 0, column: column.start), columns: column.columns + Self.marker, to: &block)
    }
    for (line, text) in merged.enumerated() {
      block.lines[line].append(
        TextPiece(
          column: columns.merged.start + Self.marker, columns: columns.merged.columns, text: text, style: theme.text))
    }
  }

  /// - Parameter height: the height that the focused row may fill; 0 for the other rows, which are short.
  private func addNarrow(
    _ row: MergeTable.Row, _ content: Content, _ focused: Int?, _ height: Int, to block: inout Block, _ rect: Rect
  ) {
    let limit = max(2, height / 3)
    block.lines = [[]]
    addName(row, isFocused: focused != nil, columns: rect.columns - Self.marker, to: &block, rect)
    let indent = 2 * Self.marker + 2
    let columns = max(1, rect.columns - indent - 1)
    for contact in row.isSame ? [] : Array(row.cells.indices) where !row.cells[contact].isEmpty || contact == focused {
      let texts = wrapped(row.cells[contact], columns: columns, limit: limit)
      let start = block.lines.count
      block.lines += Array(repeating: [], count: texts.count)
      block.lines[start].append(
        TextPiece(
          column: rect.column + 2 * Self.marker, columns: 2, text: "\(contact + 1)",
          style: contact == focused ? theme.accent : theme.quiet))
      add(
        contact, of: row, texts, content, isFocused: contact == focused,
        at: Point(row: start, column: rect.column + Self.marker), columns: rect.columns - Self.marker - 1, to: &block,
        indent: indent - Self.marker)
    }
    let merged = wrapped(row.merged, columns: columns, limit: max(2, height - block.lines.count))
    block.lines += merged.enumerated().map { line, text in
      let value = TextPiece(column: rect.column + indent, columns: columns, text: text, style: theme.text)
      return line > 0
        ? [value]
        : [TextPiece(column: rect.column + 2 * Self.marker, columns: 1, text: "=", style: theme.quiet), value]
    }
  }

  private func addName(_ row: MergeTable.Row, isFocused: Bool, columns: Int, to block: inout Block, _ rect: Rect) {
    if isFocused {
      block.lines[0].append(TextPiece(column: rect.column, columns: 1, text: "▸", style: theme.accent))
      block.focus = Point(row: 0, column: rect.column)
    }
    block.lines[0].append(
      TextPiece(
        column: rect.column + Self.marker, columns: columns - 1, text: row.name,
        style: isFocused ? theme.accent : row.part == nil ? theme.quiet : theme.text))
  }

  /// Wraps the lines of a value. A label that does not fit beside its value is put below it.
  private func wrapped(_ lines: [String], columns: Int, limit: Int) -> [String] {
    let separator = strings("list.separator")
    let parts = lines.flatMap { line -> [String] in
      guard TextWidth.columns(of: line) > columns, let match = line.ranges(of: separator).last else {
        return [line]
      }
      return [String(line[..<match.lowerBound]), String(line[match.upperBound...])]
    }
    return TextWidth.wrap(parts, columns: columns, limit: limit)
  }

  /// Adds the lines of a contact's value, with a radio button if the value can be chosen.
  private func add(
    _ contact: Int, of row: MergeTable.Row, _ lines: [String], _ content: Content, isFocused: Bool, at point: Point,
    columns: Int, to block: inout Block, indent: Int = MergeView.marker
  ) {
    let isLeftOut = content.draft.leftOut.contains(content.draft.ids[contact])
    let isWinner = row.winner.map { row.cells[$0] == row.cells[contact] } ?? false
    var style = isLeftOut || row.part != nil && !isWinner ? theme.quiet : theme.text
    if isFocused {
      style = theme.selection
      block.focus = point
    }
    if row.part != nil, !isLeftOut, !row.cells[contact].isEmpty {
      block.lines[point.row].append(
        TextPiece(
          column: point.column, columns: 1, text: isWinner ? "◉" : "○", style: isWinner ? theme.accent : theme.quiet))
    }
    for (line, text) in lines.enumerated() {
      let shown = text.isEmpty && line == 0 ? "—" : text
      block.lines[point.row + line].append(
        TextPiece(
          column: point.column + indent, columns: max(1, columns - indent), text: shown,
          style: text.isEmpty && !isFocused ? theme.quiet : style))
    }
    block.targets.append(
      (contact, Rect(row: point.row, column: point.column, rows: lines.count, columns: columns)))
  }

  // MARK: Drawing

  func draw(_ layout: Layout, on canvas: inout Canvas) {
    let rect = layout.rect
    let body = rect.inset(top: layout.heading.count)
    if let column = layout.ruleColumn {
      for row in body.row..<body.endRow {
        canvas.put("│", at: Point(row: row, column: column), limit: 1, style: theme.quiet)
      }
    }
    for (line, block) in layout.placed {
      for (offset, pieces) in block.lines.enumerated() where (body.row..<body.endRow).contains(line + offset) {
        canvas.put(pieces, row: line + offset)
      }
      if let focus = block.focus {
        let row = min(max(line + focus.row, body.row), max(body.row, body.endRow - 1))
        canvas.hiddenCursor = Point(row: row, column: focus.column)
      }
    }
    for (offset, pieces) in layout.heading.prefix(rect.rows).enumerated() { canvas.put(pieces, row: rect.row + offset) }
    ScrollBar.draw(
      on: &canvas, in: body.inset(left: rect.columns - 1), first: layout.top, visible: body.rows,
      total: layout.blocks.map(\.lines.count).reduce(0, +), track: theme.quiet, thumb: theme.accent)
  }
}
