/// The two headers of a Windows bitmap.
enum BMPHeader {
  /// The valid sizes of the second header: OS/2, Windows 3 without and with masks, versions 4 and 5.
  static let headerSizes: Set<Int> = [12, 40, 52, 56, 108, 124]

  static func read(_ bytes: [UInt8], _ limits: ImageLimits) throws(ImageRefusal) -> ImageHeader {
    guard let start = bytes.littleEndian32(at: 10), let size = bytes.littleEndian32(at: 14), bytes.count >= 14 + size
    else { throw .truncated(.bmp) }
    guard let (width, height) = self.size(bytes) else { throw .truncated(.bmp) }
    let depth = bytes.littleEndian16(at: size == 12 ? 24 : 28) ?? 0
    let compression = size == 12 ? 0 : bytes.littleEndian32(at: 30) ?? 0
    try limits.check(.bmp, width: width, height: height)
    switch compression {
    case 0, 3:
      guard [1, 4, 8, 16, 24, 32].contains(depth) else { throw .damaged(.bmp) }
      // Uncompressed: all rows must be there, each padded to four bytes.
      guard start + (width * depth + 31) / 32 * 4 * height <= bytes.count else { throw .truncated(.bmp) }
    case 1, 2: break
    default: throw .unsupportedVariant(.bmp)
    }
    return ImageHeader(
      format: .bmp, storedWidth: width, storedHeight: height,
      payload: ImagePayload(bytes: bytes, width: width, height: height))
  }

  static func size(_ bytes: [UInt8]) -> PixelSize? {
    if bytes.littleEndian32(at: 14) == 12 {
      guard let width = bytes.littleEndian16(at: 18), let height = bytes.littleEndian16(at: 20) else { return nil }
      return (width, height)
    }
    guard let width = bytes.littleEndian32(at: 18), let height = bytes.littleEndian32(at: 22) else { return nil }
    // A negative height means that the rows start at the top.
    return (signed(width), abs(signed(height)))
  }

  private static func signed(_ value: Int) -> Int { Int(Int32(truncatingIfNeeded: value)) }
}
