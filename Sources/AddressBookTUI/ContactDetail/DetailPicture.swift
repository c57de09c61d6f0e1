import TerminalKit

/// The size of the photo in the detail pane, and whether the name is next to it or below it.
struct DetailPicture: Equatable {
  let rows: Int
  let columns: Int
  /// True if the name is to the right of the photo.
  let isBeside: Bool

  /// Columns between the photo and the name.
  static let gap = 3
  /// The minimum width of the name next to the photo.
  private static let nameColumns = 24

  /// Chooses the size for a pane; nil if the photo would leave too few rows for the values, or if the pane is narrower
  /// than the photo.
  init?(pane: Size) {
    switch pane.rows {
    case 30...: rows = 8
    case 20...: rows = 6
    case 14...: rows = 4
    default: return nil
    }
    // A cell is about twice as tall as it is wide.
    columns = 2 * rows
    guard pane.columns >= columns else { return nil }
    isBeside = pane.columns >= columns + Self.gap + Self.nameColumns
  }
}
