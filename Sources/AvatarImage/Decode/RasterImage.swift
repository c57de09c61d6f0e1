import CPictures
import PictureFormat

/// Pixels: 8 bits each for red, green, blue and alpha, not premultiplied, rows from the top.
public struct RasterImage: Sendable, Hashable {
  /// One pixel.
  public struct Pixel: Sendable, Hashable {
    /// Red, 0…255.
    public var red: UInt8
    /// Green, 0…255.
    public var green: UInt8
    /// Blue, 0…255.
    public var blue: UInt8
    /// 0 transparent … 255 opaque.
    public var alpha: UInt8

    /// Creates a pixel, opaque by default.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }
  }

  /// The number of columns, 1 or more.
  public let width: Int
  /// The number of rows, 1 or more.
  public let height: Int
  /// The pixels, four bytes each, `width * height * 4` in total.
  public internal(set) var rgba: [UInt8]

  /// Creates an image of one color; sides below 1 become 1.
  public init(width: Int, height: Int, filledWith pixel: Pixel = Pixel(red: 0, green: 0, blue: 0, alpha: 0)) {
    self.width = max(1, width)
    self.height = max(1, height)
    rgba = []
    rgba.reserveCapacity(self.width * self.height * 4)
    for _ in 0..<self.width * self.height { rgba += [pixel.red, pixel.green, pixel.blue, pixel.alpha] }
  }

  init(width: Int, height: Int, rgba: [UInt8]) {
    self.width = width
    self.height = height
    self.rgba = rgba
  }

  /// The pixel at a column and row, both from 0 at the top left and within bounds.
  public subscript(column column: Int, row row: Int) -> Pixel {
    get {
      let offset = (row * width + column) * 4
      return Pixel(red: rgba[offset], green: rgba[offset + 1], blue: rgba[offset + 2], alpha: rgba[offset + 3])
    }
    set {
      let offset = (row * width + column) * 4
      rgba[offset] = newValue.red
      rgba[offset + 1] = newValue.green
      rgba[offset + 2] = newValue.blue
      rgba[offset + 3] = newValue.alpha
    }
  }

  /// True if no pixel is even partly transparent.
  public var isOpaque: Bool {
    for offset in stride(from: 3, to: rgba.count, by: 4) where rgba[offset] != 255 { return false }
    return true
  }

  /// Returns the image in its intended orientation.
  func turned(_ orientation: ImageOrientation) -> RasterImage {
    guard orientation != .upright else { return self }
    let (columns, rows) = orientation.swapsSides ? (height, width) : (width, height)
    var result = [UInt8](repeating: 0, count: rgba.count)
    for row in 0..<rows {
      for column in 0..<columns {
        let source = orientation.source(ofColumn: column, row: row, width: width, height: height)
        let from = (source.row * width + source.column) * 4
        let to = (row * columns + column) * 4
        for channel in 0..<4 { result[to + channel] = rgba[from + channel] }
      }
    }
    return RasterImage(width: columns, height: rows, rgba: result)
  }
}

/// An encoder of pixels as a PNG without metadata, in 8-bit RGB, or RGBA if a pixel is at least partly transparent. The
/// same pixels give the same bytes with the same versions of libpng and zlib.
enum PNGEncoder {
  static func encode(_ image: RasterImage) throws(ImageRefusal) -> [UInt8] {
    let channels = image.isOpaque ? 3 : 4
    var bytes = image.rgba
    if channels == 3 {
      bytes = []
      bytes.reserveCapacity(image.width * image.height * 3)
      for offset in stride(from: 0, to: image.rgba.count, by: 4) { bytes += image.rgba[offset..<offset + 3] }
    }
    var png: UnsafeMutablePointer<UInt8>?
    var count = 0
    let result = cpixbuf_encode_png(bytes, Int32(image.width), Int32(image.height), Int32(channels), &png, &count)
    defer { cpixbuf_free(png) }
    try ImageDecoder.check(result, .png)
    return try PNGHeader.bare(Array(UnsafeBufferPointer(start: png, count: count)))
  }
}
