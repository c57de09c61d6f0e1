import TerminalKit

/// A key and what it does here, for the bottom line.
struct Hint: Equatable {
  var key: String
  var word: String
}

/// Draws the top and the bottom line that all screens share.
struct Bars {
  let theme: Theme

  /// The title line: what this is at the left, what can be done at the right.
  /// - Parameter isRightNeeded: whether the left side makes room for the right one; else it has precedence.
  func drawTitle(
    _ left: String, detail: String = "", right: String = "", isRightNeeded: Bool = false, on canvas: inout Canvas,
    in line: Rect
  ) {
    canvas.fill(line, style: theme.title)
    let width = TextWidth.columns(of: right)
    let end = isRightNeeded && width > 0 ? max(line.column + 1, line.endColumn - width - 2) : line.endColumn
    var column = line.column + 1
    column += canvas.put(
      left, at: Point(row: line.row, column: column), limit: end - column - 1, style: theme.title)
    if !detail.isEmpty, column + 3 < end {
      column += 3
      column += canvas.put(
        detail, at: Point(row: line.row, column: column), limit: end - column - 1,
        style: theme.title.adding(theme.quiet.attributes))
    }
    if width > 0, isRightNeeded || column + 2 + width < line.endColumn {
      let start = max(line.column + 1, line.endColumn - width - 1)
      canvas.put(
        right, at: Point(row: line.row, column: start), limit: line.endColumn - start,
        style: isRightNeeded ? theme.title : theme.title.adding(theme.quiet.attributes))
    }
  }

  /// The hints that fit, whole ones only, keys in the accent colour.
  func drawHints(_ hints: [Hint], on canvas: inout Canvas, in line: Rect) {
    canvas.fill(line, style: theme.text)
    var column = line.column + 1
    // A command that the configuration file left without a key has nothing to hint at.
    for hint in hints where !hint.key.isEmpty {
      let width = TextWidth.columns(of: hint.key) + 1 + TextWidth.columns(of: hint.word)
      guard column + width < line.endColumn else { break }
      column += canvas.put(
        hint.key, at: Point(row: line.row, column: column), limit: width, style: theme.accent)
      column += 1
      column += canvas.put(hint.word, at: Point(row: line.row, column: column), limit: width, style: theme.quiet)
      column += 2
    }
  }

  /// A message in place of the hints.
  func drawMessage(_ message: String, isError: Bool, on canvas: inout Canvas, in line: Rect) {
    canvas.fill(line, style: theme.text)
    canvas.put(
      (isError ? "✗ " : "") + message, at: Point(row: line.row, column: line.column + 1),
      limit: max(0, line.columns - 2), style: isError ? theme.error : theme.text)
  }
}
