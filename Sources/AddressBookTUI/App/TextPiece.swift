import TerminalKit

/// Text at a column of a line, laid out before it is drawn.
struct TextPiece: Equatable {
  let column: Int
  /// The width; longer text ends in an ellipsis.
  let columns: Int
  let text: String
  let style: Style

  /// The lines of a value, wrapped to that many columns: at least one and at most `limit`. An ellipsis marks omitted
  /// text.
  static func wrapped(_ lines: [String], columns: Int, limit: Int) -> [String] {
    var result: [String] = []
    for line in lines where result.count <= limit {
      result += TextWidth.wrap(DisplayText.clean(line), columns: max(1, columns))
    }
    guard result.count > limit, limit > 0 else { return result.isEmpty ? [""] : result }
    return result.prefix(limit - 1) + [result[limit - 1] + "…"]
  }
}

extension Canvas {
  /// Draws the pieces of a line.
  mutating func put(_ pieces: [TextPiece], row: Int) {
    for piece in pieces {
      put(piece.text, at: Point(row: row, column: piece.column), limit: piece.columns, style: piece.style)
    }
  }
}
