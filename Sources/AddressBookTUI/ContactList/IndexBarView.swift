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
