/// A key and what it does here, for the bottom line.
public struct Hint: Hashable, Sendable {
  /// How the key is shown; a hint without one is left out.
  public var key: String
  /// What it does, in a word.
  public var word: String

  /// A hint.
  public init(key: String, word: String) {
    self.key = key
    self.word = word
  }
}

/// Draws the title line and the bottom line that the screens of a program share.
public struct Bars {
  private let style: WidgetStyle

  /// Bars that look so.
  public init(style: WidgetStyle) { self.style = style }

  /// The title line: what this is at the left, what can be done at the right.
  /// - Parameters:
  ///   - left: the title.
  ///   - detail: what follows it in a quieter style.
  ///   - right: left out where there is no room, unless it is needed.
  ///   - isRightNeeded: whether the left side makes room for the right one; else it has precedence.
  ///   - canvas: what is drawn on.
  ///   - line: the rectangle of the line.
  public func drawTitle(
    _ left: String, detail: String = "", right: String = "", isRightNeeded: Bool = false, on canvas: inout Canvas,
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

  /// The hints that fit, whole ones only, keys in the accent color.
  public func drawHints(_ hints: [Hint], on canvas: inout Canvas, in line: Rect) {
    canvas.fill(line, style: style.text)
    var column = line.column + 1
    // A command that a person's configuration left without a key has nothing to hint at.
    for hint in hints where !hint.key.isEmpty {
      let width = TextWidth.columns(of: hint.key) + 1 + TextWidth.columns(of: hint.word)
      guard column + width < line.endColumn else { break }
      column += canvas.put(
        hint.key, at: Point(row: line.row, column: column), limit: width, style: style.accent)
      column += 1
      column += canvas.put(hint.word, at: Point(row: line.row, column: column), limit: width, style: style.quiet)
      column += 2
    }
  }

  /// A message in place of the hints.
  public func drawMessage(_ message: String, isError: Bool, on canvas: inout Canvas, in line: Rect) {
    canvas.fill(line, style: style.text)
    canvas.put(
      (isError ? "✗ " : "") + message, at: Point(row: line.row, column: line.column + 1),
      limit: max(0, line.columns - 2), style: isError ? style.error : style.text)
  }
}
