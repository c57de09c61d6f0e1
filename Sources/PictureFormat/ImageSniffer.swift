/// The type of a file, detected from its first bytes; the file name is ignored.
enum SniffedFormat: Hashable {
  case image(ImageFormat)
  case foreign(ForeignFormat)
  case unknown
}

extension ImageFormat {
  /// Detects the format of a file that begins with these bytes (32 are enough); nil if it is not supported. The rest of
  /// the file may still be refused.
  public init?(firstBytes: [UInt8]) {
    guard case .image(let format) = SniffedFormat(firstBytes) else { return nil }
    self = format
  }
}

extension SniffedFormat {
  init(_ bytes: [UInt8]) {
    if let format = Self.image(bytes) {
      self = .image(format)
    } else if let format = Self.mediaContainer(bytes) ?? Self.binary(bytes) ?? Self.text(bytes) {
      self = .foreign(format)
    } else {
      self = .unknown
    }
  }

  private static func image(_ bytes: [UInt8]) -> ImageFormat? {
    if bytes.starts(with: PNGHeader.signature) { return .png }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.holds("GIF87a", at: 0) || bytes.holds("GIF89a", at: 0) { return .gif }
    if bytes.holds("RIFF", at: 0), bytes.holds("WEBP", at: 8) { return .webp }
    // "BM" also begins English text, so the size of the second header must be valid too.
    if bytes.holds("BM", at: 0), let size = bytes.littleEndian32(at: 14), BMPHeader.headerSizes.contains(size) {
      return .bmp
    }
    return nil
  }

  /// Recognizes ISO base media files by the brand after "ftyp" (ISO/IEC 14496-12, 23008-12).
  private static func mediaContainer(_ bytes: [UInt8]) -> ForeignFormat? {
    guard bytes.holds("ftyp", at: 4) else { return nil }
    if bytes.holds("avif", at: 8) || bytes.holds("avis", at: 8) { return .avif }
    for brand: StaticString in ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"] {
      if bytes.holds(brand, at: 8) { return .heic }
    }
    return .video
  }

  private static func binary(_ bytes: [UInt8]) -> ForeignFormat? {
    let signatures: [(prefix: [UInt8], format: ForeignFormat)] = [
      ([0x49, 0x49, 0x2A, 0x00], .tiff), ([0x4D, 0x4D, 0x00, 0x2A], .tiff),
      ([0x49, 0x49, 0x2B, 0x00], .tiff), ([0x4D, 0x4D, 0x00, 0x2B], .tiff),
      ([0xFF, 0x0A], .jpegXL), ([0x00, 0x00, 0x00, 0x0C, 0x4A, 0x58, 0x4C, 0x20], .jpegXL),
      ([0x00, 0x00, 0x00, 0x0C, 0x6A, 0x50, 0x20, 0x20], .jpeg2000), ([0xFF, 0x4F, 0xFF, 0x51], .jpeg2000),
      ([0x00, 0x00, 0x01, 0x00], .icon), ([0x00, 0x00, 0x02, 0x00], .icon),
      (Array("8BPS".utf8), .photoshop), ([0x1A, 0x45, 0xDF, 0xA3], .video),
      (Array("%PDF-".utf8), .pdf), ([0x7F, 0x45, 0x4C, 0x46], .elf), ([0x1F, 0x8B], .gzip),
      ([0x50, 0x4B, 0x03, 0x04], .zip), ([0x50, 0x4B, 0x05, 0x06], .zip),
      (Array("SQLite format 3\0".utf8), .sqlite),
    ]
    if bytes.holds("RIFF", at: 0), bytes.holds("AVI ", at: 8) { return .video }
    return signatures.first { bytes.starts(with: $0.prefix) }?.format
  }

  /// Recognizes text formats by words in the first 1,024 bytes, ignoring case.
  private static func text(_ bytes: [UInt8]) -> ForeignFormat? {
    var head = bytes.prefix(1024)
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { head = head.dropFirst(3) }
    guard !head.isEmpty, !head.contains(where: { $0 < 9 || (14...31).contains($0) && $0 != 27 || $0 == 127 }) else {
      return nil
    }
    let decoded = String(decoding: head, as: UTF8.self)
    // The last character may be incomplete.
    guard !decoded.unicodeScalars.dropLast(bytes.count > 1024 ? 3 : 0).contains("\u{FFFD}") else { return nil }
    let words = decoded.lowercased().drop { $0.isWhitespace }
    if words.hasPrefix("begin:vcard") { return .vCard }
    guard words.hasPrefix("<") else { return .text }
    // A drawing may follow an XML declaration, a document type or a comment.
    if words.contains("<svg") || words.contains("<!doctype svg") { return .svg }
    if words.contains("<html") || words.contains("<!doctype html") || words.contains("<head") { return .html }
    return words.hasPrefix("<?xml") || words.hasPrefix("<!doctype") ? .xml : .text
  }
}
