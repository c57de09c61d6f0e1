/// Limits for images. All but ``workingPixels`` are checked before a decoder sees the data.
public struct ImageLimits: Sendable, Hashable {
  /// Bytes of the file.
  public var bytes: Int
  /// Pixels of the longest side.
  public var side: Int
  /// Total pixels, for any format.
  public var pixels: Int
  /// Bytes that the decoder would hold for the whole image: its samples, or the coefficients of a JPEG with several
  /// scans.
  public var decodedBytes: Int
  /// Pixels times scans of a JPEG with several scans: each scan takes a pass over the whole image.
  public var scannedPixels: Int
  /// Bytes of a GIF's first frame: gdk-pixbuf's time grows with their square, 0.3 s for 2 MB and 26 s for 14 MB.
  public var gifFrameBytes: Int
  /// Pixels of the decoded image; a larger image is scaled down during decoding.
  public var workingPixels: Int

  /// Creates limits. The defaults are the program's: 40 MiB, 32,768 a side, 128 megapixels (a phone's JPEG; memory
  /// limits a PNG to 42), 160 MiB while decoding, 500 megapixels in all scans of a JPEG, 3 MiB for a GIF's frame, and 2
  /// megapixels after decoding.
  public init(
    bytes: Int = 40 << 20, side: Int = 32_768, pixels: Int = 128_000_000, decodedBytes: Int = 160 << 20,
    scannedPixels: Int = 500_000_000, gifFrameBytes: Int = 3 << 20, workingPixels: Int = 2_000_000
  ) {
    self.bytes = bytes
    self.side = side
    self.pixels = pixels
    self.decodedBytes = decodedBytes
    self.scannedPixels = scannedPixels
    self.gifFrameBytes = gifFrameBytes
    self.workingPixels = workingPixels
  }

  /// The program's limits.
  public static let standard = ImageLimits()

  func check(_ format: ImageFormat, width: Int, height: Int) throws(ImageRefusal) {
    guard width > 0, height > 0 else { throw .noPixels(format) }
    var limit = pixels
    if let bytes = format.decodedBytesPerPixel { limit = min(limit, decodedBytes / bytes) }
    guard width <= side, height <= side else { throw .sideTooLong(width: width, height: height, limit: side) }
    // Both sides are at most `side` here, so the product cannot overflow.
    guard width * height <= limit else { throw .tooManyPixels(width: width, height: height, limit: limit) }
  }
}
