/// The bytes that rewrite cells with what ncurses does not support: exact 24-bit colors (ISO 8613-6, as in xterm) and
/// links (OSC 8).
struct OverlayRun {
  /// True if the terminal has 24-bit colors but its description does not.
  let hasDirectColors: Bool
  /// True if the terminal supports links.
  let hasLinks: Bool
  /// The number of colors in the terminal's description; 0 for none.
  let colors: Int
  /// True if the terminal's background is light, false if it is dark, nil if it is not known.
  var hasLightBackground: Bool?

  /// The first code points of cells that may differ from what ncurses believes, by column. It does not rewrite the cell
  /// of a link if its text stays the same; if the text changes, it rewrites the cell without a link.
  typealias StaleCells = [Int: Set<UInt32>]

  /// Returns the cursor movements, styles and text of the cells of a line that must be rewritten; empty if none must.
  /// Attributes stay on at the end, links do not.
  /// - Parameter stale: cells that may still be links in the terminal, or have lost their style; they are rewritten too.
  func bytes(of line: ArraySlice<Cell>, row: Int, stale: StaleCells = [:]) -> [UInt8] {
    var bytes: [UInt8] = []
    var style: Style?
    var link: UInt16 = 0
    var expected = -1
    for (column, cell) in line.enumerated() where cell.width > 0 {
      let number = hasLinks ? cell.linkNumber : 0
      let isStale = stale[column]?.contains(NcursesScreen.sentBase(of: cell)) ?? false
      guard number > 0 || isStale || hasDirectColors && Self.isDirect(cell.style) else { continue }
      if column != expected { bytes += Array("\u{1B}[\(row + 1);\(column + 1)H".utf8) }
      if cell.style != style {
        bytes += Array(sgr(cell.style).utf8)
        style = cell.style
      }
      if number != link {
        bytes += Self.bytes(of: cell.link)
        link = number
      }
      bytes += Array(NcursesScreen.sentText(of: cell).utf8)
      expected = column + cell.width
    }
    return link == 0 ? bytes : bytes + Self.noLink
  }

  /// The sequence that ends a link.
  static let noLink = Array("\u{1B}]8;;\u{1B}\\".utf8)

  // The `id` makes cells one link for the terminal, even if they are apart or were written at different times.
  private static func bytes(of link: TerminalLink?) -> [UInt8] {
    link.map { Array("\u{1B}]8;id=\($0.number);\($0.address)\u{1B}\\".utf8) } ?? noLink
  }

  private static func isDirect(_ style: Style) -> Bool {
    [style.foreground, style.background].contains { if case .rgb = $0 { true } else { false } }
  }

  private func sgr(_ style: Style) -> String {
    var codes = ["0"]
    if style.attributes.contains(.bold) { codes.append("1") }
    if style.attributes.contains(.dim) { codes.append("2") }
    if style.attributes.contains(.italic) { codes.append("3") }
    if style.attributes.contains(.underline) { codes.append("4") }
    if style.attributes.contains(.reverse) { codes.append("7") }
    codes += color(style.foreground, base: 38) + color(style.background, base: 48)
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }

  // The color that ncurses displays, or the exact color if ncurses cannot display it.
  private func color(_ color: Color, base: Int) -> [String] {
    if hasDirectColors, case .rgb(let red, let green, let blue) = color {
      return ["\(base)", "2", "\(red)", "\(green)", "\(blue)"]
    }
    let number =
      colors == 0 ? -1 : ColorReduction.number(color, colors: colors, hasLightBackground: hasLightBackground)
    if number < 0 { return [] }
    if colors > 256, number > 7 {
      return ["\(base)", "2", "\(number >> 16)", "\(number >> 8 & 255)", "\(number & 255)"]
    }
    return ["\(base)", "5", "\(number)"]
  }
}
