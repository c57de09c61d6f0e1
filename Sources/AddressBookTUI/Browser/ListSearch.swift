import TerminalKit

/// The search of the list: the typed text, and the previous selection.
@MainActor
final class ListSearch {
  /// True while the field has the focus.
  private(set) var isTyping = false
  /// True after the selection was moved, until text is typed.
  var isMoving = false
  private var field = TextField("")
  private let list: ContactList
  /// The selection before the search; Esc restores it if no result is selected.
  private var selectionBefore: Int64?

  init(list: ContactList) { self.list = list }

  /// True while the title line shows the field.
  var isShown: Bool { isTyping || isNarrowing }

  /// True when the list is limited to search results, even before they arrive.
  var isNarrowing: Bool { !list.filter.query.isEmpty }

  var isEmpty: Bool { field.isEmpty }

  func begin() {
    if !isNarrowing { selectionBefore = list.selectedID }
    isTyping = true
  }

  /// Keeps the results and stops typing.
  func keep() { isTyping = false }

  func edit(_ change: (inout TextField) -> Void) {
    let before = field.text
    isMoving = false
    change(&field)
    if field.text != before { list.setFilter(list.filter.searching(field.text)) }
  }

  /// Shows the group or all contacts again, selecting the contact that was selected in the results, or before the
  /// search.
  /// - Parameter id: the contact to select instead.
  func end(selecting id: Int64? = nil) {
    let found = isNarrowing ? list.selectedID : nil
    let target = id ?? found ?? selectionBefore
    reset()
    list.setFilter(list.filter.searching(""), selecting: target)
  }

  /// Shows all contacts, with the same contact selected.
  /// - Parameter id: the contact to select instead.
  func showAll(selecting id: Int64? = nil) {
    reset()
    list.setFilter(ContactFilter(), selecting: id ?? list.selectedID)
  }

  private func reset() {
    isTyping = false
    field = TextField("")
    selectionBefore = nil
  }

  /// Starts typing at the clicked position.
  func press(column: Int, in rect: Rect) {
    isTyping = true
    field.moveCursor(toColumn: column - rect.column, columns: rect.columns)
  }

  func draw(in line: SearchLine, on canvas: inout Canvas) {
    line.draw(field, focused: isTyping && !isMoving, on: &canvas)
  }
}
