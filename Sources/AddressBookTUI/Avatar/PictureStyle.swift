import AvatarImage
import TerminalKit

/// How photos are drawn on a terminal: with which colors and characters, or as pixels.
struct PictureStyle: Hashable, Sendable {
  var colors: CellColors
  var symbols: CellSymbols
  /// The size of a cell in pixels if the terminal shows pixels; otherwise nil.
  var imageCell: PixelSize?
  /// How the terminal shows pixels.
  var imageProtocol: ImageProtocol

  init(
    colors: CellColors, symbols: CellSymbols = .quadrants, imageCell: PixelSize? = nil,
    imageProtocol: ImageProtocol = .kitty
  ) {
    self.colors = colors
    self.symbols = symbols
    self.imageCell = imageCell
    self.imageProtocol = imageProtocol
  }

  /// The style for a terminal with that many colors; 0 if there are none or they must not be used, which also turns
  /// pixels off.
  init(terminalColors: Int, imageCell: PixelSize? = nil, imageProtocol: ImageProtocol = .kitty) {
    let colors: CellColors =
      switch terminalColors {
      case ..<16: .monochrome
      case ..<256: .palette16
      case ..<16_777_216: .palette256
      default: .trueColor
      }
    self.init(
      colors: colors, symbols: Self.symbols, imageCell: terminalColors == 0 ? nil : imageCell,
      imageProtocol: imageProtocol)
  }

  /// The characters for images: blocks, unless they could take two columns.
  static var symbols: CellSymbols { TextWidth.ambiguousColumns == 1 ? .quadrants : .ascii }

  /// Draws an image as large as that many cells allow, on any thread. Nil if there are no cells, or a required
  /// library is not installed.
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
    if imageProtocol == .sixel {
      let picture = SixelPicture(
        image, columns: min(columns, most), rows: min(rows, most), cellWidth: cell.width, cellHeight: cell.height)
      return picture.flatMap { TerminalImage(sixel: $0.sixels, columns: $0.columns, rows: $0.rows) }
    }
    do {
      let picture = try PixelPicture(
        image, columns: min(columns, most), rows: min(rows, most), cellWidth: cell.width, cellHeight: cell.height)
      return TerminalImage(png: picture.png, columns: picture.columns, rows: picture.rows)
    } catch {
      // Characters need neither memory for pixels nor a library for encoding.
      return nil
    }
  }
}

/// The setting for photos, as written in the configuration file.
enum PictureSetting: String, CaseIterable, Sendable {
  /// As pixels if the terminal is known to support them, otherwise as characters.
  case auto
  /// As pixels with kitty's protocol.
  case kitty
  /// As pixels with sixel graphics.
  case sixel
  /// As pixels with iTerm2's protocol.
  case iterm
  /// As characters.
  case symbols
  /// Not with contacts; only when choosing a photo.
  case off

  /// The corresponding option of the terminal.
  var images: NcursesTerminal.Options.Images {
    switch self {
    case .auto: .automatic
    case .kitty: .always(.kitty)
    case .sixel: .always(.sixel)
    case .iterm: .always(.iterm)
    case .symbols, .off: .never
    }
  }
}
