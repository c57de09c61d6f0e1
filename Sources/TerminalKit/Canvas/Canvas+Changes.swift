import Glibc

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
