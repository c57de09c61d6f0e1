import AvatarImage
import TerminalKit

/// How pictures are drawn on a terminal: with which colours and characters.
struct PictureStyle: Hashable, Sendable {
  var colors: CellColors
  var symbols: CellSymbols

  init(colors: CellColors, symbols: CellSymbols = .quadrants) {
    self.colors = colors
    self.symbols = symbols
  }

  /// What a terminal of so many colours can show; 0 is also what it says under NO_COLOR.
  init(terminalColors: Int) {
    switch terminalColors {
    case ..<16: self.init(colors: .monochrome)
    case ..<256: self.init(colors: .palette16)
    case ..<16_777_216: self.init(colors: .palette256)
    default: self.init(colors: .trueColor)
    }
  }

  /// Draws with these.
  var renderer: AvatarRenderer { AvatarRenderer(colors: colors, symbols: symbols) }
}
