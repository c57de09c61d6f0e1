import AvatarImage
import TerminalKit

/// How pictures are drawn on a terminal: with which colors and characters, or as pixels.
struct PictureStyle: Hashable, Sendable {
  var colors: CellColors
  var symbols: CellSymbols
  /// Pixels of a cell where the terminal shows pixels; nil where it does not.
  var imageCell: PixelSize?

  init(colors: CellColors, symbols: CellSymbols = .quadrants, imageCell: PixelSize? = nil) {
    self.colors = colors
    self.symbols = symbols
    self.imageCell = imageCell
  }

  /// What a terminal of so many colors can show; 0 is also what it says under NO_COLOR.
  init(terminalColors: Int, imageCell: PixelSize? = nil) {
    switch terminalColors {
    case ..<16: self.init(colors: .monochrome)
    case ..<256: self.init(colors: .palette16)
    case ..<16_777_216: self.init(colors: .palette256, imageCell: imageCell)
    default: self.init(colors: .trueColor, imageCell: imageCell)
    }
  }

  /// Draws a picture as large as it fits into so many cells, on any thread. Nil when what it takes is not installed.
  func draw(_ image: RasterImage, columns: Int, rows: Int) -> DrawnPicture? {
    guard columns > 0, rows > 0 else { return nil }
    if let imageCell, let drawn = pixels(of: image, columns: columns, rows: rows, cell: imageCell) {
      return .image(drawn)
    }
    return AvatarRenderer(colors: colors, symbols: symbols).render(image, columns: columns, rows: rows)
      .map(DrawnPicture.cells)
  }

  private func pixels(of image: RasterImage, columns: Int, rows: Int, cell: PixelSize) -> TerminalImage? {
    let most = TerminalImage.largestSide
    do {
      let picture = try PixelPicture(
        image, columns: min(columns, most), rows: min(rows, most), cellWidth: cell.width, cellHeight: cell.height)
      return TerminalImage(png: picture.png, columns: picture.columns, rows: picture.rows)
    } catch {
      // Characters need less: no memory, or no library to encode with.
      return nil
    }
  }
}

/// How a person wants pictures to be shown, as the configuration file writes it.
enum PictureSetting: String, CaseIterable, Sendable {
  /// As pixels where the terminal is known to show them, else as characters.
  case auto
  /// As pixels by kitty's protocol.
  case kitty
  /// As characters.
  case symbols
  /// Not with a person; only where one is chosen.
  case off

  /// What the terminal is asked for.
  var images: NcursesTerminal.Options.Images {
    switch self {
    case .auto: .automatic
    case .kitty: .always
    case .symbols, .off: .never
    }
  }
}
