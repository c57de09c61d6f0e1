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
