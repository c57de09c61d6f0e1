/// The header of a WebP (RFC 9649). The first frame of an animation is extracted as a still image: the decoder's work
/// must not grow with the number of frames.
enum WebPHeader {
  private struct Frame {
    var alpha: Range<Int>?
    var image: Range<Int>
    var width: Int
    var height: Int
  }

  static func read(_ bytes: [UInt8], _ limits: ImageLimits) throws(ImageRefusal) -> ImageHeader {
    guard let size = bytes.littleEndian32(at: 4), bytes.count >= 20 else { throw .truncated(.webp) }
    guard size + 8 <= bytes.count else { throw .truncated(.webp) }
    let end = size + 8
    guard bytes.holds("VP8X", at: 12) else {
      let frame = try readFrame(bytes, 12, end, limits)
      return header(bytes, frame, width: frame.width, height: frame.height)
    }
    guard let (width, height) = canvasSize(bytes) else { throw .truncated(.webp) }
    try limits.check(.webp, width: width, height: height)
    var frame: Frame?
    var origin = (left: 0, top: 0)
    var orientation = ImageOrientation.upright
    var offset = 30
    while let chunk = chunk(bytes, offset, end) {
      if bytes.holds("EXIF", at: offset) {
        // Some writers put JPEG's marker text before the structure.
        let skip = bytes.holds("Exif\0\0", at: chunk.lowerBound) ? 6 : 0
        orientation = ImageOrientation(exif: bytes, from: chunk.lowerBound + skip, to: chunk.upperBound)
      } else if frame == nil {
        if bytes.holds("ANMF", at: offset), chunk.count >= 16,
          let left = bytes.littleEndian24(at: chunk.lowerBound),
          let top = bytes.littleEndian24(at: chunk.lowerBound + 3)
        {
          origin = (left * 2, top * 2)
          frame = try readFrame(bytes, chunk.lowerBound + 16, chunk.upperBound, limits)
        } else if bytes.holds("ALPH", at: offset) || bytes.holds("VP8 ", at: offset) || bytes.holds("VP8L", at: offset)
        {
          frame = try readFrame(bytes, offset, end, limits)
        }
      }
      offset = chunk.upperBound + chunk.count % 2
    }
    guard let frame else { throw .truncated(.webp) }
    guard origin.left + frame.width <= width, origin.top + frame.height <= height else { throw .damaged(.webp) }
    return header(bytes, frame, width: width, height: height, origin, orientation)
  }

  /// Returns an image's chunks: an optional alpha plane and one bit stream, whose own size is used.
  private static func readFrame(
    _ bytes: [UInt8], _ start: Int, _ end: Int, _ limits: ImageLimits
  ) throws(ImageRefusal) -> Frame {
    var alpha: Range<Int>?
    var offset = start
    while let chunk = chunk(bytes, offset, end) {
      let next = chunk.upperBound + chunk.count % 2
      if bytes.holds("ALPH", at: offset) {
        alpha = offset..<min(next, end)
      } else if bytes.holds("VP8 ", at: offset) || bytes.holds("VP8L", at: offset) {
        guard let size = bytes.holds("VP8L", at: offset) ? losslessSize(bytes, chunk) : lossySize(bytes, chunk) else {
          throw .damaged(.webp)
        }
        try limits.check(.webp, width: size.width, height: size.height)
        return Frame(alpha: alpha, image: offset..<min(next, end), width: size.width, height: size.height)
      }
      offset = next
    }
    throw .truncated(.webp)
  }

  /// Returns the size of the canvas, or of the only image; nil if it is missing or invalid.
  static func size(_ bytes: [UInt8]) -> PixelSize? {
    if bytes.holds("VP8X", at: 12) { return canvasSize(bytes) }
    // The chunk may be truncated: only its beginning is read.
    guard bytes.count > 20, let length = bytes.littleEndian32(at: 16) else { return nil }
    let data = 20..<min(bytes.count, 20 + length)
    if bytes.holds("VP8L", at: 12) { return losslessSize(bytes, data) }
    return bytes.holds("VP8 ", at: 12) ? lossySize(bytes, data) : nil
  }

  /// Reads the size of the canvas (RFC 9649, section 2.7): a chunk of ten bytes with 24 bits for each side, minus one.
  private static func canvasSize(_ bytes: [UInt8]) -> PixelSize? {
    guard bytes.littleEndian32(at: 16) == 10, let width = bytes.littleEndian24(at: 24),
      let height = bytes.littleEndian24(at: 27)
    else { return nil }
    return (width + 1, height + 1)
  }

  /// Returns the range of a chunk's data; nil if the chunk extends past `end`.
  private static func chunk(_ bytes: [UInt8], _ offset: Int, _ end: Int) -> Range<Int>? {
    guard offset + 8 <= end, let length = bytes.littleEndian32(at: offset + 4), offset + 8 + length <= end else {
      return nil
    }
    return offset + 8..<offset + 8 + length
  }

  /// Reads the size of a lossy image (RFC 6386, section 9.1): three bytes of frame tag, a start code, 14 bits for each
  /// side.
  private static func lossySize(_ bytes: [UInt8], _ chunk: Range<Int>) -> PixelSize? {
    let start = chunk.lowerBound
    guard chunk.count >= 10, Array(bytes[start + 3..<start + 6]) == [0x9D, 0x01, 0x2A],
      let width = bytes.littleEndian16(at: start + 6), let height = bytes.littleEndian16(at: start + 8)
    else { return nil }
    return (width & 0x3FFF, height & 0x3FFF)
  }

  /// Reads the size of a lossless image (RFC 9649, section 3.4): a signature byte, then 14 bits for each side, minus
  /// one.
  private static func losslessSize(_ bytes: [UInt8], _ chunk: Range<Int>) -> PixelSize? {
    guard chunk.count >= 5, bytes.byte(at: chunk.lowerBound) == 0x2F,
      let bits = bytes.littleEndian32(at: chunk.lowerBound + 1)
    else { return nil }
    return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
  }

  private static func header(
    _ bytes: [UInt8], _ frame: Frame, width: Int, height: Int, _ origin: (left: Int, top: Int) = (0, 0),
    _ orientation: ImageOrientation = .upright
  ) -> ImageHeader {
    var chunks: [UInt8] = []
    if let alpha = frame.alpha {
      // An alpha plane needs the extended header: flags with the alpha bit, then the frame's size minus one.
      chunks += Array("VP8X".utf8) + little(10, 4) + [0x10, 0, 0, 0]
      chunks += little(frame.width - 1, 3) + little(frame.height - 1, 3)
      chunks += bytes[alpha]
    }
    chunks += bytes[frame.image]
    if chunks.count % 2 == 1 { chunks.append(0) }
    let file = Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
    return ImageHeader(
      format: .webp, storedWidth: width, storedHeight: height, orientation: orientation,
      payload: ImagePayload(
        bytes: file, width: frame.width, height: frame.height, left: origin.left, top: origin.top))
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
