/// Tab-separated text: one line a row, no tab or line end inside a cell.
enum TabSeparated {
  /// A row of cells made safe.
  static func row(_ cells: [String]) -> String {
    cells.map(PlainText.cell).joined(separator: "\t")
  }
}
