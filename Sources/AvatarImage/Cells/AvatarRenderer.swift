import CPictures

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
