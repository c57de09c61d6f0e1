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

/// Numbers at an offset; nil past the end, so that no header can make the program trap.
extension [UInt8] {
  func byte(at offset: Int) -> Int? {
    offset >= 0 && offset < count ? Int(self[offset]) : nil
  }

  func bigEndian16(at offset: Int) -> Int? {
    guard let high = byte(at: offset), let low = byte(at: offset + 1) else { return nil }
    return high << 8 | low
  }

  func bigEndian32(at offset: Int) -> Int? {
    guard let high = bigEndian16(at: offset), let low = bigEndian16(at: offset + 2) else { return nil }
    return high << 16 | low
  }

  func littleEndian16(at offset: Int) -> Int? {
    guard let low = byte(at: offset), let high = byte(at: offset + 1) else { return nil }
    return high << 8 | low
  }

  func littleEndian24(at offset: Int) -> Int? {
    guard let low = littleEndian16(at: offset), let high = byte(at: offset + 2) else { return nil }
    return high << 16 | low
  }

  func littleEndian32(at offset: Int) -> Int? {
    guard let low = littleEndian16(at: offset), let high = littleEndian16(at: offset + 2) else { return nil }
    return high << 16 | low
  }

  /// Returns true if these ASCII characters are at the offset.
  func holds(_ text: StaticString, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset >= 0, offset <= count - length else { return false }
    return text.withUTF8Buffer { expected in
      for index in 0..<length where self[offset + index] != expected[index] { return false }
      return true
    }
  }
}

/// The header of a PNG (W3C PNG, third edition). Only the chunks needed for the pixels are kept: compressed text and
/// profiles are never inflated.
package enum PNGHeader {
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func read(_ bytes: [UInt8], _ limits: ImageLimits) throws(ImageRefusal) -> ImageHeader {
    guard bytes.count >= 33 else { throw .truncated(.png) }
    guard let (width, height) = size(bytes) else { throw .damaged(.png) }
    try limits.check(.png, width: width, height: height)

    var payload = signature
    payload.reserveCapacity(bytes.count)
    var orientation = ImageOrientation.upright
    var offset = 8
    while true {
      guard let length = bytes.bigEndian32(at: offset), offset + 12 + length <= bytes.count else {
        throw .truncated(.png)
      }
      let end = offset + 12 + length
      if bytes.holds("eXIf", at: offset + 4) {
        orientation = ImageOrientation(exif: bytes, from: offset + 8, to: end - 4)
      }
      if isKept(bytes, at: offset + 4) { payload += bytes[offset..<end] }
      if bytes.holds("IEND", at: offset + 4) { break }
      offset = end
    }
    return ImageHeader(
      format: .png, storedWidth: width, storedHeight: height, orientation: orientation,
      payload: ImagePayload(bytes: payload, width: width, height: height))
  }

  /// Returns the first chunk's width and height; nil if it is missing or not of 13 bytes.
  static func size(_ bytes: [UInt8]) -> PixelSize? {
    guard bytes.bigEndian32(at: 8) == 13, bytes.holds("IHDR", at: 12), let width = bytes.bigEndian32(at: 16),
      let height = bytes.bigEndian32(at: 20)
    else { return nil }
    return (width, height)
  }

  /// Returns a valid PNG with only the chunks needed for the pixels: the encoder also writes the number of significant
  /// bits.
  package static func bare(_ png: [UInt8]) throws(ImageRefusal) -> [UInt8] {
    try read(png, .standard).payload.bytes
  }

  private static func isKept(_ bytes: [UInt8], at offset: Int) -> Bool {
    bytes.holds("IDAT", at: offset) || bytes.holds("IHDR", at: offset) || bytes.holds("PLTE", at: offset)
      || bytes.holds("tRNS", at: offset) || bytes.holds("IEND", at: offset)
  }
}

/// The header of a GIF (GIF89a specification) with the first frame; the rest is cut off.
enum GIFHeader {
  static func read(_ bytes: [UInt8], _ limits: ImageLimits) throws(ImageRefusal) -> ImageHeader {
    guard let (width, height) = size(bytes), let flags = bytes.byte(at: 10) else { throw .truncated(.gif) }
    try limits.check(.gif, width: width, height: height)
    var offset = 13 + tableBytes(flags)
    guard offset < bytes.count else { throw .truncated(.gif) }
    var payload = Array(bytes[..<offset])

    while let block = bytes.byte(at: offset) {
      switch block {
      case 0x21:
        guard let label = bytes.byte(at: offset + 1) else { throw .truncated(.gif) }
        let end = try endOfSubBlocks(bytes, offset + 2)
        // Of the extensions only the graphic control matters: it defines the transparent color.
        if label == 0xF9 { payload += bytes[offset..<end] }
        offset = end
      case 0x2C:
        guard let frameWidth = bytes.littleEndian16(at: offset + 5),
          let frameHeight = bytes.littleEndian16(at: offset + 7), let frameFlags = bytes.byte(at: offset + 9)
        else { throw .truncated(.gif) }
        try limits.check(.gif, width: frameWidth, height: frameHeight)
        // One byte after the colors gives the code size.
        let end = try endOfSubBlocks(bytes, offset + 10 + tableBytes(frameFlags) + 1)
        guard end - offset <= limits.gifFrameBytes else { throw .tooManyBytes(limit: limits.gifFrameBytes) }
        payload += bytes[offset..<end]
        payload.append(0x3B)
        return ImageHeader(
          format: .gif, storedWidth: width, storedHeight: height,
          payload: ImagePayload(bytes: payload, width: width, height: height))
      case 0x3B: throw .noPixels(.gif)
      default: throw .damaged(.gif)
      }
    }
    throw .truncated(.gif)
  }

  /// Returns the size of the logical screen; nil if the bytes end before it.
  static func size(_ bytes: [UInt8]) -> PixelSize? {
    guard let width = bytes.littleEndian16(at: 6), let height = bytes.littleEndian16(at: 8) else { return nil }
    return (width, height)
  }

  static func tableBytes(_ flags: Int) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1)
  }

  static func endOfSubBlocks(_ bytes: [UInt8], _ start: Int) throws(ImageRefusal) -> Int {
    var offset = start
    while let length = bytes.byte(at: offset) {
      offset += 1 + length
      if length == 0 { return offset }
    }
    throw .truncated(.gif)
  }
}

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
