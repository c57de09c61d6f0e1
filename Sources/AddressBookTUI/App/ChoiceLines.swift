import TerminalKit

/// Which of a chooser's lines is selected and which is the first that is shown, moved by keys and by the mouse.
struct ChoiceLines: Equatable {
  /// Number of lines in all; setting it brings the selection inside.
  var count: Int {
    didSet { select(selected) }
  }
  /// The selected line, from 0; 0 also when there is none.
  private(set) var selected = 0
  /// The first line that is shown.
  private(set) var top = 0
  /// Where the lines stood when they were last drawn.
  private(set) var place = Rect(row: 0, column: 0, rows: 0, columns: 0)

  /// Lines a step of the wheel.
  static let wheelStep = 3

  init(count: Int, selected: Int = 0) {
    self.count = count
    select(selected)
  }

  /// The lines that fit the place.
  var visible: Range<Int> {
    let first = min(top, count)
    return first..<min(count, first + place.rows)
  }

  /// Rows of a page, which keeps one line of the last.
  var pageStep: Int { max(1, place.rows - 1) }

  /// Selects a line, at most the last.
  mutating func select(_ line: Int) { selected = min(max(0, line), max(0, count - 1)) }

  /// Moves the selection.
  mutating func move(by lines: Int) { select(selected + lines) }

  /// Moves the selection as a command of a chooser says; any other does nothing.
  mutating func perform(_ command: Command) {
    switch command {
    case .chooserNext: move(by: 1)
    case .chooserPrevious: move(by: -1)
    case .chooserPageDown: move(by: pageStep)
    case .chooserPageUp: move(by: -pageStep)
    case .chooserFirst: select(0)
    case .chooserLast: select(count - 1)
    default: break
    }
  }

  /// Shows the beginning, with its first line selected.
  mutating func rewind() {
    top = 0
    selected = 0
  }

  /// Brings the selected line into the place that the lines are given.
  mutating func fit(in place: Rect) {
    self.place = place
    if selected < top { top = selected }
    if selected >= top + place.rows { top = selected - max(1, place.rows) + 1 }
    top = min(top, max(0, count - place.rows))
  }

  /// A press selects the line under it, the wheel moves the lines, and the selection only as far as it must.
  /// - Returns: true when a line was pressed twice: it is to be opened.
  mutating func handle(_ mouse: Mouse) -> Bool {
    switch mouse.action {
    case .wheelUp: scroll(by: -Self.wheelStep)
    case .wheelDown: scroll(by: Self.wheelStep)
    case .press where mouse.button == 0:
      let line = top + mouse.position.row - place.row
      guard place.contains(mouse.position), visible.contains(line) else { return false }
      select(line)
      return mouse.clicks == 2
    case .press, .release, .drag: break
    }
    return false
  }

  private mutating func scroll(by lines: Int) {
    top = min(max(0, top + lines), max(0, count - place.rows))
    select(min(max(selected, top), top + max(1, place.rows) - 1))
  }
}
