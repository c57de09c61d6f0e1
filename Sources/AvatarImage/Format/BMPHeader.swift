/// Reads the two headers of a Windows bitmap.
enum BMPHeader {
  /// Sizes of the second header that exist: OS/2, Windows 3, with masks, 4 and 5.
  static let headerSizes: Set<Int> = [12, 40, 52, 56, 108, 124]

  static func read(_ bytes: [UInt8], _ limits: ImageLimits) throws(ImageRefusal) -> ImageHeader {
    guard let start = bytes.littleEndian32(at: 10), let size = bytes.littleEndian32(at: 14), bytes.count >= 14 + size
    else { throw .truncated(.bmp) }
    var width: Int
    var height: Int
    var depth: Int
    var compression = 0
    if size == 12 {
      width = bytes.littleEndian16(at: 18) ?? 0
      height = bytes.littleEndian16(at: 20) ?? 0
      depth = bytes.littleEndian16(at: 24) ?? 0
    } else {
      width = signed(bytes.littleEndian32(at: 18))
      // Rows from the top have a negative height.
      height = abs(signed(bytes.littleEndian32(at: 22)))
      depth = bytes.littleEndian16(at: 28) ?? 0
      compression = bytes.littleEndian32(at: 30) ?? 0
    }
    try limits.check(.bmp, width: width, height: height, decodedBytesPerPixel: 4)
    switch compression {
    case 0, 3:
      guard [1, 4, 8, 16, 24, 32].contains(depth) else { throw .damaged(.bmp) }
      // Not compressed: all rows must be there, each filled to four bytes.
      guard start + (width * depth + 31) / 32 * 4 * height <= bytes.count else { throw .truncated(.bmp) }
    case 1, 2: break
    default: throw .unsupportedVariant(.bmp)
    }
    return ImageHeader(
      format: .bmp, storedWidth: width, storedHeight: height,
      payload: ImagePayload(bytes: bytes, width: width, height: height))
  }

  private static func signed(_ value: Int?) -> Int {
    Int(Int32(truncatingIfNeeded: value ?? 0))
  }
}
