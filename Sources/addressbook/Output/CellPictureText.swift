import AvatarImage
import Foundation

/// A photo as lines of text, with ECMA-48 colors (SGR) if a terminal shows them.
enum CellPictureText {
  /// The colors for standard output: none in a file or pipe, if NO_COLOR is set (no-color.org), or if TERM is `dumb` or
  /// not set.
  static var colors: CellColors {
    let environment = ProcessInfo.processInfo.environment
    let terminal = environment["TERM"] ?? ""
    guard StandardOutput.isTerminal, (environment["NO_COLOR"] ?? "").isEmpty, !["", "dumb"].contains(terminal) else {
      return .monochrome
    }
    if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || terminal.hasSuffix("-direct") {
      return .trueColor
    }
    return terminal.contains("256color") ? .palette256 : .palette16
  }

  /// The lines; without colors they contain no control characters.
  static func lines(_ picture: CellPicture) -> [String] {
    (0..<picture.rows).map { row in
      var line = ""
      var current = (CellColor.standard, CellColor.standard)
      for column in 0..<picture.columns {
        let cell = picture[row, column]
        if current != (cell.foreground, cell.background) {
          current = (cell.foreground, cell.background)
          line += "\u{1B}[0" + code(cell.foreground, 30) + code(cell.background, 40) + "m"
        }
        line += cell.text
      }
      if current != (.standard, .standard) { line += "\u{1B}[0m" }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// `;38;5;n` and the like; `base` is 30 for the foreground and 40 for the background.
  private static func code(_ color: CellColor, _ base: Int) -> String {
    switch color {
    case .standard: ""
    case .palette(let index) where index < 8: ";\(base + Int(index))"
    case .palette(let index) where index < 16: ";\(base + 52 + Int(index))"
    case .palette(let index): ";\(base + 8);5;\(index)"
    case .rgb(let red, let green, let blue): ";\(base + 8);2;\(red);\(green);\(blue)"
    }
  }
}
