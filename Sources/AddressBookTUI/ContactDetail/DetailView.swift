import AddressBookModel
import AvatarImage
import BookSearching
import Contacts
import TerminalKit

/// The detail of a contact, wherever it is shown: its lines and its photo, laid out for a rectangle, and scrolled.
@MainActor
struct ContactDetail {
  /// What is shown.
  struct Content: Equatable {
    var contact: Contact
    /// The photo of a contact that is not in the book.
    var photo: Photo?
    /// The names of the folders that the contact is in.
    var folders: [String] = []
    /// The contacts that name it as related.
    var namedBy: [RelatedContact] = []
    /// True when the contact does not match its checksum.
    var isDamaged = false
  }

  /// While these values are unchanged, the detail is not laid out again.
  private struct Layout: Equatable {
    var content: Content
    var rect: Rect
    var today: CalendarDay
    /// The size and arrangement of the photo; nil if there is no room for one, or photos are not shown.
    var picture: DetailPicture?
    var pictureRevision: Int
    var ambiguousColumns: Int
  }

  /// What decides how it is drawn.
  struct Look: Equatable {
    /// The number of times it was laid out.
    var layouts = 0
    var top = 0
    var rect = Rect(row: 0, column: 0, rows: 0, columns: 0)
  }

  private(set) var look = Look()
  private var layout: Layout? {
    didSet { look.layouts += 1 }
  }
  private var lines = DetailView.LaidOut()
  /// The photo, or the initial instead.
  private var cells: DrawnPicture?
  private var pager = Pager(overlap: 1)
  private var rect: Rect { look.rect }

  // MARK: Scrolling

  /// Scrolls to the beginning.
  mutating func rewind() { pager.show(0) }

  mutating func move(_ movement: Movement) { pager.move(movement) }

  mutating func type(_ key: Key) { pager.type(key) }

  /// Scrolls if the wheel was turned on the detail.
  /// - Returns: true if the mouse is there.
  mutating func handle(_ mouse: Mouse) -> Bool {
    guard rect.contains(mouse.position) else { return false }
    pager.handle(.mouse(mouse))
    return true
  }

  // MARK: Drawing

  /// Lays out a contact, nil for none, in a rectangle with a blank column to its right for the scroll bar.
  mutating func prepare(_ content: Content?, in rect: Rect, _ environment: AppEnvironment) {
    look.rect = rect
    if let content, !rect.isEmpty {
      let picture = environment.showsPhotos ? DetailPicture(pane: Size(rows: rect.rows, columns: rect.columns)) : nil
      let new = Layout(
        content: content, rect: rect, today: environment.days.today, picture: picture,
        pictureRevision: environment.avatars.revision, ambiguousColumns: TextWidth.ambiguousColumns)
      if layout != new { layOut(new, environment) }
    } else if layout != nil {
      (layout, lines, cells) = (nil, DetailView.LaidOut(), nil)
    }
    pager.layOut(in: rect.inset(right: -1), lines: lines.lines.count)
    look.top = pager.top
  }

  private mutating func layOut(_ new: Layout, _ environment: AppEnvironment) {
    layout = new
    let content = new.content
    let detail = DetailLines(strings: environment.strings, today: new.today, names: environment.names)
    lines = DetailView(theme: environment.theme).layOut(
      detail.lines(
        for: content.contact, folders: content.folders, namedBy: content.namedBy, isDamaged: content.isDamaged),
      columns: rect.columns, picture: new.picture)
    cells = new.picture.map { picture in
      let (columns, rows) = (picture.columns, picture.rows)
      return content.photo.map { environment.avatars.picture($0, of: content.contact, columns: columns, rows: rows) }
        ?? environment.avatars.picture(of: content.contact, columns: columns, rows: rows)
    }
  }

  /// - Parameter isFocused: whether the keys scroll it: the hidden cursor then stands on it.
  func draw(on canvas: inout Canvas, theme: Theme, isFocused: Bool) {
    if rect.isEmpty { return }
    DetailView(theme: theme).draw(lines, cells, top: pager.top, on: &canvas, in: rect)
    let before = canvas.hiddenCursor
    canvas.fill(pager.rect.split(right: 1).right, style: theme.text)
    pager.drawScrollBar(on: &canvas, style: theme.widgets)
    if !isFocused { canvas.hiddenCursor = before }
  }
}

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

  /// Draws the lines from `top` on.
  func draw(_ laidOut: LaidOut, _ cells: DrawnPicture?, top: Int, on canvas: inout Canvas, in rect: Rect) {
    canvas.fill(rect, style: theme.text)
    let labels = laidOut.labelColumns
    for (index, line) in laidOut.lines.dropFirst(top).prefix(rect.rows).enumerated() {
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
