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
    let reason = MergeText(strings: strings).reason(of: candidate)
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
