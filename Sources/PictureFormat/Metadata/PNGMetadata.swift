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
