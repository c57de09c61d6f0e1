/// The reduction of colors to those that a terminal has.
enum ColorReduction {
  /// Returns the number of a color for a terminal with that many colors; -1 for its default color.
  ///
  /// With 16,777,216 colors the number is 0xRRGGBB, but 0–7 remain palette colors, as in terminfo's direct color.
  /// - Parameter hasLightBackground: nil if that is not known.
  static func number(_ color: Color, colors: Int, hasLightBackground: Bool? = nil) -> Int32 {
    switch color {
    case .adaptive(let dark, let light):
      guard let hasLightBackground else { return -1 }
      return number(.palette(hasLightBackground ? light : dark), colors: colors)
    case .standard: return -1
    case .palette(let index):
      if Int(index) < colors, colors <= 256 || index < 8 { return Int32(index) }
      return nearest(rgb(ofPalette: index), colors: colors)
    case .rgb(let red, let green, let blue): return nearest((red, green, blue), colors: colors)
    }
  }

  /// Returns xterm's default value of a palette color. The user may have redefined the first 16, which the program
  /// cannot know.
  static func rgb(ofPalette index: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
    switch index {
    case 0..<16: return basic[Int(index)]
    case 16..<232:
      let value = Int(index) - 16
      return (levels[value / 36], levels[value / 6 % 6], levels[value % 6])
    default:
      let gray = UInt8(8 + 10 * (Int(index) - 232))
      return (gray, gray, gray)
    }
  }

  private static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
  private static let basic: [(red: UInt8, green: UInt8, blue: UInt8)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
    (255, 255, 255),
  ]

  private static func nearest(_ color: (red: UInt8, green: UInt8, blue: UInt8), colors: Int) -> Int32 {
    if colors > 256 {
      let value = Int32(color.red) << 16 | Int32(color.green) << 8 | Int32(color.blue)
      // Values below 8 are palette colors: use the nearer of black (0) and the darkest direct color (8).
      return value < 8 ? (value < 4 ? 0 : 8) : value
    }
    if colors >= 256 {
      // Only the cube and the grays: the user may have redefined the first 16.
      let cube = 16 + 36 * level(color.red) + 6 * level(color.green) + level(color.blue)
      let mean = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
      let gray = 232 + min(23, max(0, (mean - 3) / 10))
      let useGray = distance(color, rgb(ofPalette: UInt8(gray))) < distance(color, rgb(ofPalette: UInt8(cube)))
      return Int32(useGray ? gray : cube)
    }
    let count = colors >= 16 ? 16 : 8
    let best = (0..<count).min { distance(color, basic[$0]) < distance(color, basic[$1]) }
    return Int32(best ?? 0)
  }

  private static func level(_ value: UInt8) -> Int {
    value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40
  }

  // "Redmean": cheap, and close to human perception.
  private static func distance(
    _ one: (red: UInt8, green: UInt8, blue: UInt8), _ other: (red: UInt8, green: UInt8, blue: UInt8)
  ) -> Int {
    let mean = (Int(one.red) + Int(other.red)) / 2
    let red = Int(one.red) - Int(other.red)
    let green = Int(one.green) - Int(other.green)
    let blue = Int(one.blue) - Int(other.blue)
    return (512 + mean) * red * red / 256 + 4 * green * green + (767 - mean) * blue * blue / 256
  }
}
