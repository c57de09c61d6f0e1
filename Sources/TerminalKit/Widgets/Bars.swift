/// A key and its meaning, for the bottom line.
public struct Hint: Hashable, Sendable {
  /// The key for display; a hint without one is left out.
  public var key: String
  /// Its meaning, in one word.
  public var word: String

  /// A hint.
  public init(key: String, word: String) {
    self.key = key
    self.word = word
  }
}

/// Draws the title and bottom lines that the screens of a program share.
public struct Bars {
  private let style: WidgetStyle

  /// Bars in this style.
  public init(style: WidgetStyle) { self.style = style }

  /// Draws the title line: the title on the left, the possible actions on the right.
  /// - Parameters:
  ///   - left: the title.
  ///   - detail: text after the title, in a quieter style.
  ///   - right: text on the right, left out if there is no room, unless it is required.
  ///   - isRightNeeded: whether the left side makes room for the right one; otherwise the left side takes precedence.
  ///   - canvas: the canvas to draw on.
  ///   - line: the rectangle of the line.
  public func drawTitle(
    _ left: String, detail: String = "", dot: Color? = nil, right: String = "", isRightNeeded: Bool = false,
    on canvas: inout Canvas,
    in line: Rect
  ) {
    canvas.fill(line, style: style.title)
    let width = TextWidth.columns(of: right)
    let end = isRightNeeded && width > 0 ? max(line.column + 1, line.endColumn - width - 2) : line.endColumn
    var column = line.column + 1
    column += canvas.put(
      left, at: Point(row: line.row, column: column), limit: end - column - 1, style: style.title)
    if !detail.isEmpty, column + 3 < end {
      column += 3
      if let dot {
        column += canvas.put(
          "● ", at: Point(row: line.row, column: column), limit: 2, style: style.title.with(foreground: dot))
      }
      column += canvas.put(
        detail, at: Point(row: line.row, column: column), limit: end - column - 1,
        style: style.title.adding(style.quiet.attributes))
    }
    if width > 0, isRightNeeded || column + 2 + width < line.endColumn {
      let start = max(line.column + 1, line.endColumn - width - 1)
      canvas.put(
        right, at: Point(row: line.row, column: start), limit: line.endColumn - start,
        style: isRightNeeded ? style.title : style.title.adding(style.quiet.attributes))
    }
  }

  /// Draws the hints that fit completely, with keys in the accent color.
  public func drawHints(_ hints: [Hint], on canvas: inout Canvas, in line: Rect) {
    canvas.fill(line, style: style.text)
    for (index, columns) in Self.columns(of: hints, in: line) {
      let hint = hints[index]
      let start = Point(row: line.row, column: columns.lowerBound)
      let used = canvas.put(hint.key, at: start, limit: columns.count, style: style.accent)
      canvas.put(
        hint.word, at: Point(row: line.row, column: start.column + used + 1), limit: columns.count - used - 1,
        style: style.quiet)
    }
  }

  /// The index of the hint that is drawn at a cell, for a click; nil for none.
  public static func hint(at position: Point, of hints: [Hint], in line: Rect) -> Int? {
    guard line.contains(position) else { return nil }
    return columns(of: hints, in: line).first { $0.columns.contains(position.column) }?.index
  }

  /// Where the hints are that fit.
  private static func columns(of hints: [Hint], in line: Rect) -> [(index: Int, columns: Range<Int>)] {
    var places: [(index: Int, columns: Range<Int>)] = []
    var column = line.column + 1
    // There is nothing to show for a command without a key in the user's configuration.
    for (index, hint) in hints.enumerated() where !hint.key.isEmpty {
      let end = column + TextWidth.columns(of: hint.key) + 1 + TextWidth.columns(of: hint.word)
      guard end < line.endColumn else { break }
      places.append((index, column..<end))
      column = end + 2
    }
    return places
  }

  /// Draws a message instead of the hints.
  public func drawMessage(_ message: String, isError: Bool, on canvas: inout Canvas, in line: Rect) {
    canvas.fill(line, style: style.text)
    canvas.put(
      (isError ? "✗ " : "") + message, at: Point(row: line.row, column: line.column + 1),
      limit: max(0, line.columns - 2), style: isError ? style.error : style.text)
  }
}
