import Glibc

/// A terminal color.
public enum Color: Hashable, Sendable {
  /// The terminal's default foreground or background.
  case standard
  /// A color of the 256-color palette: 0–7 normal, 8–15 bright, 16–231 cube, 232–255 grays.
  case palette(UInt8)
  /// A 24-bit color; reduced to the nearest palette color if the terminal has fewer.
  case rgb(UInt8, UInt8, UInt8)
  /// One color of the palette on a dark background and another one on a light one; ``standard`` until the background is
  /// known. See ``NcursesTerminal/Options/background``.
  case adaptive(dark: UInt8, light: UInt8)

  /// Parses a 24-bit color written as `#RRGGBB`, as in CSS; nil for any other text.
  public init?(hexadecimal text: String) {
    let digits = text.dropFirst()
    // `UInt32` would also take a sign.
    guard text.utf8.count == 7, text.first == "#", digits.allSatisfy(\.isHexDigit),
      let number = UInt32(digits, radix: 16)
    else { return nil }
    self = .rgb(UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
  }
}

/// The style of a cell.
public struct Style: Hashable, Sendable {
  /// Attributes other than color.
  public struct Attributes: OptionSet, Hashable, Sendable {
    /// The attribute bits.
    public let rawValue: UInt8
    /// Creates attributes from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Bold or bright.
    public static let bold = Attributes(rawValue: 1)
    /// Dim.
    public static let dim = Attributes(rawValue: 2)
    /// Underlined.
    public static let underline = Attributes(rawValue: 4)
    /// Foreground and background swapped.
    public static let reverse = Attributes(rawValue: 8)
    /// Italic, if the terminal supports it.
    public static let italic = Attributes(rawValue: 16)
  }

  // The colors in 26 bits each and the attributes in the 8 above them: a screen of styles is copied and compared as
  // fast as numbers.
  private var bits: UInt64

  private static let colorBits: UInt64 = 26
  private static let attributeShift = 2 * colorBits

  /// Creates a style, by default with the terminal's own colors and no attributes.
  public init(foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []) {
    bits =
      foreground.bits | background.bits << Self.colorBits | UInt64(attributes.rawValue) << Self.attributeShift
  }

  /// The color of the text.
  public var foreground: Color {
    get { Color(bits: bits) }
    set { self = Style(foreground: newValue, background: background, attributes: attributes) }
  }

  /// The color behind the text.
  public var background: Color {
    get { Color(bits: bits >> Self.colorBits) }
    set { self = Style(foreground: foreground, background: newValue, attributes: attributes) }
  }

  /// Bold, dim, underline, reverse, italic.
  public var attributes: Attributes {
    get { Attributes(rawValue: UInt8(truncatingIfNeeded: bits >> Self.attributeShift)) }
    set { self = Style(foreground: foreground, background: background, attributes: newValue) }
  }

  /// The terminal's own colors.
  public static let plain = Style()

  /// Returns the same style with additional attributes.
  public func adding(_ more: Attributes) -> Style {
    var style = self
    style.bits |= UInt64(more.rawValue) << Self.attributeShift
    return style
  }

  /// Returns the same style with other colors; nil keeps the current one.
  public func with(foreground: Color? = nil, background: Color? = nil) -> Style {
    Style(
      foreground: foreground ?? self.foreground, background: background ?? self.background, attributes: attributes)
  }
}

extension Color {
  // Two bits for the case, 24 for its value.
  fileprivate var bits: UInt64 {
    switch self {
    case .standard: 0
    case .palette(let number): 1 << 24 | UInt64(number)
    case .rgb(let red, let green, let blue): 2 << 24 | UInt64(red) << 16 | UInt64(green) << 8 | UInt64(blue)
    case .adaptive(let dark, let light): 3 << 24 | UInt64(dark) << 8 | UInt64(light)
    }
  }

  fileprivate init(bits: UInt64) {
    let value = UInt8(truncatingIfNeeded: bits)
    switch bits >> 24 & 3 {
    case 1: self = .palette(value)
    case 2: self = .rgb(UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8), value)
    case 3: self = .adaptive(dark: UInt8(truncatingIfNeeded: bits >> 8), light: value)
    default: self = .standard
    }
  }
}

/// The shape of the terminal's cursor.
public enum CursorShape: Hashable, Sendable {
  /// As configured by the user.
  case standard
  /// A steady bar between two characters, for text fields.
  case bar
  /// A steady block or underline.
  case block, underline
}

/// How bright a color looks, from 0 for black to 1 for white (WCAG 2.2, relative luminance).
enum RelativeLuminance {
  /// On a brighter background black text has more contrast, on a darker one white text.
  static let middle = 0.179

  /// Returns the luminance of a color in sRGB, whose channels are from 0 to 1.
  static func of(_ red: Double, _ green: Double, _ blue: Double) -> Double {
    func linear(_ value: Double) -> Double { value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// Returns the ratio of two luminances, from 1 to 21. Text needs at least 4.5 (WCAG 2.2, contrast minimum).
  static func contrast(_ one: Double, _ other: Double) -> Double {
    (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }
}

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
