import AddressBookModel
import Contacts
import TerminalKit

/// Draws the list of candidates: the names, and on the right the reason.
struct CandidateList {
  let theme: Theme
  let strings: Strings
  /// The maximum number of names shown for a candidate.
  static let namedContacts = 3

  /// Draws the visible candidates; `names` returns the name of a contact, nil if unknown.
  func draw(_ state: DuplicatesState, names: (Int64) -> String?, on canvas: inout Canvas) {
    state.selection.draw(on: &canvas, style: theme.widgets) { index, line, canvas in
      draw(state.shown[index], names, isSelected: index == state.selection.selected, on: &canvas, in: line)
    }
  }

  private func draw(
    _ candidate: DuplicatesState.Candidate, _ names: (Int64) -> String?, isSelected: Bool, on canvas: inout Canvas,
    in line: Rect
  ) {
    let style = isSelected ? theme.selection : theme.text
    canvas.fill(line, style: style)
    if isSelected { canvas.put("▸", at: Point(row: line.row, column: line.column), limit: 1, style: style) }
    let reason = candidate.reason(strings)
    let titleColumns = TextWidth.columns(of: title(of: candidate, names, columns: line.columns))
    let reasonColumns = min(
      TextWidth.columns(of: reason), max(line.columns * 11 / 20, line.columns - titleColumns - 5))
    let reasonStart = line.endColumn - reasonColumns - 1
    let room = max(0, reasonStart - line.column - 4)
    canvas.put(
      title(of: candidate, names, columns: room), at: Point(row: line.row, column: line.column + 2), limit: room,
      style: style)
    canvas.put(
      reason, at: Point(row: line.row, column: reasonStart), limit: reasonColumns,
      style: isSelected ? style : theme.quiet)
  }

  /// Returns the different names of the first few contacts, and the number of all: `Bo Ek (2)`. If the names are too
  /// long, they are cut to make room for the number.
  private func title(
    of candidate: DuplicatesState.Candidate, _ names: (Int64) -> String?, columns: Int
  ) -> String {
    var shown: [String] = []
    for name in candidate.ids.prefix(Self.namedContacts).compactMap(names) where !shown.contains(name) {
      shown.append(name)
    }
    let text = DisplayText.clean(strings.list(shown))
    let count = strings.noted("", strings.number(candidate.ids.count))
    let room = max(0, columns - TextWidth.columns(of: count))
    if TextWidth.columns(of: text) <= room { return text + count }
    return TextWidth.prefix(of: text, columns: max(0, room - 1)).0 + TextWidth.ellipsis + count
  }
}

/// The positions of the list of candidates and of the comparison in a window.
struct DuplicatesLayout: Equatable {
  let list: Rect
  /// The line between the list and the comparison: one column or one row; empty if only one of them is shown.
  let rule: Rect
  /// The comparison; empty in a small window that shows the list.
  let comparison: Rect

  /// The height of the list above a comparison.
  private static let listRows = 6

  /// - Parameter isOpen: whether the comparison has the window to itself.
  init(body: Rect, isOpen: Bool) {
    let nothing = Rect(row: body.row, column: body.column, rows: 0, columns: 0)
    if isOpen {
      (list, rule, comparison) = (nothing, nothing, body)
    } else if body.columns >= BrowserLayout.splitColumns {
      let columns = body.columns * 3 / 10
      list = Rect(row: body.row, column: body.column, rows: body.rows, columns: columns)
      rule = Rect(row: body.row, column: list.endColumn, rows: body.rows, columns: 1)
      comparison = body.inset(left: columns + 2)
    } else if body.rows >= 3 * Self.listRows {
      list = Rect(row: body.row, column: body.column, rows: Self.listRows, columns: body.columns)
      rule = body.line(Self.listRows)
      comparison = body.inset(top: Self.listRows + 1)
    } else {
      (list, rule, comparison) = (body, nothing, nothing)
    }
  }
}
