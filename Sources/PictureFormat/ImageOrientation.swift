/// The camera's orientation: how to transform the stored pixels (Exif 2.32, tag 0x0112).
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
  /// As stored.
  case upright = 1
  /// Mirrored left to right.
  case mirrored
  /// Rotated by 180°.
  case half
  /// Mirrored top to bottom.
  case flipped
  /// Mirrored along the main diagonal.
  case transposed
  /// Must be rotated 90° clockwise.
  case right
  /// Mirrored along the other diagonal.
  case transversed
  /// Must be rotated 90° counterclockwise.
  case left

  /// True if width and height are swapped.
  public var swapsSides: Bool { rawValue >= 5 }

  /// Returns the stored position of a displayed pixel, in a stored image of that width and height.
  package func source(ofColumn column: Int, row: Int, width: Int, height: Int) -> (column: Int, row: Int) {
    switch self {
    case .upright: (column, row)
    case .mirrored: (width - 1 - column, row)
    case .half: (width - 1 - column, height - 1 - row)
    case .flipped: (column, height - 1 - row)
    case .transposed: (row, column)
    case .right: (row, height - 1 - column)
    case .transversed: (width - 1 - row, height - 1 - column)
    case .left: (width - 1 - row, column)
    }
  }
}

extension ImageOrientation {
  /// Reads the orientation from a TIFF structure that begins at the offset and ends before `end`; upright if it is
  /// missing or invalid.
  init(exif bytes: [UInt8], from start: Int, to end: Int) {
    self = Self.find(bytes, start, min(end, bytes.count)) ?? .upright
  }

  private static func find(_ bytes: [UInt8], _ start: Int, _ end: Int) -> ImageOrientation? {
    let isLittle = bytes.holds("II", at: start)
    guard isLittle || bytes.holds("MM", at: start) else { return nil }
    func short(_ offset: Int) -> Int? {
      guard offset + 2 <= end else { return nil }
      return isLittle ? bytes.littleEndian16(at: offset) : bytes.bigEndian16(at: offset)
    }
    func long(_ offset: Int) -> Int? {
      guard offset + 4 <= end else { return nil }
      return isLittle ? bytes.littleEndian32(at: offset) : bytes.bigEndian32(at: offset)
    }
    guard short(start + 2) == 42, let directory = long(start + 4), let entries = short(start + directory) else {
      return nil
    }
    for entry in 0..<entries {
      let offset = start + directory + 2 + entry * 12
      guard let tag = short(offset) else { return nil }
      // Tag 0x0112, a single 16-bit number.
      guard tag == 0x0112 else { continue }
      guard short(offset + 2) == 3, long(offset + 4) == 1, let value = short(offset + 8) else { return nil }
      return ImageOrientation(rawValue: value)
    }
    return nil
  }
}
