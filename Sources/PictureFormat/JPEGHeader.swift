import Glibc

/// The header of a JPEG (ITU T.81): size, kind, number of scans and orientation, from all markers to the end.
enum JPEGHeader {
  private struct Frame {
    var width: Int
    var height: Int
    var components: Int
    var isProgressive: Bool
    /// Bytes of all coefficients, which a decoder must hold if there are several scans.
    var coefficientBytes: Int
  }

  static func read(_ bytes: [UInt8], _ limits: ImageLimits) throws(ImageRefusal) -> ImageHeader {
    var frame: Frame?
    var orientation = ImageOrientation.upright
    var scans = 0
    var scannedComponents: Set<Int> = []
    var needsCoefficients = false
    var lacksEnd = false
    var offset = 2
    walk: while true {
      guard let marker = nextMarker(bytes, &offset) else {
        guard let frame, scans > 0, scannedComponents.count == frame.components else { throw .truncated(.jpeg) }
        lacksEnd = true
        break walk
      }
      if marker == 0xD9 { break walk }
      // Markers without a length: TEM, restarts, a second start.
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      guard let length = bytes.bigEndian16(at: offset) else { throw .truncated(.jpeg) }
      guard length >= 2 else { throw .damaged(.jpeg) }
      guard offset + length <= bytes.count else { throw .truncated(.jpeg) }
      switch marker {
      case 0xE1 where bytes.holds("Exif\0\0", at: offset + 2):
        orientation = ImageOrientation(exif: bytes, from: offset + 8, to: offset + length)
      case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA:
        guard frame == nil else { throw .damaged(.jpeg) }
        frame = try readFrame(bytes, offset, length, isProgressive: marker == 0xC2 || marker == 0xCA, limits)
      case 0xC3, 0xC5...0xC7, 0xCB, 0xCD...0xCF:  // lossless and hierarchical
        throw .unsupportedVariant(.jpeg)
      case 0xDA:
        guard let frame, let inScan = bytes.byte(at: offset + 2) else { throw .damaged(.jpeg) }
        scans += 1
        for index in 0..<inScan {
          if let name = bytes.byte(at: offset + 3 + 2 * index) { scannedComponents.insert(name) }
        }
        needsCoefficients = needsCoefficients || frame.isProgressive || inScan < frame.components
      default: break
      }
      offset += length
    }
    guard let frame, scans > 0 else { throw .damaged(.jpeg) }
    let pixels = frame.width * frame.height
    if needsCoefficients {
      guard frame.coefficientBytes <= limits.decodedBytes else {
        let limit = pixels * limits.decodedBytes / frame.coefficientBytes
        throw .tooManyPixels(width: frame.width, height: frame.height, limit: limit)
      }
      // Allow at least 16 scans for an image of any size: some encoders write a dozen.
      let limit = max(16, limits.scannedPixels / pixels)
      guard scans <= min(limit, 1000) else { throw .tooManyScans(count: scans, limit: min(limit, 1000)) }
    }
    var payload = ImagePayload(bytes: Array(bytes[..<offset]), width: frame.width, height: frame.height)
    if lacksEnd {
      payload.bytes = bytes
      // Half of the end marker, or fill bytes before it.
      while payload.bytes.last == 0xFF { payload.bytes.removeLast() }
      payload.bytes += [0xFF, 0xD9]
      payload.lacksEnd = true
    }
    return ImageHeader(
      format: .jpeg, storedWidth: frame.width, storedHeight: frame.height, orientation: orientation, payload: payload)
  }

  /// Returns the size of the first frame of any kind, after which data may be missing; nil if there is no frame.
  static func size(_ bytes: [UInt8]) -> PixelSize? {
    var offset = 2
    while let marker = nextMarker(bytes, &offset) {
      switch marker {
      case 0x01, 0xD0...0xD8: continue
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return frameSize(bytes, offset)
      case 0xD9, 0xDA: return nil
      default:
        guard let length = bytes.bigEndian16(at: offset), length >= 2 else { return nil }
        offset += length
      }
    }
    return nil
  }

  private static func frameSize(_ bytes: [UInt8], _ offset: Int) -> PixelSize? {
    guard let height = bytes.bigEndian16(at: offset + 3), let width = bytes.bigEndian16(at: offset + 5) else {
      return nil
    }
    return (width, height)
  }

  private static func readFrame(
    _ bytes: [UInt8], _ offset: Int, _ length: Int, isProgressive: Bool, _ limits: ImageLimits
  ) throws(ImageRefusal) -> Frame {
    guard let (width, height) = frameSize(bytes, offset),
      let components = bytes.byte(at: offset + 7), components > 0, length >= 8 + 3 * components
    else { throw .damaged(.jpeg) }
    try limits.check(.jpeg, width: width, height: height)
    var factors: [(horizontal: Int, vertical: Int)] = []
    for component in 0..<components {
      let sampling = bytes.byte(at: offset + 9 + 3 * component) ?? 0
      factors.append((sampling >> 4, sampling & 15))
    }
    guard let horizontal = factors.map(\.horizontal).max(), let vertical = factors.map(\.vertical).max(),
      factors.allSatisfy({ (1...4).contains($0.horizontal) && (1...4).contains($0.vertical) })
    else { throw .damaged(.jpeg) }
    let columns = (width + 8 * horizontal - 1) / (8 * horizontal)
    let rows = (height + 8 * vertical - 1) / (8 * vertical)
    let blocks = factors.reduce(0) { $0 + $1.horizontal * $1.vertical } * columns * rows
    return Frame(
      width: width, height: height, components: components, isProgressive: isProgressive, coefficientBytes: blocks * 128
    )
  }

  /// Returns the second byte of the next marker, and moves the offset past it; nil if there are no more markers. Skips
  /// compressed data, restart markers and fill bytes.
  static func nextMarker(_ bytes: [UInt8], _ offset: inout Int) -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return nil }
      while offset < buffer.count - 1 {
        guard let found = memchr(base + offset, 0xFF, buffer.count - 1 - offset) else { return nil }
        let index = base.distance(to: UnsafeRawPointer(found))
        let second = Int(buffer[index + 1])
        if second == 0xFF {
          offset = index + 1
        } else {
          offset = index + 2
          if second != 0, !(0xD0...0xD7).contains(second) { return second }
        }
      }
      return nil
    }
  }
}
