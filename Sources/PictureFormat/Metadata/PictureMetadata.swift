/// Everything in an image that is not needed to show it: where and when it was taken, with what, by whom, and a
/// thumbnail of what was cropped away.
///
/// The pixel data are unchanged; nothing is encoded again. Data that affect the display are kept too:
/// color profile, transparency, animation, and the orientation from Exif.
public enum PictureMetadata {
  /// Returns the image without metadata; the same bytes if it has none. A truncated image stays truncated.
  public static func stripped(_ bytes: [UInt8], format: ImageFormat) -> [UInt8] {
    switch format {
    case .jpeg: JPEGMetadata.stripped(bytes)
    case .png: PNGMetadata.stripped(bytes)
    case .gif: GIFMetadata.stripped(bytes)
    case .webp: WebPMetadata.stripped(bytes)
    // A bitmap has no place for such metadata.
    case .bmp: bytes
    }
  }

  /// Returns an Exif structure (TIFF 6.0, section 2) that only contains the orientation.
  static func exif(_ orientation: ImageOrientation) -> [UInt8] {
    let header: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    // One entry: tag 0x0112, a single 16-bit number.
    let entry: [UInt8] = [0x12, 0x01, 3, 0, 1, 0, 0, 0, UInt8(orientation.rawValue), 0, 0, 0]
    return header + [1, 0] + entry + [0, 0, 0, 0]
  }
}

/// A copy of bytes without certain ranges, which are given in order.
struct CutCopy {
  private let bytes: [UInt8]
  private var result: [UInt8] = []
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    result.reserveCapacity(bytes.count)
  }

  /// Replaces a range with other bytes, or removes it.
  mutating func replace(_ range: Range<Int>, with other: [UInt8] = []) {
    result += bytes[position..<range.lowerBound]
    result += other
    position = range.upperBound
  }

  /// Returns the copy, up to an offset or the end.
  consuming func finish(at end: Int? = nil) -> [UInt8] {
    result += bytes[position..<max(position, end ?? bytes.count)]
    return result
  }
}
