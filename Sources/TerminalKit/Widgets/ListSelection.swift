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
  /// Text after it, which stays when the text is cut, such as a number.
  public var tail = ""
  /// The color of a dot before the text; nil for none.
  public var dot: Color?
  /// The text at the right.
  public var right: String
  /// The width of the text at the right, if it begins in the same column on all lines; nil for its own width.
  public var rightColumns: Int?
  /// The share of the line, in percent, above which the text at the right leaves room for the other text.
  public var rightShare = 100
  /// Text before the one at the right, as far as the others leave room.
  public var note = ""
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

  private static func width(of text: String) -> Int { TextWidth.columns(of: DisplayText.clean(text)) }

  private var dotColumns: Int { dot == nil ? 0 : 2 }

  private func rightColumns(in columns: Int) -> Int {
    let right = rightColumns ?? Self.width(of: right)
    let most = max(0, columns - 3)
    guard rightShare < 100 else { return min(right, most) }
    let rest = columns - Self.width(of: text) - Self.width(of: tail) - dotColumns - 5
    return min(right, most, max(columns * rightShare / 100, rest))
  }

  /// Returns how many columns of the text a line has room for.
  public func textColumns(in columns: Int) -> Int {
    let right = rightColumns(in: columns)
    return max(0, columns - 3 - (right == 0 ? 0 : right + 2) - dotColumns - Self.width(of: tail))
  }

  /// Draws the line; `▸` shows that it is selected.
  public func draw(isSelected: Bool, on canvas: inout Canvas, in line: Rect, style: WidgetStyle) {
    let (rest, base) = Self.drawSign(isSelected: isSelected, isMarked: isMarked, on: &canvas, in: line, style: style)
    let quiet = isSelected ? base : style.quiet
    if let dot {
      // A reversed dot would be a hole in a block of its color.
      let ground = base.attributes.contains(.reverse) ? style.text : base
      canvas.put("●", in: rest.split(left: 1).left, style: ground.with(foreground: dot))
    }
    let room = rest.inset(left: dotColumns)
    var used = canvas.put(
      text, in: room.split(left: textColumns(in: line.columns)).left, style: base.adding(attributes))
    used += canvas.put(tail, in: room.inset(left: used, right: 1), style: base)
    let end = line.inset(left: line.columns - rightColumns(in: line.columns) - 1, right: 1)
    canvas.put(right, in: end, style: quiet)
    let noteColumns = min(Self.width(of: note), end.column - room.column - used - 4)
    canvas.put(note, at: Point(row: line.row, column: end.column - noteColumns - 2), limit: noteColumns, style: quiet)
  }

  /// Draws the beginning of a line with several columns: the background and the sign.
  /// - Returns: the rest of the line, and the style of its text.
  public static func drawSign(
    isSelected: Bool, isMarked: Bool, on canvas: inout Canvas, in line: Rect, style: WidgetStyle
  ) -> (rest: Rect, style: Style) {
    let base = isSelected ? style.selection : style.text
    canvas.fill(line, style: base)
    let (sign, rest, _) = line.split(left: 2)
    canvas.put(isMarked ? "●" : isSelected ? "▸" : " ", in: sign, style: base)
    return (rest, base)
  }
}

/// Ids that can be marked: a `Set`, or a program's own set for very many.
public protocol MarkSet: Hashable, Sequence, ExpressibleByArrayLiteral
where Element: Hashable, ArrayLiteralElement == Element {
  /// The number of ids.
  var count: Int { get }
  /// Returns true if the id is in the set.
  func contains(_ id: Element) -> Bool
  /// Returns the ids of both sets.
  func union(_ other: Self) -> Self
  /// Returns the ids that the other set does not have.
  func subtracting(_ other: Self) -> Self
  /// Returns the ids that are in only one of both sets.
  func symmetricDifference(_ other: Self) -> Self
}

extension Set: MarkSet {}

/// The marked lines of a list, by their ids, whether or not the list shows them.
public struct Marks<IDs: MarkSet>: Hashable {
  /// The marked ids.
  public private(set) var ids: IDs = [] {
    didSet { if isEmpty { rangeStart = nil } }
  }
  /// The id that was marked last, where the next range begins; nil if there is none.
  public private(set) var rangeStart: IDs.Element?

  /// Creates marks.
  public init(_ ids: IDs = []) { self.ids = ids }

  /// True if nothing is marked.
  public var isEmpty: Bool { ids.count == 0 }

  /// The number of marked ids.
  public var count: Int { ids.count }

  /// Returns true if the id is marked.
  public func contains(_ id: IDs.Element) -> Bool { !isEmpty && ids.contains(id) }

  /// What a command applies to: the marked ids, or the selected one if there are none.
  public func chosen(selected: IDs.Element?) -> IDs { isEmpty ? selected.map { [$0] } ?? [] : ids }

  /// Marks an id, or removes its mark.
  public mutating func toggle(_ id: IDs.Element) {
    ids = ids.symmetricDifference([id])
    rangeStart = contains(id) ? id : nil
  }

  /// Marks these ids; if all of them are marked, removes their marks.
  public mutating func toggleAll(_ all: IDs) {
    ids = all.subtracting(ids).count == 0 ? ids.subtracting(all) : ids.union(all)
  }

  /// Marks those of these ids that are not marked, and removes the marks of the others.
  public mutating func invert(_ all: IDs) { ids = ids.symmetricDifference(all) }

  /// Marks a range that ends with an id, where the next range begins.
  public mutating func mark(_ range: IDs, endingWith id: IDs.Element) {
    ids = ids.union(range)
    rangeStart = id
  }

  /// Removes the marks of these ids.
  public mutating func remove(_ gone: IDs) { if !isEmpty { ids = ids.subtracting(gone) } }

  /// Removes all marks.
  public mutating func clear() { ids = [] }
}

extension Marks: Sendable where IDs: Sendable, IDs.Element: Sendable {}
