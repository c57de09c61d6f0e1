/// A part of a line that is laid out before it is drawn: text at a column, in a style.
///
/// A line is an array of pieces. A screen whose lines have several columns or styles lays out its lines once for the
/// size of its window, and draws the visible ones with ``Canvas/put(_:row:)``.
public struct TextPiece: Hashable, Sendable {
  /// The column of the canvas at which the text begins, from 0.
  public var column: Int
  /// The maximum number of columns; longer text ends in an ellipsis.
  public var columns: Int
  /// The text, sanitized with ``DisplayText/clean(_:)`` when it is drawn.
  public var text: String
  /// The style of the text.
  public var style: Style

  /// Creates a piece of a line.
  public init(column: Int, columns: Int, text: String, style: Style) {
    self.column = column
    self.columns = columns
    self.text = text
    self.style = style
  }
}

extension Canvas {
  /// Draws the pieces of a line; where they overlap, the later one is seen.
  public mutating func put(_ pieces: [TextPiece], row: Int) {
    for piece in pieces {
      put(piece.text, at: Point(row: row, column: piece.column), limit: piece.columns, style: piece.style)
    }
  }
}
