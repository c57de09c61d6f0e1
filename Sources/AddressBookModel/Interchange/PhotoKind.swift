/// Tells a picture's format by its first bytes.
enum PhotoKind {
  /// The media type, or an empty text for bytes of no format that is known.
  static func mediaType(of bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if bytes.starts(with: Array("GIF8".utf8)) { return "image/gif" }
    if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      return "image/webp"
    }
    if bytes.starts(with: Array("BM".utf8)) { return "image/bmp" }
    if bytes.starts(with: [0x49, 0x49, 0x2A, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) { return "image/tiff" }
    if bytes.dropFirst(4).starts(with: Array("ftyphei".utf8)) || bytes.dropFirst(4).starts(with: Array("ftypmif1".utf8))
    {
      return "image/heic"
    }
    if bytes.dropFirst(4).starts(with: Array("ftypavif".utf8)) { return "image/avif" }
    return ""
  }
}
