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

/// Pixels that are not copied, such as a decoder's.
struct PixelRows {
  let base: UnsafePointer<UInt8>
  let width: Int
  let height: Int
  /// The number of channels: 3 or 4.
  let channels: Int
  /// The number of bytes from one row to the next.
  let stride: Int
}

/// Scaling by area: each new pixel is the mean of the old ones that it covers, weighted by covered area and alpha. All
/// sums are integers: the same image gives the same bytes on every machine.
enum AreaScaling {
  /// The old pixels covered by a new one along one axis: the first one, and the weights from there on; the weights add
  /// up to the length of the old side.
  private struct Span {
    var first: Int
    var weights: [Int]
  }

  static func scale(
    _ source: PixelRows, left: Int, top: Int, width: Int, height: Int, toWidth newWidth: Int, height newHeight: Int
  ) -> RasterImage {
    let columns = spans(width, newWidth)
    let rows = spans(height, newHeight)
    let total = width * height
    var result = [UInt8](repeating: 0, count: newWidth * newHeight * 4)
    // Sums of one old row at the new width, and the sums of a whole new row: red, green, blue times alpha, and alpha.
    var line = [Int](repeating: 0, count: newWidth * 4)
    var sums = [Int](repeating: 0, count: newWidth * 4)
    line.withUnsafeMutableBufferPointer { line in
      sums.withUnsafeMutableBufferPointer { sums in
        result.withUnsafeMutableBufferPointer { result in
          var current = -1
          for (newRow, span) in rows.enumerated() {
            sums.update(repeating: 0)
            for (index, weight) in span.weights.enumerated() {
              // Adjacent new rows share at most one old row, which is then still in `line`.
              if span.first + index != current {
                current = span.first + index
                sum(source, row: top + current, left: left, columns, into: line)
              }
              for position in 0..<newWidth * 4 { sums[position] += weight * line[position] }
            }
            for column in 0..<newWidth {
              store(sums, column, total, into: result, at: (newRow * newWidth + column) * 4)
            }
          }
        }
      }
    }
    return RasterImage(width: newWidth, height: newHeight, rgba: result)
  }

  private static func spans(_ old: Int, _ new: Int) -> [Span] {
    // In units of 1/(old * new) of the side, an old pixel is `new` long and a new one `old`.
    (0..<new).map { index in
      let start = index * old
      let end = start + old
      let first = start / new
      let last = (end - 1) / new
      return Span(first: first, weights: (first...last).map { min(end, ($0 + 1) * new) - max(start, $0 * new) })
    }
  }

  private static func sum(
    _ source: PixelRows, row: Int, left: Int, _ columns: [Span], into line: UnsafeMutableBufferPointer<Int>
  ) {
    let base = source.base + row * source.stride + left * source.channels
    for (column, span) in columns.enumerated() {
      var red = 0
      var green = 0
      var blue = 0
      var alpha = 0
      var pixel = base + span.first * source.channels
      for weight in span.weights {
        let part = weight * (source.channels == 4 ? Int(pixel[3]) : 255)
        red += part * Int(pixel[0])
        green += part * Int(pixel[1])
        blue += part * Int(pixel[2])
        alpha += part
        pixel += source.channels
      }
      line[column * 4] = red
      line[column * 4 + 1] = green
      line[column * 4 + 2] = blue
      line[column * 4 + 3] = alpha
    }
  }

  private static func store(
    _ sums: UnsafeMutableBufferPointer<Int>, _ column: Int, _ total: Int,
    into result: UnsafeMutableBufferPointer<UInt8>, at offset: Int
  ) {
    let alpha = sums[column * 4 + 3]
    guard alpha > 0 else { return }
    for channel in 0..<3 {
      result[offset + channel] = UInt8((sums[column * 4 + channel] + alpha / 2) / alpha)
    }
    result[offset + 3] = UInt8((alpha + total / 2) / total)
  }
}

extension RasterImage {
  /// Returns the image at another size, each side 1 or more.
  public func scaled(toWidth newWidth: Int, height newHeight: Int) -> RasterImage {
    scaled(left: 0, top: 0, width: width, height: height, toWidth: max(1, newWidth), height: max(1, newHeight))
  }

  /// Returns a part of the image, which must be inside it, at another size.
  func scaled(
    left: Int, top: Int, width partWidth: Int, height partHeight: Int, toWidth newWidth: Int, height newHeight: Int
  ) -> RasterImage {
    rgba.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return self }
      return AreaScaling.scale(
        PixelRows(base: base, width: width, height: height, channels: 4, stride: width * 4),
        left: left, top: top, width: partWidth, height: partHeight, toWidth: newWidth, height: newHeight)
    }
  }
}
