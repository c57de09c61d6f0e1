/// A terminal color.
public enum CellColor: Sendable, Hashable {
  /// The terminal's default color.
  case standard
  /// An entry of the 256-color palette: 0…15 for 16 colors, 16…255 for 256.
  case palette(UInt8)
  /// True color.
  case rgb(UInt8, UInt8, UInt8)
}

/// An image as character cells, to be copied to a screen's canvas. Independent of any terminal.
public struct CellPicture: Sendable, Hashable {
  /// One cell.
  public struct Cell: Sendable, Hashable {
    /// A character of one column, or of two, in which case the text of the next cell is empty.
    public var text: String
    /// The color of the character.
    public var foreground: CellColor
    /// The background color.
    public var background: CellColor

    /// Creates a cell; by default a blank in the terminal's own colors.
    public init(_ text: String = " ", foreground: CellColor = .standard, background: CellColor = .standard) {
      self.text = text
      self.foreground = foreground
      self.background = background
    }
  }

  /// Number of lines, 0 or more.
  public let rows: Int
  /// Number of columns, 0 or more.
  public let columns: Int
  /// The cells row by row, `rows * columns` of them.
  public private(set) var cells: [Cell]

  /// Creates an image of blanks; negative sizes become 0.
  public init(rows: Int, columns: Int) {
    self.rows = max(0, rows)
    self.columns = max(0, columns)
    cells = Array(repeating: Cell(), count: self.rows * self.columns)
  }

  /// The cell at a row and column, both from 0 at the top left and within bounds.
  public subscript(row: Int, column: Int) -> Cell {
    get { cells[row * columns + column] }
    set { cells[row * columns + column] = newValue }
  }

  /// The characters without colors, rows separated by a newline.
  public var plainText: String {
    (0..<rows).map { row in (0..<columns).map { self[row, $0].text }.joined() }.joined(separator: "\n")
  }
}

/// The colors that an image may use.
public enum CellColors: Sendable, Hashable, CaseIterable {
  /// 24 bits.
  case trueColor
  /// The 240 entries of the palette that are the same in every terminal.
  case palette256
  /// The 16 colors that each terminal defines.
  case palette16
  /// Only the terminal's default foreground and background.
  case monochrome
}

/// The characters that an image may use.
public enum CellSymbols: Sendable, Hashable, CaseIterable {
  /// `▀▄▌▐█`: in every font that has block elements.
  case halves
  /// The half blocks and the quarters `▖▗▘▙▚▛▜▝▞▟` (Unicode 3.2), which are in the same fonts. The default.
  case quadrants
  /// The half blocks, the quarters and the sixths U+1FB00…1FB3B (Unicode 13), which few fonts have.
  case sextants
  /// ASCII, for a terminal without UTF-8.
  case ascii
}
