import TerminalKit

/// The visible style of a terminal cell.
public struct CellStyle: Hashable, CustomStringConvertible {
  /// A color, or one of the terminal's two default colors.
  public enum Color: Hashable { case ownForeground, ownBackground, palette(Int), rgb(Int, Int, Int) }

  private var foreground: Color
  private var background: Color
  private var attributes: Style.Attributes

  /// Makes the style of a cell, with the two colors exchanged if they are reversed. The resulting foreground and the
  /// attributes of a blank that is not underlined are ignored, because they are not visible.
  public init(foreground: Color, background: Color, attributes: Style.Attributes, isBlank: Bool) {
    let isReversed = attributes.contains(.reverse)
    self.foreground = isReversed ? background : foreground
    self.background = isReversed ? foreground : background
    self.attributes = attributes.subtracting(.reverse)
    if isBlank, !attributes.contains(.underline) {
      self.foreground = .ownForeground
      self.attributes = []
    }
  }

  /// The colors, and the raw value of the attributes.
  public var description: String { "\(foreground) on \(background), \(attributes.rawValue)" }
}
