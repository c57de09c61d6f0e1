import Contacts
import TerminalKit

/// Lays out and draws conflicts: the versions side by side, or one below the other in a narrow window.
struct ConflictView {
  let theme: Theme
  let strings: Strings

  typealias Piece = TextPiece

  /// A conflict, laid out.
  struct Block {
    let row: Int
    var isFocused = false
    /// The pieces of each line.
    var lines: [[Piece]] = []
    /// Where the versions are; rows are relative to the block.
    var targets: [(side: ConflictModel.Side, rect: Rect)] = []
    /// Where the user types; rows are relative to the block.
    var editor: Rect?
  }

  /// The lines of all conflicts, and where to draw them.
  struct Layout {
    let rect: Rect
    /// Lines above the blocks, which do not scroll.
    let heading: [[Piece]]
    let blocks: [Block]
    /// The first line of the blocks to show.
    let top: Int

    /// The blocks, each with the line on which it begins; the line can be outside the window.
    var placed: [(line: Int, block: Block)] {
      var line = rect.row + heading.count - top
      return blocks.map { block in
        defer { line += block.lines.count }
        return (line, block)
      }
    }

    /// Returns the row at a cell, and its version if the cell is in one; nil outside the conflicts.
    func target(at point: Point) -> (row: Int, side: ConflictModel.Side?)? {
      guard rect.contains(point), point.row >= rect.row + heading.count else { return nil }
      guard
        let (line, block) = placed.first(where: { ($0.line..<$0.line + $0.block.lines.count).contains(point.row) })
      else { return nil }
      let inside = Point(row: point.row - line, column: point.column)
      return (block.row, block.targets.first { $0.rect.contains(inside) }?.side)
    }
  }

  // MARK: Layout

  private static let marker = 2
  private static let narrowest = 64

  /// Returns the number of columns for a typed value.
  func ownColumns(in columns: Int) -> Int { max(1, columns - 2 * Self.marker - 2) }

  /// Lays everything out so that the focused conflict is visible, scrolled from `top` as little as possible.
  func layout(_ model: ConflictModel, editor: ConflictScreen.Editor?, from top: Int, in rect: Rect) -> Layout {
    let isWide = rect.columns >= Self.narrowest
    let heading = heading(in: rect, isWide: isWide)
    let height = rect.rows - heading.count
    var blocks: [Block] = []
    var (line, start, end) = (0, 0, 0)
    for (index, row) in model.rows.enumerated() {
      let isFocused = index == model.focus
      var block = isWide ? wide(row, index, isFocused, height, rect) : narrow(row, index, isFocused, height, rect)
      block.isFocused = isFocused
      addOwn(row, isFocused ? editor : nil, to: &block, height, rect)
      if index < model.rows.count - 1, height > 12 { block.lines.append([]) }
      if isFocused { (start, end) = (line, line + block.lines.count) }
      line += block.lines.count
      blocks.append(block)
    }
    var first = min(max(0, line - height), max(top, end - height))
    // In a block that is taller than the window, the input at its end stays visible.
    if start < first, editor == nil || end - start <= height { first = start }
    return Layout(rect: rect, heading: heading, blocks: blocks, top: max(0, first))
  }

  private func heading(in rect: Rect, isWide: Bool) -> [[Piece]] {
    var lines: [[Piece]] = []
    if rect.rows >= 16 {
      lines = TextWidth.wrap(strings("conflict.howTo"), columns: max(1, rect.columns - 2)).map {
        [Piece(column: 1, columns: rect.columns - 2, text: $0, style: theme.quiet)]
      }
      lines.append([])
    }
    guard isWide else { return lines }
    lines.append(
      zip(ConflictModel.Side.allCases, columns(in: rect)).map { side, column in
        Piece(
          column: column.start + Self.marker, columns: column.columns - Self.marker,
          text: strings("conflict.side." + side.name), style: theme.header)
      })
    return lines
  }

  /// Returns the columns of the three versions when they are side by side.
  private func columns(in rect: Rect) -> [(start: Int, columns: Int)] {
    let label = labelColumns(in: rect)
    let each = max(4, (rect.columns - 1 - Self.marker - label) / 3)
    return (0..<3).map { (Self.marker + label + $0 * each, each - 1) }
  }

  private func labelColumns(in rect: Rect) -> Int { min(22, rect.columns / 5) }

  private func wide(_ row: ConflictModel.Row, _ index: Int, _ isFocused: Bool, _ height: Int, _ rect: Rect) -> Block {
    var block = Block(row: index)
    let limit = isFocused ? max(4, height - 3) : 4
    let label = labelColumns(in: rect)
    let names = TextWidth.wrap([name(of: row)], columns: label - 1, limit: limit)
    let columns = columns(in: rect)
    let cells = zip(ConflictText(strings: strings).sides(of: row), columns).map {
      TextWidth.wrap($0, columns: $1.columns - Self.marker, limit: limit)
    }
    block.lines = Array(repeating: [], count: max(names.count, cells.map(\.count).max() ?? 1))
    for (line, text) in names.enumerated() {
      block.lines[line].append(Piece(column: Self.marker, columns: label - 1, text: text, style: style(isFocused)))
    }
    if isFocused { block.lines[0].append(Piece(column: 0, columns: 1, text: "▸", style: theme.accent)) }
    for (side, (column, lines)) in zip(ConflictModel.Side.allCases, zip(columns, cells)) {
      add(side, of: row, lines, at: Point(row: 0, column: column.start), columns: column.columns, to: &block)
    }
    return block
  }

  private func narrow(_ row: ConflictModel.Row, _ index: Int, _ isFocused: Bool, _ height: Int, _ rect: Rect) -> Block {
    var block = Block(row: index)
    let label = Piece(column: Self.marker, columns: rect.columns - 3, text: name(of: row), style: style(isFocused))
    block.lines = [isFocused ? [Piece(column: 0, columns: 1, text: "▸", style: theme.accent), label] : [label]]
    let limit = isFocused ? max(1, (height - 2) / 3) : 2
    let words = ConflictModel.Side.allCases.map { strings("conflict.side." + $0.name) }
    let indent = Self.marker + (words.map { TextWidth.columns(of: $0) }.max() ?? 0) + 1
    let columns = max(1, rect.columns - Self.marker - 1)
    for ((side, word), lines) in zip(
      zip(ConflictModel.Side.allCases, words), ConflictText(strings: strings).sides(of: row))
    {
      let start = block.lines.count
      let texts = TextWidth.wrap(lines, columns: columns - indent, limit: limit)
      block.lines += Array(repeating: [], count: texts.count)
      block.lines[start].append(
        Piece(column: 2 * Self.marker, columns: indent - Self.marker, text: word, style: theme.quiet))
      add(
        side, of: row, texts, at: Point(row: start, column: Self.marker), columns: columns, to: &block,
        textColumn: Self.marker + indent)
    }
    return block
  }

  /// Adds the radio button and the lines of one version.
  private func add(
    _ side: ConflictModel.Side, of row: ConflictModel.Row, _ lines: [String], at point: Point, columns: Int,
    to block: inout Block, textColumn: Int? = nil
  ) {
    let isChosen = row.decision == .side(side)
    let style = isChosen ? theme.accent : row.decision == nil ? theme.text : theme.quiet
    block.lines[point.row].append(
      Piece(column: point.column, columns: 1, text: isChosen ? "◉" : "○", style: isChosen ? theme.accent : theme.quiet))
    let start = textColumn ?? point.column + Self.marker
    for (line, text) in lines.enumerated() {
      block.lines[point.row + line].append(
        Piece(column: start, columns: max(1, point.column + columns - start), text: text, style: style))
    }
    block.targets.append((side, Rect(row: point.row, column: point.column, rows: lines.count, columns: columns)))
  }

  /// Adds the value that the user has entered, or the editor in which the user types one.
  private func addOwn(
    _ row: ConflictModel.Row, _ editor: ConflictScreen.Editor?, to block: inout Block, _ height: Int, _ rect: Rect
  ) {
    let (column, columns) = (2 * Self.marker, ownColumns(in: rect.columns))
    if let editor {
      var rows = 1
      if case .area(let area) = editor {
        rows = max(min(3, height - 1), area.lineCount(columns: columns, atMost: min(8, max(1, height - 1))))
      }
      block.editor = Rect(row: block.lines.count, column: column, rows: rows, columns: columns)
      block.lines += Array(repeating: [], count: rows)
    } else if let own = row.own {
      let texts = TextWidth.wrap(
        ConflictText(strings: strings).lines(of: own, in: row.conflict), columns: columns, limit: 4)
      for (line, text) in texts.enumerated() {
        var pieces = [Piece(column: column, columns: columns, text: text, style: theme.accent)]
        if line == 0 { pieces.append(Piece(column: Self.marker, columns: 1, text: "◉", style: theme.accent)) }
        block.lines.append(pieces)
      }
    }
  }

  private func name(of row: ConflictModel.Row) -> String { ConflictText(strings: strings).name(of: row.conflict) }

  private func style(_ isFocused: Bool) -> Style { isFocused ? theme.accent : theme.text }

  // MARK: Drawing

  func draw(_ layout: Layout, editor: ConflictScreen.Editor?, on canvas: inout Canvas) {
    let rect = layout.rect
    let body = rect.inset(top: layout.heading.count)
    for (line, block) in layout.placed {
      for (offset, pieces) in block.lines.enumerated() where body.contains(Point(row: line + offset, column: 0)) {
        canvas.put(pieces, row: line + offset)
      }
      if block.isFocused { canvas.hiddenCursor = Point(row: max(line, body.row), column: rect.column) }
      if let editorRect = block.editor {
        let field = Rect(
          row: line + editorRect.row, column: editorRect.column, rows: editorRect.rows, columns: editorRect.columns)
        draw(editor, in: field, on: &canvas)
      }
    }
    for (offset, pieces) in layout.heading.enumerated() { canvas.put(pieces, row: rect.row + offset) }
    ScrollBar.draw(
      on: &canvas, in: body.inset(left: rect.columns - 1), first: layout.top, visible: body.rows,
      total: layout.blocks.map(\.lines.count).reduce(0, +), track: theme.quiet, thumb: theme.accent)
  }

  private func draw(_ editor: ConflictScreen.Editor?, in rect: Rect, on canvas: inout Canvas) {
    switch editor {
    case .field(let field): field.draw(on: &canvas, in: rect, style: theme.focusedField, focused: true)
    case .area(let area): area.draw(on: &canvas, in: rect, style: theme.focusedField, focused: true)
    case nil: break
    }
  }
}
