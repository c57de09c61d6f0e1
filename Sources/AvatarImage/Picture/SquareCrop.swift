/// The square of an image that becomes the contact's photo; the user moves and zooms it. It is always inside the image.
public struct SquareCrop: Sendable, Hashable {
  /// The direction of a step.
  public enum Direction: Sendable, Hashable, CaseIterable {
    /// Toward the first row.
    case up
    /// Toward the last row.
    case down
    /// Toward the first column.
    case left
    /// Toward the last column.
    case right
  }

  /// The image's width in pixels.
  public let imageWidth: Int
  /// The image's height in pixels.
  public let imageHeight: Int
  /// The zoom: 0 for the largest square; each step takes an eighth off the side.
  public private(set) var zoom = 0
  /// Twice the center's column and row: half pixels are integers.
  private var doubleCenter: (column: Int, row: Int) {
    get { (doubleColumn, doubleRow) }
    set {
      doubleColumn = min(max(newValue.column, side), 2 * imageWidth - side)
      doubleRow = min(max(newValue.row, side), 2 * imageHeight - side)
    }
  }
  private var doubleColumn: Int
  private var doubleRow: Int

  /// Creates the largest centered square in an image of that size; sides below 1 count as 1.
  public init(width: Int, height: Int) {
    imageWidth = max(1, width)
    imageHeight = max(1, height)
    doubleColumn = imageWidth
    doubleRow = imageHeight
    doubleCenter = (imageWidth, imageHeight)
  }

  /// Creates the largest centered square in this image.
  public init(of image: RasterImage) {
    self.init(width: image.width, height: image.height)
  }

  /// The square's side in pixels, 1 or more.
  public var side: Int { Self.side(shortest: min(imageWidth, imageHeight), zoom) }
  /// The square's first column.
  public var left: Int { (doubleColumn - side) / 2 }
  /// The square's first row.
  public var top: Int { (doubleRow - side) / 2 }

  /// Moves by steps of a sixteenth of the side, at least one pixel each. Stops at the image's edge.
  public mutating func move(_ direction: Direction, steps: Int = 1) {
    // More steps than pixels end at the same edge.
    let distance = 2 * max(1, side / 16) * min(max(0, steps), 2 * max(imageWidth, imageHeight))
    switch direction {
    case .up: doubleCenter.row -= distance
    case .down: doubleCenter.row += distance
    case .left: doubleCenter.column -= distance
    case .right: doubleCenter.column += distance
    }
  }

  /// The pixel at the center of the square.
  public var center: (column: Int, row: Int) { (left + side / 2, top + side / 2) }

  /// Moves the center to a pixel, as far as the image's edges allow.
  public mutating func center(onColumn column: Int, row: Int) {
    // Pixels far outside end at the same edge.
    let column = min(max(0, column), imageWidth)
    let row = min(max(0, row), imageHeight)
    doubleCenter = (2 * column + (side & 1), 2 * row + (side & 1))
  }

  /// Zooms in around the same center, down to an eighth of the largest square. Returns false if the square is already
  /// the smallest.
  @discardableResult
  public mutating func zoomIn() -> Bool {
    let shortest = min(imageWidth, imageHeight)
    let next = Self.side(shortest: shortest, zoom + 1)
    guard next < side, next * 8 >= shortest else { return false }
    zoom += 1
    return true
  }

  /// Zooms out around the same center, as far as the edges allow. Returns false if the square is already the largest.
  @discardableResult
  public mutating func zoomOut() -> Bool {
    guard zoom > 0 else { return false }
    zoom -= 1
    // Moves the center away from the edges.
    doubleCenter = (doubleColumn, doubleRow)
    return true
  }

  private static func side(shortest: Int, _ zoom: Int) -> Int {
    (0..<zoom).reduce(shortest) { side, _ in max(1, side * 7 / 8) }
  }
}

extension RasterImage {
  /// Returns the content of the square, scaled to a side of that many pixels.
  public func cropped(to crop: SquareCrop, side: Int) -> RasterImage {
    // A crop made for another image is moved inside this one.
    let length = min(crop.side, width, height)
    return scaled(
      left: min(crop.left, width - length), top: min(crop.top, height - length), width: length, height: length,
      toWidth: max(1, side), height: max(1, side))
  }

  /// Returns the whole image, darkened outside the square: the preview while the user chooses the square. The image may
  /// be a smaller version of the crop's image.
  public func dimmed(outside crop: SquareCrop) -> RasterImage {
    var result = self
    for row in 0..<height {
      let line = row * crop.imageHeight / height
      let inRows = line >= crop.top && line < crop.top + crop.side
      for column in 0..<width {
        let imageColumn = column * crop.imageWidth / width
        if inRows, imageColumn >= crop.left, imageColumn < crop.left + crop.side { continue }
        let offset = (row * width + column) * 4
        for channel in 0..<3 { result.rgba[offset + channel] /= 4 }
      }
    }
    return result
  }
}
