/// Editable text of one line, which scrolls if it is wider than the field.
public struct TextField: Hashable, Sendable {
  private var characters: ClusterBuffer
  private var killed = ""
  /// The position of the cursor in clusters, 0…number of clusters.
  public private(set) var cursor: Int

  /// Creates a field with this text and the cursor at its end. Line ends and tabs become spaces.
  public init(_ text: String = "") {
    characters = ClusterBuffer(TypedText.clean(text, lines: false))
    cursor = characters.count
  }

  /// The text. Setting it moves the cursor to the end. Line ends and tabs become spaces.
  public var text: String {
    get { characters.text }
    set {
      characters = ClusterBuffer(TypedText.clean(newValue, lines: false))
      cursor = characters.count
    }
  }

  /// True if there is no text.
  public var isEmpty: Bool { characters.count == 0 }

  /// True if the cursor is after the last character.
  public var isAtEnd: Bool { cursor == characters.count }

  /// Moves the cursor, clamped to the ends.
  public mutating func moveCursor(to index: Int) { cursor = min(max(0, index), characters.count) }

  /// Moves the cursor to the cluster at a column of a field of that width, for a click; past the text, to its end.
  public mutating func moveCursor(toColumn column: Int, columns: Int) {
    var index = firstVisible(in: columns)
    var end = 0
    while index < characters.count {
      end += TextWidth.columns(of: characters[index])
      if end > column { break }
      index += 1
    }
    moveCursor(to: index)
  }

  /// Inserts text at the cursor, as typed or pasted. Line ends and tabs become spaces; other controls are dropped.
  public mutating func insert(_ text: String) {
    cursor = characters.insert(TypedText.clean(text, lines: false), at: cursor)
  }

  /// Edits with a key; returns false if the key is not supported.
  ///
  /// The keys are characters, Left and Right (by words with Ctrl or Alt), Home, End, Backspace, Delete, Ctrl-Delete,
  /// and those of Emacs: ^A, ^E, ^B, ^F, ^D, ^K, ^U, ^W, ^Y, Alt-B, Alt-F, Alt-D and Alt-Backspace.
  public mutating func handle(_ key: Key) -> Bool {
    switch (key.code, key.modifiers) {
    case (.character(let character), []):
      insert(String(character))
      return true
    case (.left, []), (.character("b"), .control): moveCursor(to: cursor - 1)
    case (.right, []), (.character("f"), .control): moveCursor(to: cursor + 1)
    case (.home, []), (.character("a"), .control): cursor = 0
    case (.end, []), (.character("e"), .control): cursor = characters.count
    case (.left, .control), (.left, .alt), (.character("b"), .alt): cursor = characters.wordStart(before: cursor)
    case (.right, .control), (.right, .alt), (.character("f"), .alt): cursor = characters.wordEnd(after: cursor)
    case (.backspace, []), (.backspace, .shift): if cursor > 0 { remove(cursor - 1..<cursor) }
    case (.delete, []), (.character("d"), .control):
      if cursor < characters.count { remove(cursor..<cursor + 1) }
    case (.character("k"), .control): kill(cursor..<characters.count)
    case (.character("u"), .control): kill(0..<cursor)
    case (.character("w"), .control), (.backspace, .alt): kill(characters.wordStart(before: cursor)..<cursor)
    case (.character("d"), .alt), (.delete, .control): kill(cursor..<characters.wordEnd(after: cursor))
    case (.character("y"), .control): insert(killed)
    default: return false
    }
    return true
  }

  /// Draws the part around the cursor on the first line of the rectangle; if focused, sets the canvas's cursor.
  public func draw(on canvas: inout Canvas, in rect: Rect, style: Style, focused: Bool) {
    guard !rect.isEmpty else { return }
    canvas.fill(rect.line(0), style: style)
    var column = 0
    var index = firstVisible(in: rect.columns)
    var cursorColumn = 0
    while true {
      if index == cursor { cursorColumn = column }
      guard index < characters.count else { break }
      let width = TextWidth.columns(of: characters[index])
      if column + width > rect.columns { break }
      if width > 0 {
        canvas.put(
          String(characters[index]), at: Point(row: rect.row, column: rect.column + column),
          limit: rect.columns - column, style: style, truncation: .cut)
      }
      column += width
      index += 1
    }
    if focused {
      canvas.cursor = Point(row: rect.row, column: rect.column + min(cursorColumn, rect.columns - 1))
      canvas.cursorShape = .bar
    }
  }

  // The first cluster to draw: the start of the text while the cursor is in the first three quarters, otherwise the
  // cluster that keeps the cursor there without leaving space on the right. This only walks from the cursor: a text of
  // a million clusters takes no longer than its visible part.
  private func firstVisible(in columns: Int) -> Int {
    // Room for the cluster under the cursor, or for the cursor at the end.
    var after = 0
    var index = cursor
    while index < characters.count, after <= columns {
      after += TextWidth.columns(of: characters[index])
      index += 1
    }
    if index == characters.count { after += 1 }
    let under = cursor < characters.count ? max(1, TextWidth.columns(of: characters[cursor])) : 1
    let before = max(0, min(columns - under, max(columns * 3 / 4, columns - after)))
    var used = 0
    index = cursor
    while index > 0 {
      used += TextWidth.columns(of: characters[index - 1])
      if used > before { break }
      index -= 1
    }
    return index
  }

  private mutating func remove(_ range: Range<Int>) { cursor = characters.remove(range) }

  private mutating func kill(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    killed = characters.text(range)
    remove(range)
  }
}

/// Typed or pasted text without control characters.
enum TypedText {
  /// - Parameter lines: whether line ends of any kind become line feeds and tabs are kept; otherwise all become spaces.
  static func clean(_ text: String, lines: Bool) -> String {
    if isClean(text, lines: lines) { return text }
    var result = ""
    var wasReturn = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A where wasReturn: break
      case 0x0A...0x0D, 0x85, 0x2028, 0x2029: result.unicodeScalars.append(lines ? "\n" : " ")
      case 0x09: result.unicodeScalars.append(lines ? "\t" : " ")
      case 0x00..<0x20, 0x7F..<0xA0: break
      default: result.unicodeScalars.append(scalar)
      }
      wasReturn = scalar.value == 0x0D
    }
    return result
  }

  /// Returns true if no byte of the text can be part of anything to remove or replace, which is fast for megabytes of
  /// text.
  private static func isClean(_ text: String, lines: Bool) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 && $0 != 0xE2 || lines && ($0 == 0x0A || $0 == 0x09) }
    } ?? false
  }
}

/// Text as an array of clusters that always equals the clusters of the string: text typed next to a cluster may join
/// it, and removing text between two clusters may join them.
struct ClusterBuffer: Hashable, Sendable {
  private var characters: [Character]

  init(_ text: String) { characters = Array(text) }

  var count: Int { characters.count }
  var text: String { String(characters) }
  subscript(index: Int) -> Character { characters[index] }
  func text(_ range: Range<Int>) -> String { String(characters[range]) }

  /// Inserts text before that cluster and returns the index after the text.
  mutating func insert(_ text: String, at index: Int) -> Int {
    guard !text.isEmpty else { return index }
    return replace(index..<index, with: text)
  }

  /// Removes clusters and returns the index of the gap.
  mutating func remove(_ range: Range<Int>) -> Int {
    guard !range.isEmpty else { return range.lowerBound }
    return replace(range, with: "")
  }

  /// Returns the start of the word before that index. A word, as in Emacs, consists of letters and digits; a run of
  /// ideographs counts as one.
  func wordStart(before index: Int) -> Int {
    var index = index
    while index > 0, !isWord(characters[index - 1]) { index -= 1 }
    while index > 0, isWord(characters[index - 1]) { index -= 1 }
    return index
  }

  func wordEnd(after index: Int) -> Int {
    var index = index
    while index < count, !isWord(characters[index]) { index += 1 }
    while index < count, isWord(characters[index]) { index += 1 }
    return index
  }

  private func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

  private mutating func replace(_ range: Range<Int>, with text: String) -> Int {
    // Regional indicators, joiners and Indic letters may affect more than their neighbors: next to them, recompute all
    // clusters.
    let right = range.upperBound < count ? characters[range.upperBound] : nil
    let left = range.lowerBound > 0 ? characters[range.lowerBound - 1] : nil
    let affectsDistantClusters = [left, right].contains { $0.map(Self.affectsDistantClusters) ?? false }
    let start = affectsDistantClusters ? 0 : max(0, range.lowerBound - 1)
    let end = affectsDistantClusters ? count : min(count, range.upperBound + 1)
    var before = String(characters[start..<range.lowerBound])
    before += text
    let position = before.unicodeScalars.count
    before += String(characters[range.upperBound..<end])
    let joined = Array(before)
    characters.replaceSubrange(start..<end, with: joined)
    // The cursor goes after the cluster that contains the end of the new text, or of the text before the gap.
    var scalars = 0
    var index = 0
    while index < joined.count, scalars < position {
      scalars += joined[index].unicodeScalars.count
      index += 1
    }
    return start + index
  }

  private static func affectsDistantClusters(_ character: Character) -> Bool {
    guard let last = character.unicodeScalars.last, let first = character.unicodeScalars.first else { return false }
    return (0x1F1E6...0x1F1FF).contains(first.value) || last.value == 0x200D
      || last.value >= 0x900 && last.value < 0xE00
  }
}
