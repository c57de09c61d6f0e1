import TerminalKit

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

/// The index bar at the right edge of the main screen.
@MainActor
final class IndexBarPane {
  /// True while waiting for a letter after the jump key.
  var isWaiting = false
  private let list: ContactList
  private let theme: Theme
  private var drawn = LastDrawn<Content>()

  /// Everything that the bar depends on.
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

  func invalidateDrawing() { drawn.invalidate() }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let content = Content(
      titles: list.indexTitles, present: list.presentTitles, current: list.currentTitle, isWaiting: isWaiting)
    if drawn.isSame(content) { return }
    var rect = rect
    // A letter of another script may be wide; it takes the blank column beside the bar.
    if list.sections == .scripts { rect = Rect(row: rect.row, column: rect.column, rows: rect.rows, columns: 2) }
    IndexBarView(theme: theme).draw(
      titles: content.titles, present: content.present, current: content.current, isWaiting: isWaiting, on: &canvas,
      in: rect)
  }
}
