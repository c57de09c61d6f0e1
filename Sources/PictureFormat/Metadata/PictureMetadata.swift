/// Takes out of a picture what is not the picture: where and when it was taken, with what, by whom, and a thumbnail of what
/// was cropped away.
///
/// The bytes of the pixels stay as they are; nothing is encoded again. What a program needs to show the picture stays too:
/// color profile, transparency, animation, and of Exif the orientation alone.
public enum PictureMetadata {
  /// The picture without metadata; the same bytes where it has none. What was cut short stays cut short.
  public static func stripped(_ bytes: [UInt8], format: ImageFormat) -> [UInt8] {
    switch format {
    case .jpeg: JPEGMetadata.stripped(bytes)
    case .png: PNGMetadata.stripped(bytes)
    case .gif: GIFMetadata.stripped(bytes)
    case .webp: WebPMetadata.stripped(bytes)
    // Two headers and the pixels.
    case .bmp: bytes
    }
  }

  /// An Exif structure (TIFF 6.0, section 2) that says the orientation and nothing else.
  static func exif(_ orientation: ImageOrientation) -> [UInt8] {
    let header: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    // One entry: tag 0x0112, a 16-bit number, once.
    let entry: [UInt8] = [0x12, 0x01, 3, 0, 1, 0, 0, 0, UInt8(orientation.rawValue), 0, 0, 0]
    return header + [1, 0] + entry + [0, 0, 0, 0]
  }
}

/// Copies bytes but for the ranges that are left out, which are named in their order.
struct CutCopy {
  private let bytes: [UInt8]
  private var result: [UInt8] = []
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    result.reserveCapacity(bytes.count)
  }

  /// Leaves a range out and puts others there.
  mutating func replace(_ range: Range<Int>, with other: [UInt8] = []) {
    result += bytes[position..<range.lowerBound]
    result += other
    position = range.upperBound
  }

  /// The copy, up to an offset or the end.
  consuming func finish(at end: Int? = nil) -> [UInt8] {
    result += bytes[position..<max(position, end ?? bytes.count)]
    return result
  }
}
