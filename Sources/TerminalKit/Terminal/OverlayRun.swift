/// The bytes that write cells once more, with what ncurses has no means for: exact 24-bit colors (ISO 8613-6, as xterm has it) and
/// links (OSC 8).
struct OverlayRun {
  /// True where the terminal has 24-bit colors that its description lacks.
  let hasDirectColors: Bool
  /// True where the terminal knows links.
  let hasLinks: Bool
  /// Colors of the terminal's description; 0 for none.
  let colors: Int

  /// What was sent of cells with links, by column. ncurses, which does not know them, leaves a cell as it is where the same is to
  /// be shown; one of another text it has written again, without a link.
  typealias StaleLinks = [Int: Set<UInt32>]

  /// Cursor movements, looks and text of those cells of a line that need it; empty when none does. Attributes are left on, links
  /// are not.
  /// - Parameter stale: links that the terminal may show still; cells there that have none now are written too.
  func bytes(of line: ArraySlice<Cell>, row: Int, stale: StaleLinks = [:]) -> [UInt8] {
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

  /// Ends a link.
  static let noLink = Array("\u{1B}]8;;\u{1B}\\".utf8)

  // With the same `id` the parts of a link are one to the terminal, wherever they stand and whenever they were written.
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

  // As ncurses shows it, but for the colors that it cannot.
  private func color(_ color: Color, base: Int) -> [String] {
    if hasDirectColors, case .rgb(let red, let green, let blue) = color {
      return ["\(base)", "2", "\(red)", "\(green)", "\(blue)"]
    }
    let number = colors == 0 ? -1 : ColorReduction.number(color, colors: colors)
    if number < 0 { return [] }
    if colors > 256, number > 7 {
      return ["\(base)", "2", "\(number >> 16)", "\(number >> 8 & 255)", "\(number & 255)"]
    }
    return ["\(base)", "5", "\(number)"]
  }
}
