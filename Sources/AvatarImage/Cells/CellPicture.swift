import CPictures

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

/// A renderer of images as character cells. It uses chafa, except in monochrome with symbols other than ASCII. The same
/// image and settings give the same cells.
public struct AvatarRenderer: Sendable, Hashable {
  /// The colors that may be used.
  public var colors: CellColors
  /// The characters that may be used.
  public var symbols: CellSymbols
  /// True for a light terminal; in monochrome it decides which of the two colors is the brighter one.
  public var isLightBackground: Bool

  /// Creates a renderer; by default for a dark terminal with true color.
  public init(colors: CellColors = .trueColor, symbols: CellSymbols = .quadrants, isLightBackground: Bool = false) {
    self.colors = colors
    self.symbols = symbols
    self.isLightBackground = isLightBackground
  }

  /// Returns the largest size in cells, each side 1 or more, that keeps the aspect ratio of an image of that many
  /// pixels, if a cell is twice as high as it is wide.
  public static func fit(width: Int, height: Int, columns: Int, rows: Int) -> (columns: Int, rows: Int) {
    let width = max(1, width)
    let height = max(1, height)
    let columns = max(1, columns)
    let rows = max(1, rows)
    // Compares columns / width with 2 * rows / height in integers; rounds to the nearest cell.
    if columns * height <= 2 * rows * width {
      return (columns, min(rows, max(1, (columns * height + width) / (2 * width))))
    }
    return (min(columns, max(1, (4 * rows * width + height) / (2 * height))), rows)
  }

  /// Draws the image as large as possible, so the result may have fewer rows or columns. Transparent pixels show the
  /// terminal's own background. Nil if chafa is needed and not installed (Debian: `libchafa0`), or if a size is outside
  /// 1…1000.
  public func render(_ image: RasterImage, columns: Int, rows: Int) -> CellPicture? {
    guard columns > 0, rows > 0, columns <= 1000, rows <= 1000 else { return nil }
    let size = Self.fit(width: image.width, height: image.height, columns: columns, rows: rows)
    if colors == .monochrome,
      let picture = MonochromeDrawing.draw(
        image, columns: size.columns, rows: size.rows, symbols: symbols, isLightBackground: isLightBackground)
    {
      return picture
    }
    var drawn = [cchafa_cell](repeating: cchafa_cell(), count: size.columns * size.rows)
    let result = cchafa_draw(
      image.rgba, Int32(image.width), Int32(image.height), chafaColors, chafaSymbols, isLightBackground ? 1 : 0,
      Int32(size.columns), Int32(size.rows), &drawn)
    guard result == CCHAFA_DONE else { return nil }
    var picture = CellPicture(rows: size.rows, columns: size.columns)
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let cell = drawn[row * size.columns + column]
        picture[row, column] = CellPicture.Cell(
          text(cell.symbol), foreground: color(cell.foreground), background: color(cell.background))
      }
    }
    return picture
  }

  private func text(_ symbol: UInt32) -> String {
    guard let scalar = Unicode.Scalar(symbol), symbol >= 32 else { return " " }
    return String(Character(scalar))
  }

  private func color(_ value: Int32) -> CellColor {
    guard value >= 0 else { return .standard }
    switch colors {
    case .trueColor:
      return .rgb(UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255))
    case .palette256, .palette16: return value < 256 ? .palette(UInt8(value)) : .standard
    case .monochrome: return .standard
    }
  }

  private var chafaColors: cchafa_colors {
    switch colors {
    case .trueColor: CCHAFA_TRUE_COLOR
    case .palette256: CCHAFA_256
    case .palette16: CCHAFA_16
    case .monochrome: CCHAFA_MONOCHROME
    }
  }

  private var chafaSymbols: cchafa_symbols {
    switch symbols {
    case .halves: CCHAFA_HALVES
    case .quadrants: CCHAFA_QUADRANTS
    case .sextants: CCHAFA_SEXTANTS
    case .ascii: CCHAFA_ASCII
    }
  }
}
