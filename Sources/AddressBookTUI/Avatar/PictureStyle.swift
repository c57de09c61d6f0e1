import AddressBookModel
import AvatarImage
import Glibc
import Messages
import PictureFormat
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

/// An image to put on a canvas: as characters, or as pixels if the terminal supports them.
enum DrawnPicture: Hashable, Sendable {
  case cells(CellPicture)
  case image(TerminalImage)

  var rows: Int {
    switch self {
    case .cells(let cells): cells.rows
    case .image(let image): image.rows
    }
  }

  var columns: Int {
    switch self {
    case .cells(let cells): cells.columns
    case .image(let image): image.columns
    }
  }
}

extension Canvas {
  /// Draws an image's rows, starting with row `first`, at the rectangle's top left corner, clipped to the rectangle.
  mutating func put(_ picture: DrawnPicture, from first: Int = 0, in rect: Rect, style: Style) {
    switch picture {
    case .cells(let cells): put(cells, from: first, in: rect, style: style)
    case .image(let image): put(image, from: first, in: rect, background: style.background)
    }
  }

  /// Copies an image's rows, starting with row `first`, to the rectangle's top left corner, clipped to the rectangle.
  /// The terminal's default colors become those of the style.
  private mutating func put(_ picture: CellPicture, from first: Int = 0, in rect: Rect, style: Style) {
    for row in max(0, first)..<max(0, first, min(picture.rows, first + rect.rows)) {
      for column in 0..<min(picture.columns, rect.columns) {
        let cell = picture[row, column]
        guard !cell.text.isEmpty else { continue }
        put(
          cell.text, at: Point(row: rect.row + row - first, column: rect.column + column),
          limit: min(2, rect.columns - column),
          style: style.with(foreground: Color(cell.foreground), background: Color(cell.background)))
      }
    }
  }
}

extension Color {
  /// Nil for the terminal's default color.
  fileprivate init?(_ color: CellColor) {
    switch color {
    case .standard: return nil
    case .palette(let index): self = .palette(index)
    case .rgb(let red, let green, let blue): self = .rgb(red, green, blue)
    }
  }
}

/// User-visible messages for photos that cannot be read, used or drawn. They do not include the file's name.
public enum PictureMessage {
  /// Why image data were refused.
  public static func text(of refusal: ImageRefusal, in localization: Localization) -> String {
    func text(_ key: String, _ arguments: String...) -> String {
      localization.text("picture." + key, arguments: arguments, table: "Screen")
    }
    func number(_ value: Int) -> String { localization.grouped(value) }
    return switch refusal {
    case .empty: text("empty")
    case .unrecognized: text("unrecognized")
    case .unsupported(let format): text("unsupported", name(of: format, in: localization))
    case .unsupportedVariant(let format): text("unsupportedVariant", name(of: format))
    case .tooManyBytes(let limit): text("tooManyBytes", number(limit >> 20))
    case .noPixels: text("noPixels")
    case .sideTooLong(let width, let height, let limit):
      text("sideTooLong", number(width), number(height), number(limit))
    case .tooManyPixels(let width, let height, let limit):
      text("tooManyPixels", number(width), number(height), number(limit))
    case .tooManyScans(let count, let limit): text("tooManyScans", number(count), number(limit))
    case .truncated(let format): text("truncated", name(of: format))
    case .damaged(let format): text("damaged", name(of: format))
    case .decoderFailed(let format): text("decoderFailed", name(of: format))
    case .missingDecoder(let format):
      text("missingDecoder", name(of: format), format == .webp ? "webp-pixbuf-loader" : "libgdk-pixbuf-2.0-0")
    case .missingLibrary: text("missingLibrary", "libgdk-pixbuf-2.0-0")
    case .noMemory: text("noMemory")
    }
  }

  /// Why a file could not be read.
  public static func text(of error: ImageFileError, in localization: Localization) -> String {
    func text(_ key: String, _ arguments: String...) -> String {
      localization.text("picture.file." + key, arguments: arguments, table: "Screen")
    }
    return switch error {
    case .notFound: text("notFound")
    case .notPermitted: text("notPermitted")
    case .notRegular(let kind): text("notRegular." + kind.rawValue)
    case .symbolicLink: text("symbolicLink")
    case .impossibleName: text("impossibleName")
    case .tooLarge(let limit): text("tooLarge", localization.grouped(limit >> 20))
    case .system(let number): text("system", String(cString: strerror(number)))
    }
  }

  /// The message that photos cannot be drawn because chafa is not installed.
  public static func missingRenderer(in localization: Localization) -> String {
    localization.text("picture.missingRenderer", arguments: ["libchafa0"], table: "Screen")
  }

  /// The usual spelling of a format's name.
  static func name(of format: ImageFormat) -> String { format == .webp ? "WebP" : format.rawValue.uppercased() }

  private static func name(of format: ForeignFormat, in localization: Localization) -> String {
    switch format {
    case .video, .text: localization.text("picture.foreign." + format.rawValue, arguments: [], table: "Screen")
    default: format.rawValue
    }
  }
}
