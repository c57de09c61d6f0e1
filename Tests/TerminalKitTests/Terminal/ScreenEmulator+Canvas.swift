import ReferenceTerminals

@testable import TerminalKit

extension ScreenEmulator {
  /// Returns the cells that do not look as they were drawn, on a terminal of 256 colors.
  func wrongLooks(_ canvas: Canvas) -> [String] {
    func color(_ color: Color, own: CellStyle.Color) -> CellStyle.Color {
      let number = Int(ColorReduction.number(color, colors: 256))
      return number < 0 ? own : .palette(number)
    }
    var wrong: [String] = []
    for row in 0..<canvas.size.rows {
      for column in 0..<canvas.size.columns {
        let style = canvas[row, column].style
        let wanted = CellStyle(
          foreground: color(style.foreground, own: .ownForeground),
          background: color(style.background, own: .ownBackground), attributes: style.attributes,
          isBlank: rows[row][column] == " ")
        let found = self.style(row, column)
        if found != wanted { wrong.append("\(row):\(column) is \(found) instead of \(wanted)") }
      }
    }
    return wrong
  }
}
