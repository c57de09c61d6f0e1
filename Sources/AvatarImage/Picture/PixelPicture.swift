import CPictures
import PictureFormat

/// An image for a terminal that displays pixels: a PNG without metadata, and the number of cells that keeps its aspect
/// ratio.
public struct PixelPicture: Sendable, Hashable {
  /// The PNG file.
  public let png: [UInt8]
  /// Columns, 1 or more.
  public let columns: Int
  /// Rows, 1 or more.
  public let rows: Int

  /// The maximum length of the longest side in pixels. More pixels would look no better in a part of a window, and
  /// would all have to be sent.
  public static let maximumSide = 400

  /// Fits an image into that many cells of that many pixels, all of them 1 or more, without enlarging it. Throws
  /// `missingLibrary` or `noMemory`.
  public init(
    _ image: RasterImage, columns: Int, rows: Int, cellWidth: Int, cellHeight: Int
  ) throws(ImageRefusal) {
    let cellWidth = max(1, cellWidth)
    let cellHeight = max(1, cellHeight)
    let size = Self.fit(
      image, columns: max(1, columns), rows: max(1, rows), cellWidth: cellWidth, cellHeight: cellHeight)
    self.columns = size.columns
    self.rows = size.rows
    // The terminal scales it to the cells and keeps the aspect ratio.
    let longest = max(image.width, image.height)
    let box = max(self.columns * cellWidth, self.rows * cellHeight)
    let side = min(longest, box, Self.maximumSide)
    guard side < longest else {
      png = try PNGEncoder.encode(image)
      return
    }
    png = try PNGEncoder.encode(
      image.scaled(
        toWidth: max(1, image.width * side / longest), height: max(1, image.height * side / longest)))
  }

  /// Returns the largest size in cells that keeps the aspect ratio of an image. All numbers are 1 or more.
  static func fit(
    _ image: RasterImage, columns: Int, rows: Int, cellWidth: Int, cellHeight: Int
  ) -> (columns: Int, rows: Int) {
    // Compares the aspect ratios in integers; rounds to the nearest cell.
    let byColumns = columns * cellWidth * image.height
    let byRows = rows * cellHeight * image.width
    if byColumns <= byRows {
      let divisor = cellHeight * image.width
      return (columns, min(rows, max(1, (2 * byColumns + divisor) / (2 * divisor))))
    }
    let divisor = cellWidth * image.height
    return (min(columns, max(1, (2 * byRows + divisor) / (2 * divisor))), rows)
  }
}

/// An image for a terminal that displays sixels: the bytes to send, and the number of cells that keeps its aspect
/// ratio.
///
/// chafa encodes the sixels from decoded pixels, so they describe nothing but an image of 256 colors, whatever is in
/// the file.
public struct SixelPicture: Sendable, Hashable {
  /// The bytes, from `Esc P` to `Esc \`.
  public let sixels: [UInt8]
  /// Columns, 1 or more.
  public let columns: Int
  /// Rows, 1 or more.
  public let rows: Int

  /// The maximum length of the longest side in pixels. A terminal does not enlarge sixels, so an image needs all the
  /// pixels of its cells, and all of them have to be sent.
  public static let maximumSide = 640

  /// Fits an image into that many cells of that many pixels, all of them 1 or more. It is enlarged if necessary, up to
  /// ``maximumSide``. Its pixels end inside the last row of cells: showing them there never scrolls the screen. Nil if
  /// there is no room for six lines of pixels or no memory, or if chafa is not installed (Debian: `libchafa0`).
  public init?(_ image: RasterImage, columns: Int, rows: Int, cellWidth: Int, cellHeight: Int) {
    let cellWidth = max(1, cellWidth)
    let cellHeight = max(1, cellHeight)
    let size = PixelPicture.fit(
      image, columns: min(max(1, columns), max(1, Self.maximumSide / cellWidth)),
      rows: min(max(1, rows), max(1, Self.maximumSide / cellHeight)), cellWidth: cellWidth, cellHeight: cellHeight)
    self.columns = size.columns
    self.rows = size.rows
    // The largest size with the image's aspect ratio and whole sixels.
    let (boxWidth, boxHeight) = (size.columns * cellWidth, size.rows * cellHeight)
    let height = min(boxHeight, boxWidth * image.height / image.width) / 6 * 6
    guard height > 0 else { return nil }
    let width = min(boxWidth, max(1, (height * image.width + image.height / 2) / image.height))
    var bytes: UnsafeMutablePointer<CChar>?
    var count = 0
    let result = cchafa_sixels(
      image.rgba, Int32(image.width), Int32(image.height), Int32(width), Int32(height), &bytes, &count)
    defer { cchafa_free(bytes) }
    guard result == CCHAFA_DONE, let bytes else { return nil }
    sixels = UnsafeBufferPointer(start: bytes, count: count).map { UInt8(bitPattern: $0) }
  }
}

/// The photo that is stored for a contact: a small square PNG without metadata.
public struct AvatarPhoto: Sendable, Hashable {
  /// The maximum length of a side in pixels.
  public static let maximumSide = 256
  /// The maximum size of the file in bytes; a very noisy photo gets shorter sides instead.
  public static let maximumBytes = 128 << 10

  /// The PNG file.
  public let png: [UInt8]
  /// Pixels of a side, 1…256.
  public let side: Int

  /// Crops an image to the square and encodes it, without enlarging it. Throws `missingLibrary` or `noMemory`.
  public init(_ image: RasterImage, crop: SquareCrop) throws(ImageRefusal) {
    var side = min(Self.maximumSide, crop.side, image.width, image.height)
    while true {
      let png = try PNGEncoder.encode(image.cropped(to: crop, side: side))
      if png.count <= Self.maximumBytes || side == 1 {
        self.png = png
        self.side = side
        return
      }
      side = side * 7 / 8
    }
  }

  /// Decodes a file's bytes and crops the image to the largest centered square.
  public init(
    bytes: [UInt8], limits: ImageLimits = .standard, in process: DecodingProcess? = nil
  ) throws(ImageRefusal) {
    let image = try ImageDecoder.decode(bytes, limits: limits, in: process)
    try self.init(image, crop: SquareCrop(of: image))
  }
}
