/// Which cells are written once more after ncurses, and what is known of the links on the terminal.
///
/// ncurses can send 24-bit colors only to terminals whose description has them, which is hardly ever installed, and links to none.
/// So it draws the nearest palette colors and plain text, and where it wrote, the rest is laid over them.
struct CellOverlay {
  let run: OverlayRun
  /// The lines of the terminal that have links.
  private var linkedRows: Set<Int> = []

  init(_ run: OverlayRun) { self.run = run }

  /// The bytes for a picture, after ncurses has shown it; empty where nothing needs them.
  /// - Parameters:
  ///   - rows: the lines that were written to ncurses.
  ///   - limit: what the terminal has room for.
  ///   - before: what the terminal showed when ncurses began; nil when nothing was known.
  ///   - last: the picture before that, from which lines were moved to `before` at our request; ncurses' sums of lines are
  ///     those of this one.
  mutating func bytes(on canvas: Canvas, rows: [Int], limit: Size, before: Canvas?, last: Canvas?) -> [UInt8] {
    guard run.hasDirectColors || run.hasLinks else { return [] }
    var bytes: [UInt8] = []
    func lay(_ row: Int, stale: OverlayRun.StaleLinks = [:]) {
      bytes += run.bytes(of: canvas.cells(ofLine: row).prefix(limit.columns), row: row, stale: stale)
    }
    if let before, let last, before.size == canvas.size, !linkedRows.isEmpty {
      if NcursesScreen.mayMoveLines(from: last, to: canvas) {
        // Lines move with their links, and perhaps lines that stayed as they are move along.
        let stale = Self.links(of: linkedRows.map { before.cells(ofLine: $0) })
        for row in 0..<min(canvas.size.rows, limit.rows) { lay(row, stale: stale) }
      } else {
        for row in rows { lay(row, stale: Self.links(of: [before.cells(ofLine: row)])) }
        let isUntouched = rows.isEmpty && before.cursor == canvas.cursor
        for row in linkedRows.subtracting(rows) where !isUntouched {
          // The cursor may go along a line by writing what is there, and blank lines are erased with others above them.
          let isCursors = row == canvas.cursor?.row ?? 0
          if isCursors || NcursesScreen.areBlank(canvas.cells(ofLine: row)) { lay(row) }
        }
      }
    } else {
      for row in rows { lay(row) }
    }
    noteLinks(of: canvas, in: rows)
    return bytes
  }

  /// Takes note of lines that the terminal was told to move, and shows so now.
  mutating func noteLinks(of canvas: Canvas, in rows: some Sequence<Int>) {
    guard run.hasLinks else { return }
    for row in rows {
      if canvas.hasLinks(inLine: row) { linkedRows.insert(row) } else { linkedRows.remove(row) }
    }
  }

  /// The terminal is cleared before anything else is shown.
  mutating func forget() { linkedRows = [] }

  private static func links(of lines: [ArraySlice<Cell>]) -> OverlayRun.StaleLinks {
    var links: OverlayRun.StaleLinks = [:]
    for line in lines {
      for (column, cell) in line.enumerated() where cell.linkNumber > 0 {
        links[column, default: []].insert(NcursesScreen.sentBase(of: cell))
      }
    }
    return links
  }
}
