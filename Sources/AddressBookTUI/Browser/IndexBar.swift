import TerminalKit

/// The index bar at the right edge of the main screen.
@MainActor
final class IndexBarPane {
  /// True while waiting for a letter, digit or `#` after the jump key.
  var isWaiting = false
  private let list: ContactList
  private let theme: Theme
  private var rect = Rect(row: 0, column: 0, rows: 0, columns: 0)
  private var drawn = LastDrawn<Content>()

  /// Everything that the bar depends on besides its rectangle, whose change invalidates the whole frame.
  private struct Content: Equatable {
    var titles: [String]
    /// Ordinals of the titles of sections with contacts.
    var present: [Int]
    var current: Int?
    var isWaiting: Bool
  }

  init(list: ContactList, theme: Theme) {
    self.list = list
    self.theme = theme
  }

  /// Jumps to the section at a position.
  /// - Parameter listHeight: the height of the list, in lines.
  /// - Returns: false if the position is not on the bar.
  func press(_ position: Point, listHeight: Int) -> Bool {
    // The column at the edge of the window also counts, because it is easy to hit.
    let target = Rect(row: rect.row, column: rect.column, rows: rect.rows, columns: rect.columns + 1)
    guard target.contains(position) else { return false }
    list.jump(toIndexLine: position.row - rect.row, height: listHeight, barHeight: rect.rows)
    return true
  }

  // MARK: Drawing

  func prepare(in rect: Rect) { self.rect = rect }

  func invalidateDrawing() { drawn.invalidate() }

  func draw(on canvas: inout Canvas) {
    let content = Content(
      titles: list.indexTitles, present: list.presentTitles, current: list.currentTitle, isWaiting: isWaiting)
    if drawn.isSame(content) { return }
    // A letter of another script may be wide, and CH has two: they take the blank column beside the bar.
    let columns = list.sections == .latin ? rect.columns : 2
    IndexBarView(theme: theme).draw(
      titles: content.titles, present: content.present, current: content.current, isWaiting: isWaiting, on: &canvas,
      in: Rect(row: rect.row, column: rect.column, rows: rect.rows, columns: columns))
  }
}

/// The section titles in an index bar of a given height, chosen as in the index bars of phones.
///
/// All titles if there is room; otherwise those of sections with contacts, if they fit; otherwise the first, the last
/// and evenly spaced ones between, or only the first on fewer than three lines. Where there is room, a dot represents
/// omitted titles.
struct IndexBarLayout: Equatable {
  /// One line of the bar.
  enum Mark: Equatable {
    /// The title with that ordinal among all titles.
    case title(Int)
    /// A dot that represents the titles with these ordinals.
    case dot(ClosedRange<Int>)

    /// The titles that this line represents.
    var titles: ClosedRange<Int> {
      switch self {
      case .title(let ordinal): ordinal...ordinal
      case .dot(let range): range
      }
    }
  }

  /// From the top; at most as many as there are lines.
  let marks: [Mark]

  /// The bar for that many titles on that many lines.
  /// - Parameter present: ordinals of the titles of sections with contacts, ascending.
  init(titleCount: Int, height: Int, present: [Int] = []) {
    guard titleCount > 0, height > 0 else {
      marks = []
      return
    }
    if titleCount <= height {
      marks = (0..<titleCount).map(Mark.title)
      return
    }
    if !present.isEmpty, present.count <= height {
      marks = Self.marks(of: present, spare: height - present.count)
      return
    }
    // Titles and dots alternate, so use an odd number of lines.
    let shown = (height + 1) / 2
    guard shown > 1 else {
      marks = [.title(0)]
      return
    }
    let chosen = (0..<shown).map { $0 * (titleCount - 1) / (shown - 1) }
    var marks: [Mark] = [.title(chosen[0])]
    for (previous, next) in zip(chosen, chosen.dropFirst()) {
      if previous + 1 <= next - 1 { marks.append(.dot(previous + 1...next - 1)) }
      marks.append(.title(next))
    }
    self.marks = marks
  }

  /// These titles, with dots in the widest gaps between them as far as there are spare lines.
  private static func marks(of titles: [Int], spare: Int) -> [Mark] {
    let gaps = zip(titles, titles.dropFirst()).filter { $0 + 1 < $1 }.map { $0 + 1...$1 - 1 }
    let shown = Set(gaps.sorted { ($0.count, $1.lowerBound) > ($1.count, $0.lowerBound) }.prefix(spare))
    var marks: [Mark] = []
    for title in titles {
      marks.append(.title(title))
      if let gap = shown.first(where: { $0.lowerBound == title + 1 }) { marks.append(.dot(gap)) }
    }
    return marks
  }
}

/// Draws the index bar: one column of section titles at the right edge.
struct IndexBarView {
  let theme: Theme

  /// - Parameters:
  ///   - titles: all titles, such as `A` to `Z` and `#`.
  ///   - present: ordinals of the titles of sections with contacts, ascending.
  ///   - current: ordinal of the title of the selected contact's section.
  ///   - isWaiting: true while waiting for a letter after the jump key; the titles of sections with contacts are
  ///     highlighted then.
  func draw(
    titles: [String], present: [Int], current: Int?, isWaiting: Bool, on canvas: inout Canvas, in rect: Rect
  ) {
    canvas.fill(rect, style: theme.text)
    let layout = IndexBarLayout(titleCount: titles.count, height: rect.rows, present: present)
    for (line, mark) in layout.marks.enumerated() {
      let isCurrent = current.map(mark.titles.contains) ?? false
      let isPresent = mark.titles.contains(where: present.contains)
      let text: String
      switch mark {
      case .title(let ordinal): text = titles[ordinal]
      case .dot: text = isCurrent ? titles[current ?? 0] : "·"
      }
      var style = isPresent ? theme.text.adding(.bold) : theme.quiet
      if isWaiting && isPresent { style = theme.accent }
      if isCurrent { style = theme.accent.adding(.reverse) }
      canvas.put(text, at: Point(row: rect.row + line, column: rect.column), limit: rect.columns, style: style)
    }
  }
}
