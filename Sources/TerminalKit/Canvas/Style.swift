/// A colour of the terminal.
public enum Color: Hashable, Sendable {
  /// The terminal's own foreground or background.
  case standard
  /// A colour of the 256-colour palette: 0–7 normal, 8–15 bright, 16–231 cube, 232–255 grays.
  case palette(UInt8)
  /// 24-bit colour; brought down to the nearest palette colour where the terminal has fewer.
  case rgb(UInt8, UInt8, UInt8)
}

/// How a cell looks.
public struct Style: Hashable, Sendable {
  /// Attributes beside colour.
  public struct Attributes: OptionSet, Hashable, Sendable {
    /// One bit an attribute.
    public let rawValue: UInt8
    /// From bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Bold or bright.
    public static let bold = Attributes(rawValue: 1)
    /// Half bright.
    public static let dim = Attributes(rawValue: 2)
    /// Underlined.
    public static let underline = Attributes(rawValue: 4)
    /// Foreground and background exchanged.
    public static let reverse = Attributes(rawValue: 8)
    /// Italic where the terminal has it.
    public static let italic = Attributes(rawValue: 16)
  }

  /// Colour of the text.
  public var foreground: Color
  /// Colour behind the text.
  public var background: Color
  /// Bold, dim, underline, reverse, italic.
  public var attributes: Attributes

  /// A style; by default the terminal's own colours and no attribute.
  public init(foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The terminal's own colours.
  public static let plain = Style()

  /// The same style with more attributes.
  public func adding(_ more: Attributes) -> Style {
    Style(foreground: foreground, background: background, attributes: attributes.union(more))
  }

  /// The same style with other colours; nil keeps one.
  public func with(foreground: Color? = nil, background: Color? = nil) -> Style {
    Style(
      foreground: foreground ?? self.foreground, background: background ?? self.background, attributes: attributes)
  }
}
