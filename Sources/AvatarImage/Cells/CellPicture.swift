/// A color of a terminal.
public enum CellColor: Sendable, Hashable {
  /// The terminal's own.
  case standard
  /// An entry of the palette of 256: 0…15 for 16 colors, 16…255 for 256.
  case palette(UInt8)
  /// True color.
  case rgb(UInt8, UInt8, UInt8)
}

/// A picture as character cells: what a screen copies to its canvas. Knows no terminal.
public struct CellPicture: Sendable, Hashable {
  /// One cell.
  public struct Cell: Sendable, Hashable {
    /// One character of one column, or of two with an empty text in the next cell.
    public var text: String
    /// Color of the character.
    public var foreground: CellColor
    /// Color behind it.
    public var background: CellColor

    /// A cell; a blank of the terminal's own colors by default.
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

  /// A picture of blanks; negative sizes become 0.
  public init(rows: Int, columns: Int) {
    self.rows = max(0, rows)
    self.columns = max(0, columns)
    cells = Array(repeating: Cell(), count: self.rows * self.columns)
  }

  /// The cell at a row and column, both from 0 at the top left and inside the picture.
  public subscript(row: Int, column: Int) -> Cell {
    get { cells[row * columns + column] }
    set { cells[row * columns + column] = newValue }
  }

  /// The characters without colors, rows joined by a newline.
  public var plainText: String {
    (0..<rows).map { row in (0..<columns).map { self[row, $0].text }.joined() }.joined(separator: "\n")
  }
}

/// How many colors a picture may use.
public enum CellColors: Sendable, Hashable, CaseIterable {
  /// 24 bits.
  case trueColor
  /// The 240 entries of the palette that are alike in every terminal.
  case palette256
  /// The 16 colors that each terminal defines.
  case palette16
  /// Only the terminal's own foreground and background.
  case monochrome
}

/// Which characters a picture may use.
public enum CellSymbols: Sendable, Hashable, CaseIterable {
  /// `▀▄▌▐█`: in every font that has block elements.
  case halves
  /// Those and the quarters `▖▗▘▙▚▛▜▝▞▟` (Unicode 3.2), in the same fonts. The default.
  case quadrants
  /// Those and the sixths U+1FB00…1FB3B (Unicode 13), in few fonts.
  case sextants
  /// ASCII, for a terminal without UTF-8.
  case ascii
}
