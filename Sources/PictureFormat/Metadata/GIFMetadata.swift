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
