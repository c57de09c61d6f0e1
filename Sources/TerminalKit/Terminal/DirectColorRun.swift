/// The bytes that draw the 24-bit colored cells of a line in their exact colors (ISO 8613-6, as in xterm).
enum DirectColorRun {
  /// Cursor movements, colors and text of those cells; empty if the line has none. Attributes are left on.
  static func bytes(of cells: ArraySlice<Cell>, row: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var style: Style?
    var expected = -1
    for (column, cell) in cells.enumerated() where cell.width > 0 {
      guard isDirect(cell.style.foreground) || isDirect(cell.style.background) else { continue }
      if column != expected { bytes += Array("\u{1B}[\(row + 1);\(column + 1)H".utf8) }
      if cell.style != style {
        bytes += Array(sgr(cell.style).utf8)
        style = cell.style
      }
      bytes += Array(cell.text.utf8)
      expected = column + cell.width
    }
    return bytes
  }

  private static func isDirect(_ color: Color) -> Bool {
    if case .rgb = color { return true }
    return false
  }

  private static func sgr(_ style: Style) -> String {
    var codes = ["0"]
    if style.attributes.contains(.bold) { codes.append("1") }
    if style.attributes.contains(.dim) { codes.append("2") }
    if style.attributes.contains(.italic) { codes.append("3") }
    if style.attributes.contains(.underline) { codes.append("4") }
    if style.attributes.contains(.reverse) { codes.append("7") }
    codes += color(style.foreground, base: 38) + color(style.background, base: 48)
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }

  private static func color(_ color: Color, base: Int) -> [String] {
    switch color {
    case .standard: []
    case .palette(let index): ["\(base)", "5", "\(index)"]
    case .rgb(let red, let green, let blue): ["\(base)", "2", "\(red)", "\(green)", "\(blue)"]
    }
  }
}
