/// The selected line of a list and the first visible one, moved by keys and the mouse.
public struct ListSelection: Hashable, Sendable {
  /// The total number of lines; setting it clamps the selection.
  public var count: Int {
    didSet { select(selected) }
  }
  /// The selected line, from 0; also 0 if there are none.
  public private(set) var selected = 0
  /// The first visible line.
  public private(set) var top = 0
  /// The rectangle of the last layout.
  public private(set) var rect = Rect(row: 0, column: 0, rows: 0, columns: 0)

  /// The number of lines that a step of the wheel scrolls.
  public static let wheelStep = 3

  /// Creates a selection for a list.
  /// - Parameters:
  ///   - count: the number of its lines.
  ///   - selected: the selected line, from 0; clamped to the list.
  public init(count: Int, selected: Int = 0) {
    self.count = count
    select(selected)
  }

  /// The lines that are visible in the rectangle.
  public var visible: Range<Int> {
    let first = min(top, count)
    return first..<min(count, first + rect.rows)
  }

  /// Selects a line, clamped to the list.
  public mutating func select(_ line: Int) { selected = min(max(0, line), max(0, count - 1)) }

  /// Moves the selection. A page overlaps the previous one by one line.
  public mutating func move(_ movement: Movement) {
    select(movement.line(from: selected, page: max(1, rect.rows - 1), last: count - 1))
  }

  /// Scrolls to the beginning and selects the first line.
  public mutating func rewind() {
    top = 0
    selected = 0
  }

  /// Scrolls the selected line into the given rectangle.
  public mutating func layOut(in rect: Rect) {
    self.rect = rect
    if selected < top { top = selected }
    if selected >= top + rect.rows { top = selected - max(1, rect.rows) + 1 }
    top = min(top, max(0, count - rect.rows))
  }

  /// Selects the clicked line. The wheel scrolls, and moves the selection only to keep it visible.
  /// - Returns: true if a line was double-clicked, to open it.
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

  // MARK: Drawing

  /// Draws the visible lines with a closure, which gets the index of a line and its rectangle, and then a scroll bar in
  /// the last column.
  public func draw(
    on canvas: inout Canvas, style: WidgetStyle, line: (_ index: Int, _ rect: Rect, _ canvas: inout Canvas) -> Void
  ) {
    for (offset, index) in visible.enumerated() {
      let place = rect.line(offset).inset(right: 1)
      if index == selected { canvas.hiddenCursor = Point(row: place.row, column: place.column) }
      line(index, place, &canvas)
    }
    ScrollBar.draw(
      on: &canvas, in: rect.inset(left: rect.columns - 1), first: top, visible: rect.rows, total: count,
      track: style.quiet, thumb: style.accent)
  }

  /// Draws the visible lines as rows: the selected one in the style of a selection, after the sign `▸`.
  public func draw(on canvas: inout Canvas, style: WidgetStyle, row: (_ index: Int) -> TextRow) {
    draw(on: &canvas, style: style) { index, line, canvas in
      row(index).draw(isSelected: index == selected, on: &canvas, in: line, style: style)
    }
  }
}

/// A line of a list: a sign, a text, and less important text at the right, which takes precedence.
public struct TextRow: Hashable, Sendable {
  /// The text.
  public var text: String
  /// The text at the right.
  public var right: String
  /// True for a mark `●`, which the sign of the selection does not replace.
  public var isMarked: Bool
  /// Attributes of the text, such as bold.
  public var attributes: Style.Attributes

  /// Creates a line.
  public init(_ text: String, right: String = "", isMarked: Bool = false, attributes: Style.Attributes = []) {
    self.text = text
    self.right = right
    self.isMarked = isMarked
    self.attributes = attributes
  }

  private func rightColumns(in columns: Int) -> Int { min(TextWidth.columns(of: right), max(0, columns - 3)) }

  /// Returns how many columns of the text a line has room for.
  public func textColumns(in columns: Int) -> Int {
    let right = rightColumns(in: columns)
    return max(0, columns - 2 - (right == 0 ? 0 : right + 3))
  }

  /// Draws the line; `▸` shows that it is selected.
  public func draw(isSelected: Bool, on canvas: inout Canvas, in line: Rect, style: WidgetStyle) {
    let base = isSelected ? style.selection : style.text
    canvas.fill(line, style: base)
    let (sign, rest, _) = line.split(left: 2)
    canvas.put(isMarked ? "●" : isSelected ? "▸" : " ", in: sign, style: base)
    canvas.put(text, in: rest.split(left: textColumns(in: line.columns)).left, style: base.adding(attributes))
    let end = line.inset(left: line.columns - rightColumns(in: line.columns) - 1, right: 1)
    canvas.put(right, in: end, style: isSelected ? base : style.quiet)
  }
}
