/// Which line of a list is selected and which is the first that is shown, moved by keys and by the mouse.
public struct ListSelection: Hashable, Sendable {
  /// Number of lines in all; setting it brings the selection inside.
  public var count: Int {
    didSet { select(selected) }
  }
  /// The selected line, from 0; 0 also when there is none.
  public private(set) var selected = 0
  /// The first line that is shown.
  public private(set) var top = 0
  /// Where the lines were laid out last.
  public private(set) var rect = Rect(row: 0, column: 0, rows: 0, columns: 0)

  /// Lines a step of the wheel.
  public static let wheelStep = 3

  /// A list of so many lines with that one selected.
  public init(count: Int, selected: Int = 0) {
    self.count = count
    select(selected)
  }

  /// The lines that fit the rectangle.
  public var visible: Range<Int> {
    let first = min(top, count)
    return first..<min(count, first + rect.rows)
  }

  /// Selects a line, at most the last.
  public mutating func select(_ line: Int) { selected = min(max(0, line), max(0, count - 1)) }

  /// Moves the selection. A page keeps one line of the last.
  public mutating func move(_ movement: Movement) {
    select(movement.line(from: selected, page: max(1, rect.rows - 1), last: count - 1))
  }

  /// Shows the beginning, with its first line selected.
  public mutating func rewind() {
    top = 0
    selected = 0
  }

  /// Brings the selected line into the rectangle that the lines are given.
  public mutating func layOut(in rect: Rect) {
    self.rect = rect
    if selected < top { top = selected }
    if selected >= top + rect.rows { top = selected - max(1, rect.rows) + 1 }
    top = min(top, max(0, count - rect.rows))
  }

  /// A press selects the line under it. The wheel moves the lines, and the selection only as far as it must.
  /// - Returns: true when a line was pressed twice: it is to be opened.
  public mutating func handle(_ mouse: Mouse) -> Bool {
    switch mouse.action {
    case .wheelUp: scroll(by: -Self.wheelStep)
    case .wheelDown: scroll(by: Self.wheelStep)
    case .press where mouse.button == 0:
      let line = top + mouse.position.row - rect.row
      guard rect.contains(mouse.position), visible.contains(line) else { return false }
      select(line)
      return mouse.clicks == 2
    case .press, .release, .drag: break
    }
    return false
  }

  private mutating func scroll(by lines: Int) {
    top = min(max(0, top + lines), max(0, count - rect.rows))
    select(min(max(selected, top), top + max(1, rect.rows) - 1))
  }
}
