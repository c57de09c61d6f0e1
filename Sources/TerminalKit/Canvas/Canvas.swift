import Glibc

/// The contents of the whole screen. A program draws one for each state; the terminal writes only what changed.
///
/// Drawing outside the canvas does nothing. If one half of a wide cell is overwritten, the other half is blanked.
public struct Canvas: Hashable, Sendable {
  /// The number of lines and columns, both at least 0.
  public let size: Size
  /// The position of the terminal's cursor; nil hides it. Setting it resets ``cursorShape``.
  public var cursor: Point? {
    didSet { cursorShape = .standard }
  }
  /// Where the hidden cursor stands while ``cursor`` is nil, for screen readers and magnifiers, which follow it. Lists
  /// set it to their selected line.
  public var hiddenCursor: Point?
  /// Where the cursor stands, visible or not.
  var restingPoint: Point { cursor ?? hiddenCursor ?? Point(row: 0, column: 0) }
  /// The shape of the cursor, if the terminal supports shapes; set it after ``cursor``.
  public var cursorShape = CursorShape.standard
  /// The images that were at least partly drawn, without duplicates; see ``put(_:from:in:background:)``.
  public internal(set) var images: [TerminalImage] = []
  /// The keys that can be clicked where they are drawn, such as the hints in the bottom line; see
  /// ``Bars/drawHints(_:on:in:)``.
  public internal(set) var keyTargets: [KeyTarget] = []
  // Lines that were copied from another canvas, and not drawn on since, share its arrays: they cost nothing to keep or
  // to compare.
  private var lines: [[Cell]]

  /// Creates a blank canvas, by default in the terminal's own colors; negative sizes count as 0.
  public init(size: Size, style: Style = .plain) {
    self.size = Size(rows: max(0, size.rows), columns: max(0, size.columns))
    lines = Array(repeating: Array(repeating: Cell(style: style), count: self.size.columns), count: self.size.rows)
  }

  /// The cell at a line and column; a blank one outside.
  public subscript(row: Int, column: Int) -> Cell {
    isInside(row, column) ? lines[row][column] : .blank
  }

  /// Sets every cell of the rectangle to a space.
  public mutating func fill(_ rect: Rect, style: Style) { fill(rect, with: Cell(style: style)) }

  /// Sets every cell of the rectangle to one character, or to a space if it is not one column wide.
  public mutating func fill(_ rect: Rect, style: Style, character: Character) {
    let cluster = TextWidth.cluster(character)
    let isOneCell = cluster.columns == 1 && cluster.pieces == 1
    fill(rect, with: isOneCell ? Cell(text: cluster.text, style: style) : Cell(style: style))
  }

  private mutating func fill(_ rect: Rect, with cell: Cell) {
    let rows = max(0, rect.row)..<max(0, min(rect.endRow, size.rows), rect.row)
    let columns = max(0, rect.column)..<max(0, min(rect.endColumn, size.columns), rect.column)
    guard !columns.isEmpty else { return }
    if columns.count == size.columns {
      let line = Array(repeating: cell, count: size.columns)
      for row in rows where row < size.rows { lines[row] = line }
      return
    }
    for row in rows where row < size.rows {
      unpair(row, columns.lowerBound)
      unpair(row, columns.upperBound)
      lines[row].withUnsafeMutableBufferPointer { $0[columns].update(repeating: cell) }
    }
  }

  /// Changes the style of the rectangle and keeps its text. An image in the rectangle disappears if the foreground
  /// changes.
  public mutating func restyle(_ rect: Rect, _ change: (Style) -> Style) {
    self.change(rect) { $0.style = change($0.style) }
  }

  /// Changes each cell of the rectangle; `change` must keep the text.
  mutating func change(_ rect: Rect, _ change: (inout Cell) -> Void) {
    for row in max(0, rect.row)..<max(0, min(rect.endRow, size.rows), rect.row) {
      for column in max(0, rect.column)..<max(0, min(rect.endColumn, size.columns), rect.column) {
        change(&lines[row][column])
      }
    }
  }

  /// Returns the lines joined by newlines, without trailing spaces and direction marks: the format of golden files.
  public func plainText() -> String {
    var lines: [String] = []
    for row in 0..<size.rows {
      var line = ""
      for cell in cells(ofLine: row) { line += cell.text }
      line.unicodeScalars.removeAll { $0 == Self.leftToRightMark }
      while line.last == " " { line.removeLast() }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the cells of a line, which must be inside the canvas.
  public func cells(ofLine row: Int) -> ArraySlice<Cell> { lines[row][...] }

  /// Replaces the cells of a line with the same number of cells.
  mutating func setLine(_ row: Int, _ line: some Collection<Cell>) { lines[row] = Array(line) }

  func isInside(_ row: Int, _ column: Int) -> Bool {
    row >= 0 && row < size.rows && column >= 0 && column < size.columns
  }

  /// The mark that ends a run of right-to-left text: terminals that reorder text then keep what follows in its column
  /// (UAX #9).
  static let leftToRightMark: Unicode.Scalar = "\u{200E}"

  // MARK: For drawing text

  /// Sets a cell and, for a wide one, its empty second half. A wide cell that does not fit is left out.
  mutating func set(_ row: Int, _ column: Int, _ cell: Cell) {
    guard isInside(row, column), column + cell.width <= size.columns else { return }
    unpair(row, column)
    unpair(row, column + cell.width)
    lines[row][column] = cell
    if cell.width == 2 { lines[row][column + 1] = Cell(text: "", width: 0, style: cell.style) }
  }

  /// Sets that many cells, which must be inside, to one printable ASCII character each.
  mutating func setASCII(_ text: some Sequence<UInt8>, at point: Point, count: Int, style: Style) {
    unpair(point.row, point.column)
    unpair(point.row, point.column + count)
    lines[point.row].withUnsafeMutableBufferPointer { line in
      for (column, byte) in zip(point.column..<point.column + count, text) {
        line[column] = Cell(Unicode.Scalar(byte), style: style)
      }
    }
  }

  /// Adds a zero-width mark to the cell that covers this column.
  mutating func addMark(_ mark: Unicode.Scalar, row: Int, column: Int) {
    guard isInside(row, column), !isCorner(row, column) else { return }
    let isHalf = lines[row][column].width == 0 && column > 0
    lines[row][isHalf ? column - 1 : column].append(mark)
  }

  /// Returns true for the last column of the last line, which takes no marks: it is written with wrapping off, and
  /// some terminals (tmux 3.3a) then add a mark to the previous cell.
  func isCorner(_ row: Int, _ column: Int) -> Bool { row == size.rows - 1 && column == size.columns - 1 }

  // Makes this column the start of a cell: blanks both halves of a wide one that crosses it.
  private mutating func unpair(_ row: Int, _ column: Int) {
    guard column > 0, column < size.columns else { return }
    guard lines[row][column].width == 0 else { return }
    lines[row][column] = Cell(style: lines[row][column].style)
    lines[row][column - 1] = Cell(style: lines[row][column - 1].style)
  }
}

/// The differences between two frames of the same size.
///
/// Lines that share their array with the previous frame are compared without reading a cell.
extension Canvas {
  /// Returns the lines that differ, top to bottom.
  public func changedLines(since old: Canvas) -> [Int] {
    var rows: [Int] = []
    for row in 0..<size.rows where !Self.areSame(cells(ofLine: row), old.cells(ofLine: row)) { rows.append(row) }
    return rows
  }

  /// Returns the columns of a line from the first cell that differs to the last one, widened to include both halves of
  /// wide cells; empty if no cell differs.
  ///
  /// - Parameters:
  ///   - row: the line, which must be inside both frames.
  ///   - old: the previous frame.
  ///   - limit: the number of columns to compare, from the left.
  public func changedColumns(ofLine row: Int, since old: Canvas, limit: Int) -> Range<Int> {
    let cells = cells(ofLine: row)
    let before = old.cells(ofLine: row)
    var from = 0
    var to = min(cells.count, limit)
    while from < to, cells[from] == before[from] { from += 1 }
    while to > from, cells[to - 1] == before[to - 1] { to -= 1 }
    guard from < to else { return 0..<0 }
    while from > 0, cells[from].width == 0 { from -= 1 }
    while to < min(cells.count, limit), cells[to].width == 0 { to += 1 }
    return from..<to
  }

  // Cells have no padding, so equal ones have equal bytes.
  private static func areSame(_ left: ArraySlice<Cell>, _ right: ArraySlice<Cell>) -> Bool {
    left.withUnsafeBytes { left in
      right.withUnsafeBytes { right in
        guard let start = left.baseAddress, let other = right.baseAddress else { return left.count == right.count }
        return left.count == right.count && (start == other || memcmp(start, other, left.count) == 0)
      }
    }
  }
}

/// A key drawn on the screen, or the meaning beside it; clicking it types the key.
public struct KeyTarget: Hashable, Sendable {
  /// The cells that can be clicked.
  public let rect: Rect
  /// The label of the key (``KeySequence/label``).
  public let label: String
}

extension Canvas {
  /// Returns the label of the key that a click at a cell types; nil for none.
  public func keyLabel(at position: Point) -> String? { keyTargets.first { $0.rect.contains(position) }?.label }

  /// Removes all keys, which belong to a screen below and cannot be clicked.
  @usableFromInline mutating func removeKeyTargets() { keyTargets = [] }

  /// Removes the keys on a line, which is about to be redrawn.
  mutating func removeKeyTargets(in line: Rect) {
    keyTargets.removeAll { line.contains(Point(row: $0.rect.row, column: $0.rect.column)) }
  }
}
