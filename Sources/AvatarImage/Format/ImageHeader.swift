/// What a picture's header says, read without decoding anything and checked against the limits.
public struct ImageHeader: Sendable, Hashable {
  /// The format by its bytes.
  public let format: ImageFormat
  /// Width in pixels as stored.
  public let storedWidth: Int
  /// Height in pixels as stored.
  public let storedHeight: Int
  /// How it is to be turned before it is shown.
  public let orientation: ImageOrientation
  /// What the decoder is given: the data of one picture without its metadata.
  let payload: ImagePayload

  /// Width in pixels as shown.
  public var width: Int { orientation.swapsSides ? storedHeight : storedWidth }
  /// Height in pixels as shown.
  public var height: Int { orientation.swapsSides ? storedWidth : storedHeight }

  /// Reads a header. Throws when the bytes are no picture, not a whole one, or beyond a limit.
  public init(_ bytes: [UInt8], limits: ImageLimits = .standard) throws(ImageRefusal) {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= limits.bytes else { throw .tooManyBytes(limit: limits.bytes) }
    switch SniffedFormat(bytes) {
    case .image(.png): self = try PNGHeader.read(bytes, limits)
    case .image(.jpeg): self = try JPEGHeader.read(bytes, limits)
    case .image(.gif): self = try GIFHeader.read(bytes, limits)
    case .image(.webp): self = try WebPHeader.read(bytes, limits)
    case .image(.bmp): self = try BMPHeader.read(bytes, limits)
    case .foreign(let format): throw .unsupported(format)
    case .unknown: throw .unrecognized
    }
  }

  init(
    format: ImageFormat, storedWidth: Int, storedHeight: Int, orientation: ImageOrientation = .upright,
    payload: ImagePayload
  ) {
    self.format = format
    self.storedWidth = storedWidth
    self.storedHeight = storedHeight
    self.orientation = orientation
    self.payload = payload
  }
}

/// What is handed to the decoder.
struct ImagePayload: Sendable, Hashable {
  /// A whole file of the format.
  var bytes: [UInt8]
  /// Size of the picture in those bytes; differs from the header's only for a frame that covers part of an animation.
  var width: Int
  var height: Int
  /// Where that frame lies.
  var left = 0
  var top = 0
}

extension ImageLimits {
  /// Checks a size that a header names. The decoder holds `decodedBytesPerPixel` for each pixel at once; nil when it
  /// works by rows.
  func check(_ format: ImageFormat, width: Int, height: Int, decodedBytesPerPixel: Int?) throws(ImageRefusal) {
    guard width > 0, height > 0 else { throw .noPixels(format) }
    var limit = pixels
    if let decodedBytesPerPixel { limit = min(limit, decodedBytes / decodedBytesPerPixel) }
    guard width <= side, height <= side else { throw .sideTooLong(width: width, height: height, limit: side) }
    // Both sides are at most `side` here, so the product cannot overflow.
    guard width * height <= limit else { throw .tooManyPixels(width: width, height: height, limit: limit) }
  }
}
