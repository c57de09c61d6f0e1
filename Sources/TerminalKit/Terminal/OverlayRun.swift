/// The cells that are written again after ncurses, and the links that the terminal shows.
///
/// ncurses can only send 24-bit colors to terminals whose description has them, and such descriptions are hardly ever
/// installed. It cannot send links at all. So it draws the nearest palette colors and plain text, and the exact colors
/// and the links are drawn over them in the lines that it touched, as are blanks that tmux may have damaged.
struct CellOverlay {
  var run: OverlayRun
  /// The lines of the terminal with links.
  private var linkedRows: Set<Int> = []

  init(_ run: OverlayRun) { self.run = run }

  /// Returns the bytes to send after ncurses has shown the canvas; often empty.
  /// - Parameters:
  ///   - rows: the lines that were written to ncurses.
  ///   - limit: the size of the terminal.
  ///   - before: what the terminal showed before the update of ncurses; nil if unknown.
  ///   - last: `before` as it was before a ``ScrollPlan`` moved lines; ncurses still has the line hashes of that state.
  mutating func bytes(on canvas: Canvas, rows: [Int], limit: Size, before: Canvas?, last: Canvas?) -> [UInt8] {
    guard run.colors > 0 || run.hasLinks else { return [] }
    var bytes: [UInt8] = []
    let known = before.flatMap { $0.size == canvas.size ? $0 : nil }
    lazy var mayMove = last.map { NcursesScreen.mayMoveLines(from: $0, to: canvas) } ?? false
    func lay(_ row: Int, stale: OverlayRun.StaleCells = [:]) {
      let line = canvas.cells(ofLine: row).prefix(limit.columns)
      let cut = known.map { before in
        Self.cutBlanks(line) { column in
          mayMove
            ? (0..<before.size.rows).contains { before[$0, column].width == 2 } : before[row, column].width == 2
        }
      }
      bytes += run.bytes(of: line, row: row, stale: stale.merging(cut ?? [:]) { $0.union($1) })
    }
    if let before = known, last != nil, !linkedRows.isEmpty {
      if mayMove {
        // The terminal moves links with the lines, and ncurses may move unchanged lines too.
        let stale = Self.links(of: linkedRows.map { before.cells(ofLine: $0) })
        for row in 0..<min(canvas.size.rows, limit.rows) { lay(row, stale: stale) }
      } else {
        for row in rows { lay(row, stale: Self.links(of: [before.cells(ofLine: row)])) }
        let isUntouched = rows.isEmpty && before.restingPoint == canvas.restingPoint
        for row in linkedRows.subtracting(rows) where !isUntouched {
          // ncurses may move the cursor to the right by rewriting the text there, and erases blank lines together with
          // those above.
          let isCursorRow = row == canvas.restingPoint.row
          if isCursorRow || NcursesScreen.areBlank(canvas.cells(ofLine: row)) { lay(row) }
        }
      }
    } else {
      for row in rows { lay(row) }
    }
    noteLinks(of: canvas, in: rows)
    return bytes
  }

  /// Records which of these lines have links, after they changed in the terminal.
  mutating func noteLinks(of canvas: Canvas, in rows: some Sequence<Int>) {
    guard run.hasLinks else { return }
    for row in rows {
      if canvas.hasLinks(inLine: row) { linkedRows.insert(row) } else { linkedRows.remove(row) }
    }
  }

  /// Drops the record of links. Must be called before the terminal is cleared.
  mutating func reset() { linkedRows = [] }

  // ncurses may erase cells up to the first half of a wide character, and then write something over the second half. If
  // that was the other half of what is now a blank, tmux takes the blank's background away (until its pull request
  // 5441), so the blank is written again.
  private static func cutBlanks(_ line: ArraySlice<Cell>, wasWide: (Int) -> Bool) -> OverlayRun.StaleCells {
    var cut: OverlayRun.StaleCells = [:]
    for (column, cell) in zip(0..., line.dropLast()) {
      let (style, next) = (cell.style, line[line.startIndex + column + 1])
      guard cell.ascii == 0x20, next.width > 0, next != cell,
        style.background != .standard || !style.attributes.isDisjoint(with: [.reverse, .underline]), wasWide(column)
      else { continue }
      cut[column] = [0x20]
    }
    return cut
  }

  private static func links(of lines: [ArraySlice<Cell>]) -> OverlayRun.StaleCells {
    var links: OverlayRun.StaleCells = [:]
    for line in lines {
      for (column, cell) in line.enumerated() where cell.linkNumber > 0 {
        links[column, default: []].insert(NcursesScreen.sentBase(of: cell))
      }
    }
    return links
  }
}

/// The bytes that rewrite cells with what ncurses does not support: exact 24-bit colors (ISO 8613-6, as in xterm) and
/// links (OSC 8).
struct OverlayRun {
  /// True if the terminal has 24-bit colors but its description does not.
  let hasDirectColors: Bool
  /// True if the terminal supports links.
  let hasLinks: Bool
  /// The number of colors in the terminal's description; 0 for none.
  let colors: Int
  /// True if the terminal's background is light, false if it is dark, nil if it is not known.
  var hasLightBackground: Bool?

  /// The first code points of cells that may differ from what ncurses believes, by column. It does not rewrite the cell
  /// of a link if its text stays the same; if the text changes, it rewrites the cell without a link.
  typealias StaleCells = [Int: Set<UInt32>]

  /// Returns the cursor movements, styles and text of the cells of a line that must be rewritten; empty if none must.
  /// Attributes stay on at the end, links do not.
  /// - Parameter stale: cells that may still be links in the terminal, or have lost their style; they are rewritten too.
  func bytes(of line: ArraySlice<Cell>, row: Int, stale: StaleCells = [:]) -> [UInt8] {
    var bytes: [UInt8] = []
    var style: Style?
    var link: UInt16 = 0
    var expected = -1
    for (column, cell) in line.enumerated() where cell.width > 0 {
      let number = hasLinks ? cell.linkNumber : 0
      let isStale = stale[column]?.contains(NcursesScreen.sentBase(of: cell)) ?? false
      guard number > 0 || isStale || hasDirectColors && Self.isDirect(cell.style) else { continue }
      if column != expected { bytes += Array("\u{1B}[\(row + 1);\(column + 1)H".utf8) }
      if cell.style != style {
        bytes += Array(sgr(cell.style).utf8)
        style = cell.style
      }
      if number != link {
        bytes += Self.bytes(of: cell.link)
        link = number
      }
      bytes += Array(NcursesScreen.sentText(of: cell).utf8)
      expected = column + cell.width
    }
    return link == 0 ? bytes : bytes + Self.noLink
  }

  /// The sequence that ends a link.
  static let noLink = Array("\u{1B}]8;;\u{1B}\\".utf8)

  // The `id` makes cells one link for the terminal, even if they are apart or were written at different times.
  private static func bytes(of link: TerminalLink?) -> [UInt8] {
    link.map { Array("\u{1B}]8;id=\($0.number);\($0.address)\u{1B}\\".utf8) } ?? noLink
  }

  private static func isDirect(_ style: Style) -> Bool {
    [style.foreground, style.background].contains { if case .rgb = $0 { true } else { false } }
  }

  private func sgr(_ style: Style) -> String {
    var codes = ["0"]
    if style.attributes.contains(.bold) { codes.append("1") }
    if style.attributes.contains(.dim) { codes.append("2") }
    if style.attributes.contains(.italic) { codes.append("3") }
    if style.attributes.contains(.underline) { codes.append("4") }
    if style.attributes.contains(.reverse) { codes.append("7") }
    codes += color(style.foreground, base: 38) + color(style.background, base: 48)
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }

  // The color that ncurses displays, or the exact color if ncurses cannot display it.
  private func color(_ color: Color, base: Int) -> [String] {
    if hasDirectColors, case .rgb(let red, let green, let blue) = color {
      return ["\(base)", "2", "\(red)", "\(green)", "\(blue)"]
    }
    let number =
      colors == 0 ? -1 : ColorReduction.number(color, colors: colors, hasLightBackground: hasLightBackground)
    if number < 0 { return [] }
    if colors > 256, number > 7 {
      return ["\(base)", "2", "\(number >> 16)", "\(number >> 8 & 255)", "\(number & 255)"]
    }
    return ["\(base)", "5", "\(number)"]
  }
}
