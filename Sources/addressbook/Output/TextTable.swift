import AddressBookTUI

/// Rows in columns aligned by display width, each as wide as its widest cell up to a limit. On a terminal they fit its
/// width: longer cells are truncated with `…`. In a file or a pipe all cells are whole.
struct TextTable {
  private let titles: [String]
  private let limits: [Int]
  private let keepsLast: Bool
  private var widths: [Int]
  private var rows = 0
  private let columns = StandardOutput.isTerminal ? StandardOutput.terminalColumns : nil

  /// - Parameters:
  ///   - titles: the column titles.
  ///   - limits: maximum widths in terminal columns; the last column may be wider if there is room.
  ///   - keepsLast: whether the last column is whole on a terminal too, because its cells are copied, such as paths.
  init(titles: [String], limits: [Int], keepsLast: Bool = false) {
    if StandardOutput.isTerminal { PersonalSettings.applyAmbiguousWidth() }
    self.titles = titles
    self.limits = limits.dropLast() + [Int.max]
    self.keepsLast = keepsLast
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

  /// A row.
  func line(_ cells: [String]) -> String { joined(cells.map(Self.safe)) }

  private func joined(_ cells: [String]) -> String {
    let fitting = columns.map { PlainColumns.narrowed(widths, to: $0) }
    var line = ""
    for (index, cell) in cells.enumerated() {
      let isLast = index == cells.count - 1
      if let fitting, !(isLast && keepsLast) {
        line += PlainColumns.fitted(cell, to: fitting[index])
      } else {
        line += Self.padded(cell, to: isLast ? 0 : widths[index])
      }
      if !isLast { line += "  " }
    }
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
