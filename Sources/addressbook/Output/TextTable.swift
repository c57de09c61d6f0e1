import AddressBookTUI

/// Rows in columns aligned by display width, each as wide as its widest cell up to a limit.
struct TextTable {
  private let titles: [String]
  private let limits: [Int]
  private var widths: [Int]
  private var rows = 0

  /// - Parameters:
  ///   - titles: the column titles.
  ///   - limits: maximum widths in terminal columns; a longer cell is truncated with `…`, except in the last column.
  init(titles: [String], limits: [Int]) {
    if StandardOutput.isTerminal { PersonalSettings.applyAmbiguousWidth() }
    self.titles = titles
    self.limits = limits
    widths = titles.map(Self.width)
  }

  /// True if no rows were measured.
  var isEmpty: Bool { rows == 0 }

  /// Makes the columns wide enough for a row.
  mutating func measure(_ cells: [String]) {
    rows += 1
    for (index, cell) in cells.enumerated() where widths[index] < limits[index] {
      widths[index] = max(widths[index], min(limits[index], Self.width(Self.safe(cell))))
    }
  }

  var header: String { joined(titles) }

  /// A row. The last cell is not truncated.
  func line(_ cells: [String]) -> String { joined(cells.map(Self.safe)) }

  private func joined(_ cells: [String]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() where index < cells.count - 1 {
      line += PlainColumns.fitted(cell, to: widths[index]) + "  "
    }
    line += cells.last ?? ""
    while line.last == " " { line.removeLast() }
    return line
  }

  private static func safe(_ text: String) -> String {
    StandardOutput.isTerminal ? PlainColumns.clean(text) : PlainText.cell(text)
  }

  /// The display width of a text in columns.
  static func width(_ text: String) -> Int { PlainColumns.width(of: text) }

  static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - width(text)))
  }
}
