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

  var text: String { field.text }

  func begin() {
    if !isNarrowing { selectionBefore = list.selectedID }
    isTyping = true
  }

  /// Keeps the results and stops typing.
  func keep() {
    isTyping = false
    inputs.add(field.text)
  }

  /// What was searched for before.
  var inputs = InputHistory()

  /// Searches for what was searched for before, or again for what was typed.
  func recall(older: Bool) {
    let text = older ? inputs.older(than: field.text) : inputs.newer(than: field.text)
    if let text { edit { $0 = TextField(text) } }
  }

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
    inputs.add(field.text)
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

/// The line at the top while contacts are searched: what is searched, the field, and what was found.
@MainActor
struct SearchLine {
  let field: Rect
  private let environment: AppEnvironment
  private let rect: Rect
  private let summary: String
  /// The group, folder or collection that is searched, or the host of a directory; empty for all contacts.
  private let scope: String
  private let scopeColumns: Int

  init(scope: String, summary: String, in rect: Rect, environment: AppEnvironment) {
    self.environment = environment
    self.rect = rect
    self.summary = summary
    self.scope = DisplayText.clean(scope)
    let room = rect.columns - TextWidth.columns(of: summary) - 4
    // Leave room for a short word in the field.
    scopeColumns =
      scope.isEmpty ? 0 : min(TextWidth.columns(of: self.scope) + 1, max(0, min(rect.columns / 3, room - 12)))
    let before = scopeColumns + TextWidth.columns(of: environment.strings("search.prompt")) + 1
    field = Rect(row: rect.row, column: rect.column + 1 + before, rows: 1, columns: max(4, room - before))
  }

  func draw(_ text: TextField, focused: Bool, on canvas: inout Canvas) {
    let style = environment.theme.title
    Bars(theme: environment.theme).drawTitle("", right: summary, isRightNeeded: true, on: &canvas, in: rect)
    let (left, prompt, _) = rect.inset(left: 1).split(left: scopeColumns)
    canvas.put(scope, in: left.inset(right: 1), style: style)
    canvas.put(environment.strings("search.prompt"), in: prompt.split(left: 2).left, style: style)
    text.draw(on: &canvas, in: field, style: style, focused: focused)
  }
}
