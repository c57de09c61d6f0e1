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
