/// An image's header, read without decoding anything and checked against the limits.
public struct ImageHeader: Sendable, Hashable {
  /// The format detected from the bytes.
  public let format: ImageFormat
  /// Width in pixels as stored.
  public let storedWidth: Int
  /// Height in pixels as stored.
  public let storedHeight: Int
  /// How to rotate or mirror the stored image for display.
  public let orientation: ImageOrientation
  /// The input of the decoder: the data of one image.
  package let payload: ImagePayload

  /// Width in pixels as displayed.
  public var width: Int { orientation.swapsSides ? storedHeight : storedWidth }
  /// Height in pixels as displayed.
  public var height: Int { orientation.swapsSides ? storedWidth : storedHeight }

  /// Reads a header. Throws if the bytes are not an image of a supported format and variant, are damaged, exceed a
  /// limit, or end too early. A JPEG may lack its end marker, and a GIF everything after its first frame.
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

/// The input of the decoder.
package struct ImagePayload: Sendable, Hashable {
  /// A complete file of the format.
  package var bytes: [UInt8]
  /// Size of the image in those bytes. It only differs from the header's for a frame that covers part of an animation.
  package var width: Int
  package var height: Int
  /// The offset of that frame.
  package var left = 0
  package var top = 0
  /// True for a JPEG whose missing end marker was added: only a decoder can tell whether more is missing.
  package var lacksEnd = false
}
