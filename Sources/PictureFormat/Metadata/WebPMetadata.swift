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
