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

/// The metadata to remove from a JPEG: application segments that do not affect its display (ITU T.81, B.2.4.6),
/// comments, and everything after its end, where phones append further images and videos.
enum JPEGMetadata {
  static func stripped(_ bytes: [UInt8]) -> [UInt8] {
    var orientation = ImageOrientation.upright
    var cut: [(range: Range<Int>, replacement: [UInt8])] = []
    var end: Int?
    /// Where to insert the orientation: after the JFIF segment, which comes first.
    var exifOffset = 2
    var offset = 2
    while let marker = JPEGHeader.nextMarker(bytes, &offset) {
      if marker == 0xD9 {
        end = offset
        break
      }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      guard let length = bytes.bigEndian16(at: offset), length >= 2 else { break }
      let segment = offset - 2..<min(offset + length, bytes.count)
      offset += length
      switch marker {
      case 0xE0 where bytes.holds("JFIF\0", at: segment.lowerBound + 4):
        if segment.lowerBound == 2 { exifOffset = segment.upperBound }
        if let bare = withoutThumbnail(bytes, segment) { cut.append((segment, bare)) }
      // A color profile, and Adobe's marker for the color encoding.
      case 0xE2 where bytes.holds("ICC_PROFILE\0", at: segment.lowerBound + 4): break
      case 0xEE where bytes.holds("Adobe", at: segment.lowerBound + 4): break
      case 0xE0...0xEF, 0xFE:
        if marker == 0xE1, bytes.holds("Exif\0\0", at: segment.lowerBound + 4) {
          orientation = ImageOrientation(exif: bytes, from: segment.lowerBound + 10, to: segment.upperBound)
        }
        // Bytes before the next marker belong to no segment, and directly after the start they would hide the file's
        // format.
        cut.append((segment.lowerBound..<nextMarkerPrefix(bytes, segment.upperBound), []))
      default: break
      }
    }
    var copy = CutCopy(bytes)
    if orientation != .upright {
      // Only the JFIF segment's thumbnail may be cut before it.
      let position = cut.first.map { $0.range.upperBound == exifOffset } == true ? 1 : 0
      cut.insert((exifOffset..<nextMarkerPrefix(bytes, exifOffset), segment(orientation)), at: position)
    }
    for (range, replacement) in cut { copy.replace(range, with: replacement) }
    return copy.finish(at: end)
  }

  /// Returns the offset of the next byte that may begin a marker; without one, the end.
  private static func nextMarkerPrefix(_ bytes: [UInt8], _ offset: Int) -> Int {
    bytes[offset...].firstIndex(of: 0xFF) ?? bytes.count
  }

  /// Returns a JFIF segment without its thumbnail (JFIF 1.02); nil if it has none.
  private static func withoutThumbnail(_ bytes: [UInt8], _ segment: Range<Int>) -> [UInt8]? {
    let start = segment.lowerBound
    guard segment.count > 18 else { return nil }
    return [0xFF, 0xE0, 0, 16] + bytes[start + 4..<start + 16] + [0, 0]
  }

  private static func segment(_ orientation: ImageOrientation) -> [UInt8] {
    let exif = Array("Exif\0\0".utf8) + PictureMetadata.exif(orientation)
    return [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
  }
}

/// The metadata to remove from a PNG: text, Exif, times, private chunks, and everything after its end. Chunks that
/// affect its display are kept (W3C PNG, third edition, 11.3).
enum PNGMetadata {
  /// The ancillary chunks to keep; all critical ones are kept.
  private static let kept: Set<String> = [
    "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "cICP", "mDCV", "cLLI", "bKGD", "hIST", "pHYs", "sPLT", "acTL",
    "fcTL",
    "fdAT",
  ]

  static func stripped(_ bytes: [UInt8]) -> [UInt8] {
    var orientation = ImageOrientation.upright
    var cut: [Range<Int>] = []
    var end: Int?
    /// The offset after the first chunk, IHDR.
    var exifOffset: Int?
    var offset = 8
    while let length = bytes.bigEndian32(at: offset), offset + 8 <= bytes.count {
      let chunk = offset..<min(offset + 12 + length, bytes.count)
      let name = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
      // The names of critical chunks begin with a capital letter.
      let isKept = bytes[offset + 4] & 0x20 == 0 || kept.contains(name) || exifOffset == nil
      if name == "eXIf" {
        orientation = ImageOrientation(exif: bytes, from: offset + 8, to: chunk.upperBound - 4)
      }
      if !isKept { cut.append(chunk) }
      offset = chunk.upperBound
      if exifOffset == nil { exifOffset = offset }
      if name == "IEND" {
        end = offset
        break
      }
    }
    var copy = CutCopy(bytes)
    if orientation != .upright, let exifOffset {
      copy.replace(exifOffset..<exifOffset, with: chunk("eXIf", PictureMetadata.exif(orientation)))
    }
    for range in cut { copy.replace(range) }
    return copy.finish(at: end)
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    func big(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    let body = Array(name.utf8) + data
    return big(UInt32(data.count)) + body + big(checksum(body))
  }

  /// Returns the CRC-32 of a PNG chunk (annex D).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
    }
    return ~crc
  }
}

/// The metadata to remove from a GIF: comments (GIF89a, 24), application data except the number of repetitions and the
/// color profile, and everything after its end.
enum GIFMetadata {
  static func stripped(_ bytes: [UInt8]) -> [UInt8] {
    guard let flags = bytes.byte(at: 10) else { return bytes }
    var copy = CutCopy(bytes)
    var offset = 13 + GIFHeader.tableBytes(flags)
    while let block = bytes.byte(at: offset) {
      switch block {
      case 0x21:
        guard let label = bytes.byte(at: offset + 1),
          let end = try? GIFHeader.endOfSubBlocks(bytes, offset + 2)
        else { return copy.finish() }
        if label == 0xFE || (label == 0xFF && !isKept(bytes, at: offset + 3)) { copy.replace(offset..<end) }
        offset = end
      case 0x2C:
        guard let frameFlags = bytes.byte(at: offset + 9),
          let end = try? GIFHeader.endOfSubBlocks(bytes, offset + 10 + GIFHeader.tableBytes(frameFlags) + 1)
        else { return copy.finish() }
        offset = end
      case 0x3B: return copy.finish(at: offset + 1)
      default: return copy.finish()
      }
    }
    return copy.finish()
  }

  private static func isKept(_ bytes: [UInt8], at offset: Int) -> Bool {
    bytes.holds("NETSCAPE2.0", at: offset) || bytes.holds("ANIMEXTS1.0", at: offset)
      || bytes.holds("ICCRGBG1012", at: offset)
  }
}

/// The metadata to remove from a WebP: Exif, XMP, unknown chunks, and everything after its end. Chunks that are needed
/// to show it are kept (RFC 9649, 2.7).
enum WebPMetadata {
  private static let kept: Set<String> = ["VP8X", "ICCP", "ANIM", "ANMF", "ALPH", "VP8 ", "VP8L"]

  static func stripped(_ bytes: [UInt8]) -> [UInt8] {
    guard let size = bytes.littleEndian32(at: 4) else { return bytes }
    let end = min(size + 8, bytes.count)
    var orientation = ImageOrientation.upright
    var copy = CutCopy(bytes)
    var hasPicture = false
    var removed = 0
    var offset = 12
    while let length = bytes.littleEndian32(at: offset + 4), offset + 8 <= end {
      let next = min(offset + 8 + length + length % 2, end)
      if bytes.holds("EXIF", at: offset) {
        // Some writers put JPEG's marker text before the structure.
        let start = offset + 8 + (bytes.holds("Exif\0\0", at: offset + 8) ? 6 : 0)
        orientation = ImageOrientation(exif: bytes, from: start, to: next)
      }
      let name = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
      if ["ANMF", "VP8 ", "VP8L"].contains(name) { hasPicture = true }
      if !kept.contains(name) {
        copy.replace(offset..<next)
        removed += next - offset
      }
      offset = next
    }
    // A size that ends before the image is wrong, and might cut off the image.
    guard hasPicture else { return bytes }
    // The remaining bytes are too few for a chunk, and would stand between the image and the orientation.
    if offset < end {
      copy.replace(offset..<end)
      removed += end - offset
    }
    var result = copy.finish(at: end)
    let hasCanvas = result.holds("VP8X", at: 12) && result.count > 20
    // Bits 3 and 2 of the flags announce Exif and XMP.
    if hasCanvas { result[20] &= ~0x0C }
    var added = 0
    if hasCanvas, orientation != .upright {
      let exif = PictureMetadata.exif(orientation)
      let padding = [UInt8](repeating: 0, count: result.count % 2)
      result[20] |= 0x08
      result += padding + Array("EXIF".utf8) + little(exif.count) + exif
      added = padding.count + 8 + exif.count
    }
    result.replaceSubrange(4..<8, with: little(size - removed + added))
    return result
  }

  private static func little(_ value: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
