/// Several lines of text that a person edits, wrapped to the width of their place.
public struct TextArea: Hashable, Sendable {
  private var characters: ClusterBuffer
  private var killed = ""
  // The column that Up and Down keep to over shorter lines.
  private var goalColumn: Int?
  /// The position of the cursor in clusters, 0…number of clusters; a newline is one.
  public private(set) var cursor: Int
  /// The width in which the text is wrapped, for Up, Down, Home and End: set it where the area is laid out.
  public var columns: Int = 80

  /// An area with this text and the cursor at its end.
  public init(_ text: String = "") {
    characters = ClusterBuffer(TypedText.clean(text, lines: true))
    cursor = characters.count
  }

  /// The text, with newlines. Setting it puts the cursor at the end.
  public var text: String {
    get { characters.text }
    set {
      characters = ClusterBuffer(TypedText.clean(newValue, lines: true))
      cursor = characters.count
      goalColumn = nil
    }
  }

  /// True when there is no text.
  public var isEmpty: Bool { characters.count == 0 }

  /// Number of lines when wrapped to that width, at least 1.
  public func lineCount(columns: Int) -> Int { lines(columns).count }

  /// Inserts text at the cursor, as by typing or pasting. Line ends of all kinds become newlines, other controls but tabs
  /// are dropped.
  public mutating func insert(_ text: String) {
    cursor = characters.insert(TypedText.clean(text, lines: true), at: cursor)
    goalColumn = nil
  }

  /// Edits by a key; false when the key means nothing to an area. Besides the keys of ``TextField``: Enter, Up, Down, ^P,
  /// ^N, and Ctrl-Home and Ctrl-End for the whole text. Up in the first line and Down in the last are not consumed, so that a
  /// form can go on to the next field.
  public mutating func handle(_ key: Key) -> Bool {
    let goal = goalColumn
    goalColumn = nil
    switch (key.code, key.modifiers) {
    case (.character(let character), []): insert(String(character))
    case (.enter, []): insert("\n")
    case (.up, []), (.character("p"), .control): return moveLine(by: -1, goal: goal)
    case (.down, []), (.character("n"), .control): return moveLine(by: 1, goal: goal)
    case (.left, []), (.character("b"), .control): moveCursor(to: cursor - 1)
    case (.right, []), (.character("f"), .control): moveCursor(to: cursor + 1)
    case (.home, []), (.character("a"), .control): cursor = currentLine.lowerBound
    case (.end, []), (.character("e"), .control): cursor = lineEnd(of: currentLine)
    case (.home, .control): cursor = 0
    case (.end, .control): cursor = characters.count
    case (.left, .control), (.left, .alt), (.character("b"), .alt): cursor = characters.wordStart(before: cursor)
    case (.right, .control), (.right, .alt), (.character("f"), .alt): cursor = characters.wordEnd(after: cursor)
    case (.backspace, []), (.backspace, .shift): if cursor > 0 { remove(cursor - 1..<cursor) }
    case (.delete, []), (.character("d"), .control):
      if cursor < characters.count { remove(cursor..<cursor + 1) }
    case (.character("k"), .control):
      // At the end of a line the newline goes.
      let end = paragraphEnd
      kill(cursor..<(end == cursor ? min(end + 1, characters.count) : end))
    case (.character("u"), .control): kill(paragraphStart..<cursor)
    case (.character("w"), .control), (.backspace, .alt): kill(characters.wordStart(before: cursor)..<cursor)
    case (.character("d"), .alt), (.delete, .control): kill(cursor..<characters.wordEnd(after: cursor))
    case (.character("y"), .control): insert(killed)
    default: return false
    }
    return true
  }

  /// Moves the cursor, at most to the ends.
  public mutating func moveCursor(to index: Int) {
    cursor = min(max(0, index), characters.count)
    goalColumn = nil
  }

  /// Moves the cursor to the cluster drawn at a cell of an area of that size, as a click does; past a line, to its end.
  public mutating func moveCursor(toRow row: Int, column: Int, in size: Size) {
    let lines = lines(size.columns)
    let line = lines[min(max(0, firstVisibleLine(of: lines, rows: size.rows) + row), lines.count - 1)]
    var index = line.lowerBound
    var end = 0
    while index < line.upperBound {
      end += TextWidth.columns(of: characters[index])
      if end > column { break }
      index += 1
    }
    moveCursor(to: min(index, lineEnd(of: line)))
  }

  /// Draws the lines around the cursor; focused, the canvas's cursor is set.
  public func draw(on canvas: inout Canvas, in rect: Rect, style: Style, focused: Bool) {
    guard !rect.isEmpty else { return }
    canvas.fill(rect, style: style)
    let lines = lines(rect.columns)
    let cursorLine = Self.line(of: cursor, in: lines)
    let top = firstVisibleLine(of: lines, rows: rect.rows)
    for row in 0..<min(rect.rows, lines.count - top) {
      var column = 0
      for index in lines[top + row] {
        let width = TextWidth.columns(of: characters[index])
        guard width > 0 else { continue }
        if column + width > rect.columns { break }
        let place = Point(row: rect.row + row, column: rect.column + column)
        canvas.put(
          String(characters[index]), at: place, limit: rect.columns - column, style: style, truncation: .cut)
        column += width
      }
    }
    if focused {
      let column = width(of: lines[cursorLine].lowerBound..<cursor)
      canvas.cursor = Point(
        row: rect.row + cursorLine - top, column: rect.column + min(column, rect.columns - 1))
    }
  }

  private func firstVisibleLine(of lines: [Range<Int>], rows: Int) -> Int {
    max(0, min(Self.line(of: cursor, in: lines) - rows * 3 / 4, lines.count - rows))
  }

  // MARK: Lines

  private func lines(_ columns: Int) -> [Range<Int>] {
    // One column is left for the cursor after the last cluster of a line.
    TextWidth.lineRanges(of: characters.all, columns: max(1, columns - 1))
  }

  // A cursor between two parts of a wrapped line stands at the start of the second.
  private static func line(of cursor: Int, in lines: [Range<Int>]) -> Int {
    var low = 0
    var high = lines.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if lines[middle].lowerBound <= cursor { low = middle } else { high = middle - 1 }
    }
    return low
  }

  private var currentLine: Range<Int> {
    let lines = lines(columns)
    return lines[Self.line(of: cursor, in: lines)]
  }

  // The last place of the line: before the newline, or before the last cluster when the line goes on.
  private func lineEnd(of line: Range<Int>) -> Int {
    let goesOn = line.upperBound < characters.count && characters[line.upperBound] != "\n"
    return goesOn ? max(line.lowerBound, line.upperBound - 1) : line.upperBound
  }

  private var paragraphStart: Int {
    var index = cursor
    while index > 0, characters[index - 1] != "\n" { index -= 1 }
    return index
  }

  private var paragraphEnd: Int {
    var index = cursor
    while index < characters.count, characters[index] != "\n" { index += 1 }
    return index
  }

  private mutating func moveLine(by step: Int, goal: Int?) -> Bool {
    let lines = lines(columns)
    let current = Self.line(of: cursor, in: lines)
    guard lines.indices.contains(current + step) else { return false }
    let wanted = goal ?? width(of: lines[current].lowerBound..<cursor)
    let target = lines[current + step]
    var index = target.lowerBound
    var column = 0
    while index < target.upperBound {
      let width = TextWidth.columns(of: characters[index])
      if column + width > wanted { break }
      column += width
      index += 1
    }
    cursor = min(index, lineEnd(of: target))
    goalColumn = wanted
    return true
  }

  private func width(of range: Range<Int>) -> Int {
    range.reduce(0) { $0 + TextWidth.columns(of: characters[$1]) }
  }

  private mutating func remove(_ range: Range<Int>) { cursor = characters.remove(range) }

  private mutating func kill(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    killed = characters.text(range)
    remove(range)
  }
}
