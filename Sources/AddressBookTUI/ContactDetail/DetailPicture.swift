import TerminalKit

/// How large the picture of the detail pane is, and whether the name stands beside or below it.
struct DetailPicture: Equatable {
  let rows: Int
  let columns: Int
  /// True when the name stands to the right of it.
  let isBeside: Bool

  /// Columns between the picture and the name.
  static let gap = 3
  /// The least that the name needs beside the picture.
  private static let nameColumns = 24

  /// What fits a pane; nil when it is so low that the picture would push the values out.
  init?(pane: Size) {
    switch pane.rows {
    case 30...: rows = 8
    case 20...: rows = 6
    case 14...: rows = 4
    default: return nil
    }
    // A cell is about twice as high as wide.
    columns = 2 * rows
    guard pane.columns >= columns else { return nil }
    isBeside = pane.columns >= columns + Self.gap + Self.nameColumns
  }
}
