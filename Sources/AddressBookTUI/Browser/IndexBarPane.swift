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
    // A letter of another script may be wide; it takes the blank column beside the bar.
    let columns = list.sections == .scripts ? 2 : rect.columns
    IndexBarView(theme: theme).draw(
      titles: content.titles, present: content.present, current: content.current, isWaiting: isWaiting, on: &canvas,
      in: Rect(row: rect.row, column: rect.column, rows: rect.rows, columns: columns))
  }
}
