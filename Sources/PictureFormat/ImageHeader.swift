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
  package let payload: ImagePayload

  /// Width in pixels as shown.
  public var width: Int { orientation.swapsSides ? storedHeight : storedWidth }
  /// Height in pixels as shown.
  public var height: Int { orientation.swapsSides ? storedWidth : storedHeight }

  /// Reads a header. Throws when the bytes are no picture, not a whole one, or beyond a limit.
  public init(_ bytes: [UInt8], limits: ImageLimits = .standard) throws(ImageRefusal) {
    switch try ImageFormat.recognized(bytes, limits) {
    case .png: self = try PNGHeader.read(bytes, limits)
    case .jpeg: self = try JPEGHeader.read(bytes, limits)
    case .gif: self = try GIFHeader.read(bytes, limits)
    case .webp: self = try WebPHeader.read(bytes, limits)
    case .bmp: self = try BMPHeader.read(bytes, limits)
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
package struct ImagePayload: Sendable, Hashable {
  /// A whole file of the format.
  package var bytes: [UInt8]
  /// Size of the picture in those bytes; differs from the header's only for a frame that covers part of an animation.
  package var width: Int
  package var height: Int
  /// Where that frame lies.
  package var left = 0
  package var top = 0
  /// True for a JPEG without its end marker, which has been put in place: whether more is missing, only a decoder can tell.
  package var lacksEnd = false
}
