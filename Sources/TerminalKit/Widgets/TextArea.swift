/// Editable text of several lines, wrapped to its width. Typing takes the same time in a long text as in a short one.
public struct TextArea: Hashable, Sendable {
  private typealias Position = TextChunks.Position

  private var content: TextChunks
  private var killed = ""
  // The column that Up and Down return to after shorter lines.
  private var goalColumn: Int?
  private var position: TextChunks.Position
  /// The width for wrapping, used by Up, Down, Home and End: set it during layout.
  public var columns: Int = 80

  /// Creates an area with this text and the cursor at its end.
  public init(_ text: String = "") {
    content = TextChunks(TypedText.clean(text, lines: true))
    position = content.end
  }

  /// The text, with newlines. Setting it moves the cursor to the end.
  public var text: String {
    get { content.text }
    set {
      content = TextChunks(TypedText.clean(newValue, lines: true))
      position = content.end
      goalColumn = nil
    }
  }

  /// True if there is no text.
  public var isEmpty: Bool { content.isEmpty }

  /// The position of the cursor in clusters, 0…number of clusters; a newline is one. Takes time in proportion to the
  /// text before it.
  public var cursor: Int { content.index(of: position) }

  /// Returns the number of lines when wrapped to that width, at least 1. Counting stops at a limit.
  public func lineCount(columns: Int, atMost limit: Int) -> Int {
    var count = 0
    for chunk in content.chunks.indices where count < limit { count += lines(of: chunk, columns).count }
    return min(count, limit)
  }

  /// Inserts text at the cursor, as typed or pasted. Line ends of all kinds become newlines; other controls except tabs
  /// are dropped.
  public mutating func insert(_ text: String) {
    let text = TypedText.clean(text, lines: true)
    if !text.isEmpty { position = content.replace(position..<position, with: text) }
    goalColumn = nil
  }

  /// Edits with a key; returns false if the key is not supported. In addition to the keys of ``TextField``: Enter, Up,
  /// Down, ^P, ^N, and Ctrl-Home and Ctrl-End for the whole text. Up in the first line and Down in the last return
  /// false: a form can use them to move to another field.
  public mutating func handle(_ key: Key) -> Bool {
    let goal = goalColumn
    goalColumn = nil
    switch (key.code, key.modifiers) {
    case (.character(let character), []): insert(String(character))
    case (.enter, []): insert("\n")
    case (.up, []), (.character("p"), .control): return moveLine(by: -1, goal: goal)
    case (.down, []), (.character("n"), .control): return moveLine(by: 1, goal: goal)
    case (.left, []), (.character("b"), .control): position = content.position(before: position) ?? position
    case (.right, []), (.character("f"), .control): position = content.position(after: position) ?? position
    case (.home, []), (.character("a"), .control): position = start(of: currentLine)
    case (.end, []), (.character("e"), .control): position = end(of: currentLine)
    case (.home, .control): position = TextChunks.start
    case (.end, .control): position = content.end
    case (.left, .control), (.left, .alt), (.character("b"), .alt): position = wordStart
    case (.right, .control), (.right, .alt), (.character("f"), .alt): position = wordEnd
    case (.backspace, []), (.backspace, .shift):
      if let before = content.position(before: position) { remove(before..<position) }
    case (.delete, []), (.character("d"), .control):
      if let after = content.position(after: position) { remove(position..<after) }
    case (.character("k"), .control):
      // At the end of a paragraph, its newline is deleted.
      let end = paragraphEnd
      kill(position..<(end == position ? content.position(after: end) ?? end : end))
    case (.character("u"), .control): kill(paragraphStart..<position)
    case (.character("w"), .control), (.backspace, .alt): kill(wordStart..<position)
    case (.character("d"), .alt), (.delete, .control): kill(position..<wordEnd)
    case (.character("y"), .control): insert(killed)
    default: return false
    }
    return true
  }

  /// Moves the cursor, clamped to the ends.
  public mutating func moveCursor(to index: Int) {
    position = content.position(at: index)
    goalColumn = nil
  }

  /// Moves the cursor to the cluster at a cell of an area of that size, for a click; past a line, to its end.
  public mutating func moveCursor(toRow row: Int, column: Int, in size: Size) {
    let (lines, cursorLine) = linesAroundCursor(size.columns, count: size.rows)
    let top = Self.firstVisibleLine(of: lines.count, cursorLine: cursorLine, rows: size.rows)
    position = position(inLine: lines[min(max(0, top + row), lines.count - 1)], column: column)
    goalColumn = nil
  }

  /// Draws the lines around the cursor, with a scroll bar in the last column if there are more; if focused, sets the
  /// canvas's cursor.
  public func draw(on canvas: inout Canvas, in rect: Rect, style: Style, focused: Bool) {
    guard !rect.isEmpty else { return }
    canvas.fill(rect, style: style)
    let (lines, cursorLine) = linesAroundCursor(rect.columns, count: rect.rows)
    let top = Self.firstVisibleLine(of: lines.count, cursorLine: cursorLine, rows: rect.rows)
    for row in 0..<min(rect.rows, lines.count - top) {
      var column = 0
      for character in lines[top + row].characters {
        let width = TextWidth.columns(of: character)
        guard width > 0 else { continue }
        if column + width > rect.columns { break }
        let point = Point(row: rect.row + row, column: rect.column + column)
        canvas.put(String(character), at: point, limit: rect.columns - column, style: style, truncation: .cut)
        column += width
      }
    }
    // The lines are those around the cursor, so in a long text the bar only shows whether there are more above or
    // below.
    ScrollBar.draw(
      on: &canvas, in: rect.inset(left: rect.columns - 1), first: top, visible: rect.rows, total: lines.count,
      track: style, thumb: style)
    if focused {
      let column = lines[cursorLine].width(upTo: position.offset)
      canvas.cursor = Point(
        row: rect.row + cursorLine - top, column: rect.column + min(column, rect.columns - 1))
      canvas.cursorShape = .bar
    }
  }

  private static func firstVisibleLine(of count: Int, cursorLine: Int, rows: Int) -> Int {
    max(0, min(cursorLine - rows * 3 / 4, count - rows))
  }

  // MARK: Lines

  /// A wrapped line: clusters of one chunk.
  private struct Line {
    var chunk: Int
    /// Its indices are offsets in the chunk.
    var characters: ArraySlice<Character>

    func width(upTo offset: Int) -> Int {
      characters.prefix(upTo: min(max(characters.startIndex, offset), characters.endIndex)).reduce(0) {
        $0 + TextWidth.columns(of: $1)
      }
    }
  }

  private func lines(of chunk: Int, _ columns: Int) -> [Line] {
    let characters = content.characters(of: chunk)
    // Leave one column for the cursor after the last cluster of a line.
    var ranges = TextWidth.lineRanges(of: characters, columns: max(1, columns - 1))
    // The text after a chunk's final newline is in the next chunk.
    if chunk < content.chunks.count - 1, ranges.count > 1, ranges.last?.isEmpty == true { ranges.removeLast() }
    return ranges.map { Line(chunk: chunk, characters: characters[$0]) }
  }

  /// Returns at least that many lines before and after the cursor's line, if they exist, and the index of the cursor's
  /// line.
  private func linesAroundCursor(_ columns: Int, count: Int) -> (lines: [Line], cursorLine: Int) {
    var lines = lines(of: position.chunk, columns)
    var current = Self.line(of: position.offset, in: lines)
    var first = position.chunk
    while first > 0, current < count {
      first -= 1
      let before = self.lines(of: first, columns)
      lines.insert(contentsOf: before, at: 0)
      current += before.count
    }
    var last = position.chunk
    while last < content.chunks.count - 1, lines.count - current <= count {
      last += 1
      lines += self.lines(of: last, columns)
    }
    return (lines, current)
  }

  // A cursor between two parts of a wrapped line is at the start of the second.
  private static func line(of offset: Int, in lines: [Line]) -> Int {
    var low = 0
    var high = lines.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if lines[middle].characters.startIndex <= offset { low = middle } else { high = middle - 1 }
    }
    return low
  }

  private var currentLine: Line {
    let lines = lines(of: position.chunk, columns)
    return lines[Self.line(of: position.offset, in: lines)]
  }

  private func start(of line: Line) -> TextChunks.Position {
    Position(chunk: line.chunk, offset: line.characters.startIndex)
  }

  // The last position of the line: before the newline, or before the last cluster if the paragraph continues.
  private func end(of line: Line) -> TextChunks.Position {
    let end = Position(chunk: line.chunk, offset: line.characters.endIndex)
    let next = content.character(at: content.canonical(end))
    guard let next, next != "\n" || content.canonical(end).chunk != line.chunk else { return end }
    return max(start(of: line), Position(chunk: end.chunk, offset: end.offset - 1))
  }

  private var paragraphStart: TextChunks.Position {
    var characters = content.characters(of: position.chunk)[..<position.offset]
    var chunk = position.chunk
    while true {
      if let newline = characters.lastIndex(of: "\n") {
        return content.canonical(Position(chunk: chunk, offset: newline + 1))
      }
      guard chunk > 0 else { return TextChunks.start }
      chunk -= 1
      characters = content.characters(of: chunk)[...]
    }
  }

  private var paragraphEnd: TextChunks.Position {
    var characters = content.characters(of: position.chunk)[position.offset...]
    for chunk in position.chunk..<content.chunks.count {
      if chunk > position.chunk { characters = content.characters(of: chunk)[...] }
      if let newline = characters.firstIndex(of: "\n") { return Position(chunk: chunk, offset: newline) }
    }
    return content.end
  }

  private mutating func moveLine(by step: Int, goal: Int?) -> Bool {
    let (lines, current) = linesAroundCursor(columns, count: 1)
    guard lines.indices.contains(current + step) else { return false }
    let column = goal ?? lines[current].width(upTo: position.offset)
    position = position(inLine: lines[current + step], column: column)
    goalColumn = column
    return true
  }

  /// Returns the position in a line at a column; past the line, its end.
  private func position(inLine line: Line, column: Int) -> TextChunks.Position {
    var offset = line.characters.startIndex
    var end = 0
    for character in line.characters {
      end += TextWidth.columns(of: character)
      if end > column { break }
      offset += 1
    }
    return content.canonical(min(Position(chunk: line.chunk, offset: offset), self.end(of: line)))
  }

  // MARK: Words

  // A word, as in Emacs, consists of letters and digits; a run of ideographs counts as one.
  private var wordStart: TextChunks.Position {
    var isInWord = false
    for chunk in stride(from: position.chunk, through: 0, by: -1) {
      var characters = content.characters(of: chunk)[...]
      if chunk == position.chunk { characters = characters[..<position.offset] }
      while let character = characters.last {
        let isWord = Self.isWord(character)
        if isInWord, !isWord { return content.canonical(Position(chunk: chunk, offset: characters.endIndex)) }
        isInWord = isWord
        characters.removeLast()
      }
    }
    return TextChunks.start
  }

  private var wordEnd: TextChunks.Position {
    var isInWord = false
    for chunk in position.chunk..<content.chunks.count {
      let characters = content.characters(of: chunk)
      for offset in (chunk == position.chunk ? position.offset : 0)..<characters.count {
        let isWord = Self.isWord(characters[offset])
        if isInWord, !isWord { return Position(chunk: chunk, offset: offset) }
        isInWord = isWord
      }
    }
    return content.end
  }

  private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

  private mutating func remove(_ range: Range<TextChunks.Position>) {
    if !range.isEmpty { position = content.replace(range, with: "") }
  }

  private mutating func kill(_ range: Range<TextChunks.Position>) {
    guard !range.isEmpty else { return }
    killed = content.text(range)
    remove(range)
  }
}
