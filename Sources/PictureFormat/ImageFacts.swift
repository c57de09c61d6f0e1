/// Width and height in pixels.
typealias PixelSize = (width: Int, height: Int)

/// The format and size from the beginning of an image. Unlike ``ImageHeader``, this does not need the rest: a truncated
/// photo, which other programs may still show, can be kept.
public struct ImageFacts: Sendable, Hashable {
  /// The format detected from the bytes.
  public let format: ImageFormat
  /// Width in pixels as stored.
  public let width: Int
  /// Height in pixels as stored.
  public let height: Int

  /// Reads the beginning. Throws if the bytes are not an image of a supported format, end before the size, declare an
  /// empty image, or exceed the limits on bytes, side, pixels and decoded bytes.
  public init(_ bytes: [UInt8], limits: ImageLimits = .standard) throws(ImageRefusal) {
    let format = try ImageFormat.recognized(bytes, limits)
    let size =
      switch format {
      case .png: PNGHeader.size(bytes)
      case .jpeg: JPEGHeader.size(bytes)
      case .gif: GIFHeader.size(bytes)
      case .webp: WebPHeader.size(bytes)
      case .bmp: BMPHeader.size(bytes)
      }
    guard let size else { throw .truncated(format) }
    try limits.check(format, width: size.width, height: size.height)
    self.format = format
    width = size.width
    height = size.height
  }
}

extension ImageFormat {
  /// Returns the format of a file; throws if it is empty, exceeds the size limit or is not supported.
  static func recognized(_ bytes: [UInt8], _ limits: ImageLimits) throws(ImageRefusal) -> ImageFormat {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= limits.bytes else { throw .tooManyBytes(limit: limits.bytes) }
    switch SniffedFormat(bytes) {
    case .image(let format): return format
    case .foreign(let format): throw .unsupported(format)
    case .unknown: throw .unrecognized
    }
  }
}
