import AvatarImage
import TerminalKit

/// Lays out the lines of the detail pane for a width, and draws them.
struct DetailView {
  let theme: Theme

  /// A line of the laid-out pane: text with the label to its left.
  struct LaidOutLine: Equatable {
    var role: DetailLine.Role
    var label = ""
    var text = ""
    var link: TerminalLink?
    /// The row of the photo in this line.
    var pictureRow: Int?
    /// Columns that the photo takes from the text.
    var indent = 0
  }

  /// The laid-out pane, computed when its inputs change, not for each frame.
  struct LaidOut {
    var lines: [LaidOutLine] = []
    /// The width of the labels.
    var labelColumns = 0
  }

  private static let labelLimit = 14
  private static let gap = 2

  /// Wraps long values; labels are right-aligned in their own column. The photo, if there is one, is part of the
  /// lines and scrolls with them.
  func layOut(_ lines: [DetailLine], columns: Int, picture: DetailPicture? = nil) -> LaidOut {
    let labelColumns = labelColumns(of: lines, columns: columns)
    let valueColumns = max(1, columns - labelColumns - Self.gap)
    let heading = lines.prefix { $0.role == .name || $0.role == .subtitle }
    let laidOut =
      layOut(heading, columns: columns, picture)
      + lines.dropFirst(heading.count).flatMap { line -> [LaidOutLine] in
        switch line.role {
        case .space: return [LaidOutLine(role: .space)]
        case .name, .subtitle:
          return TextWidth.wrap(line.text, columns: max(1, columns)).map { LaidOutLine(role: line.role, text: $0) }
        case .value:
          let isNarrow = line.narrowText != nil && TextWidth.columns(of: line.text) > valueColumns
          let wrapped = (isNarrow ? line.narrowText ?? "" : line.text).split(
            separator: "\n", omittingEmptySubsequences: false
          )
          .flatMap { TextWidth.wrap(String($0), columns: valueColumns) }
          return (wrapped.isEmpty ? [""] : wrapped).enumerated().map { index, text in
            LaidOutLine(role: .value, label: index == 0 ? line.label : "", text: text, link: line.link)
          }
        }
      }
    return LaidOut(lines: laidOut, labelColumns: labelColumns)
  }

  /// Lays out the name and its subtitles, below the photo or vertically centered next to it.
  private func layOut(_ heading: ArraySlice<DetailLine>, columns: Int, _ picture: DetailPicture?) -> [LaidOutLine] {
    let indent = picture.map { $0.isBeside ? $0.columns + DetailPicture.gap : 0 } ?? 0
    var text = heading.flatMap { line in
      TextWidth.wrap(line.text, columns: max(1, columns - indent))
        .map { LaidOutLine(role: line.role, text: $0, indent: indent) }
    }
    guard let picture else { return text }
    let rows = (0..<picture.rows).map { LaidOutLine(role: .space, pictureRow: $0) }
    guard picture.isBeside else { return rows + [LaidOutLine(role: .space)] + text }
    let above = max(0, (picture.rows - text.count) / 2)
    text.insert(contentsOf: Array(repeating: LaidOutLine(role: .space), count: above), at: 0)
    while text.count < picture.rows { text.append(LaidOutLine(role: .space)) }
    for row in 0..<picture.rows { text[row].pictureRow = row }
    return text
  }

  /// What to draw, and where.
  struct Content {
    var laidOut: LaidOut
    var cells: DrawnPicture?
    /// The first visible line.
    var top: Int
    var rect: Rect
  }

  func draw(_ content: Content, on canvas: inout Canvas) {
    let (cells, top, rect) = (content.cells, content.top, content.rect)
    canvas.fill(rect, style: theme.text)
    let labels = content.laidOut.labelColumns
    for (index, line) in content.laidOut.lines.dropFirst(top).prefix(rect.rows).enumerated() {
      let row = rect.row + index
      if let pictureRow = line.pictureRow, let cells, pictureRow < cells.rows {
        canvas.put(cells, from: pictureRow, in: rect.line(index), style: theme.text)
      }
      let start = rect.column + line.indent
      let limit = max(0, rect.columns - line.indent)
      switch line.role {
      case .space: break
      case .name:
        canvas.put(line.text, at: Point(row: row, column: start), limit: limit, style: theme.text.adding(.bold))
      case .subtitle:
        canvas.put(line.text, at: Point(row: row, column: start), limit: limit, style: theme.quiet)
      case .value:
        let label = TextWidth.prefix(of: line.label, columns: labels)
        canvas.put(
          label.0, at: Point(row: row, column: rect.column + labels - label.columns), limit: labels, style: theme.quiet)
        let value = rect.column + labels + Self.gap
        let used = canvas.put(
          line.text, at: Point(row: row, column: value), limit: max(0, rect.endColumn - value), style: theme.text)
        if let link = line.link { canvas.link(Rect(row: row, column: value, rows: 1, columns: used), to: link) }
      }
    }
  }

  /// Draws a scroll bar in the blank column to the right of the pane.
  func drawScrollBar(_ content: Content, on canvas: inout Canvas) {
    let column = Rect(row: content.rect.row, column: content.rect.endColumn, rows: content.rect.rows, columns: 1)
    canvas.fill(column, style: theme.text)
    ScrollBar.draw(
      on: &canvas, in: column, first: content.top, visible: content.rect.rows, total: content.laidOut.lines.count,
      track: theme.quiet, thumb: theme.accent)
  }

  private func labelColumns(of lines: [DetailLine], columns: Int) -> Int {
    let widest = lines.map { TextWidth.columns(of: $0.label) }.max() ?? 0
    return min(widest, Self.labelLimit, max(0, columns / 3))
  }
}

/// The size of the photo in the detail pane, and whether the name is next to it or below it.
struct DetailPicture: Equatable {
  let rows: Int
  let columns: Int
  /// True if the name is to the right of the photo.
  let isBeside: Bool

  /// Columns between the photo and the name.
  static let gap = 3
  /// The minimum width of the name next to the photo.
  private static let nameColumns = 24

  /// Chooses the size for a pane; nil if the photo would leave too few rows for the values, or if the pane is narrower
  /// than the photo.
  init?(pane: Size) {
    switch pane.rows {
    case 30...: rows = 8
    case 20...: rows = 6
    case 14...: rows = 4
    default: return nil
    }
    // A cell is about twice as tall as it is wide.
    columns = 2 * rows
    guard pane.columns >= columns else { return nil }
    isBeside = pane.columns >= columns + Self.gap + Self.nameColumns
  }
}
