import TerminalKit

/// The search of the list: what is typed, and who was selected before.
@MainActor
final class ListSearch {
  /// True while keys go to the field.
  private(set) var isTyping = false
  private var field = TextField("")
  private let list: ContactList
  /// Esc comes back to them.
  private var selectionBefore: Int64?

  init(list: ContactList) { self.list = list }

  /// True while the title line holds the field.
  var isShown: Bool { isTyping || isNarrowing }

  /// True when the list shows what was searched for.
  var isNarrowing: Bool { !list.filter.query.isEmpty }

  /// True when nothing is typed.
  var isEmpty: Bool { field.isEmpty }

  func begin() {
    if !isNarrowing { selectionBefore = list.selectedID }
    isTyping = true
  }

  /// Shows what was found, without more typing.
  func keep() { isTyping = false }

  func edit(_ change: (inout TextField) -> Void) {
    let before = field.text
    change(&field)
    if field.text != before { list.setFilter(ContactFilter(query: field.text, group: list.filter.group)) }
  }

  /// Shows the group again, or everybody, with the person selected who was selected in the results, or before the search.
  /// - Parameter id: whom to select instead.
  func end(selecting id: Int64? = nil) {
    let found = isNarrowing ? list.selectedID : nil
    let wanted = id ?? found ?? selectionBefore
    forget()
    list.setFilter(ContactFilter(group: list.filter.group), selecting: wanted)
  }

  /// Shows everybody, with the same person selected.
  func showEverybody() {
    forget()
    list.setFilter(ContactFilter(), selecting: list.selectedID)
  }

  private func forget() {
    isTyping = false
    field = TextField("")
    selectionBefore = nil
  }

  /// Begins to type where the mouse was pressed.
  func press(column: Int, in place: Rect) {
    isTyping = true
    field.moveCursor(toColumn: column - place.column, columns: place.columns)
  }

  func draw(on canvas: inout Canvas, in place: Rect, style: Style) {
    field.draw(on: &canvas, in: place, style: style, focused: isTyping)
  }
}
