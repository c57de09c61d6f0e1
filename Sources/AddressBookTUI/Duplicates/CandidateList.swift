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
    state.selection.draw(on: &canvas, style: theme.widgets) { row(of: state.shown[$0], names) }
  }

  /// The different names of the first few contacts, and the number of all: `Bo Ek (2)`.
  private func row(of candidate: DuplicatesState.Candidate, _ names: (Int64) -> String?) -> TextRow {
    var shown: [String] = []
    for name in candidate.ids.prefix(Self.namedContacts).compactMap(names) where !shown.contains(name) {
      shown.append(name)
    }
    var row = TextRow(strings.list(shown), right: candidate.reason(strings))
    row.tail = strings.noted("", strings.number(candidate.ids.count))
    row.rightShare = 55
    return row
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
