import AvatarImage
import TerminalKit

/// A picture as it is put on a canvas: as characters, or as pixels where the terminal shows them.
enum DrawnPicture: Hashable, Sendable {
  case cells(CellPicture)
  case image(TerminalImage)

  /// Lines that it takes.
  var rows: Int {
    switch self {
    case .cells(let cells): cells.rows
    case .image(let image): image.rows
    }
  }

  /// Columns that it takes.
  var columns: Int {
    switch self {
    case .cells(let cells): cells.columns
    case .image(let image): image.columns
    }
  }
}
