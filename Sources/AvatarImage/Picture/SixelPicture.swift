import CChafa
import PictureFormat

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
