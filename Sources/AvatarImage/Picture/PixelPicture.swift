import PictureFormat

/// A picture for a terminal that shows pixels: a PNG without metadata, and in how many of its cells it keeps its shape.
public struct PixelPicture: Sendable, Hashable {
  /// The PNG file.
  public let png: [UInt8]
  /// Columns, 1 or more.
  public let columns: Int
  /// Rows, 1 or more.
  public let rows: Int

  /// Pixels of the longest side: more than that looks no better in a part of a window, and each of them has to be sent.
  public static let maximumSide = 400

  /// Fits a picture into so many cells of so many pixels, all of them 1 or more; nothing is made larger than it is. Throws
  /// `missingLibrary` or `noMemory`.
  public init(
    _ image: RasterImage, columns: Int, rows: Int, cellWidth: Int, cellHeight: Int
  ) throws(ImageRefusal) {
    let columns = max(1, columns)
    let rows = max(1, rows)
    let cellWidth = max(1, cellWidth)
    let cellHeight = max(1, cellHeight)
    // Compares the shapes in whole numbers; rounds to the nearest cell.
    let byColumns = columns * cellWidth * image.height
    let byRows = rows * cellHeight * image.width
    if byColumns <= byRows {
      let divisor = cellHeight * image.width
      self.columns = columns
      self.rows = min(rows, max(1, (2 * byColumns + divisor) / (2 * divisor)))
    } else {
      let divisor = cellWidth * image.height
      self.rows = rows
      self.columns = min(columns, max(1, (2 * byRows + divisor) / (2 * divisor)))
    }
    // The terminal scales the rest of the way, and keeps the shape in doing so.
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
}
