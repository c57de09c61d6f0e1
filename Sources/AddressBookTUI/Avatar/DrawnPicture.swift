import AvatarImage
import TerminalKit

/// An image to put on a canvas: as characters, or as pixels if the terminal supports them.
enum DrawnPicture: Hashable, Sendable {
  case cells(CellPicture)
  case image(TerminalImage)

  var rows: Int {
    switch self {
    case .cells(let cells): cells.rows
    case .image(let image): image.rows
    }
  }

  var columns: Int {
    switch self {
    case .cells(let cells): cells.columns
    case .image(let image): image.columns
    }
  }
}

extension Canvas {
  /// Draws an image's rows, starting with row `first`, at the rectangle's top left corner, clipped to the rectangle.
  mutating func put(_ picture: DrawnPicture, from first: Int = 0, in rect: Rect, style: Style) {
    switch picture {
    case .cells(let cells): put(cells, from: first, in: rect, style: style)
    case .image(let image): put(image, from: first, in: rect, background: style.background)
    }
  }

  /// Copies an image's rows, starting with row `first`, to the rectangle's top left corner, clipped to the rectangle.
  /// The terminal's default colors become those of the style.
  private mutating func put(_ picture: CellPicture, from first: Int = 0, in rect: Rect, style: Style) {
    for row in max(0, first)..<max(0, first, min(picture.rows, first + rect.rows)) {
      for column in 0..<min(picture.columns, rect.columns) {
        let cell = picture[row, column]
        guard !cell.text.isEmpty else { continue }
        put(
          cell.text, at: Point(row: rect.row + row - first, column: rect.column + column),
          limit: min(2, rect.columns - column),
          style: style.with(foreground: Color(cell.foreground), background: Color(cell.background)))
      }
    }
  }
}

extension Color {
  /// Nil for the terminal's default color.
  fileprivate init?(_ color: CellColor) {
    switch color {
    case .standard: return nil
    case .palette(let index): self = .palette(index)
    case .rgb(let red, let green, let blue): self = .rgb(red, green, blue)
    }
  }
}
