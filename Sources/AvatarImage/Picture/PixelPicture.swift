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
