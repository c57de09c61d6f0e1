/// One place on the screen.
public struct Cell: Hashable, Sendable {
  /// A reduced cluster; empty in the second half of a wide one.
  public var text: String
  /// How it looks.
  public var style: Style
  private var columns: UInt8

  /// Columns that the text takes: 1, 2, or 0 in the second half of a wide one.
  public var width: Int { Int(columns) }

  /// A cell. The text must be one base with its marks and have that width; ``Canvas`` sees to it.
  public init(text: String = " ", width: Int = 1, style: Style = .plain) {
    self.text = text
    self.style = style
    self.columns = UInt8(clamping: width)
  }

  /// An empty cell in the terminal's own colours.
  public static let blank = Cell()
}
