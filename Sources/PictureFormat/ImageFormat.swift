/// A supported image format.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  /// Portable Network Graphics; the default image of an animated one.
  case png
  /// JPEG, baseline or progressive, gray, color or CMYK.
  case jpeg
  /// GIF; its first frame.
  case gif
  /// WebP, lossy or lossless; its first frame.
  case webp
  /// Windows bitmap.
  case bmp

  /// The media type, as in a vCard's data URI.
  public var mediaType: String { "image/\(rawValue)" }

  /// Bytes that the decoder holds for each pixel; nil if it works row by row.
  var decodedBytesPerPixel: Int? {
    switch self {
    // All rows in 8-bit RGBA.
    case .png, .bmp: 4
    // The screen and the frame, both in RGBA.
    case .gif: 8
    // A lossless image twice, plus tables (measured: 9 bytes).
    case .webp: 10
    // Decoded at a reduced size, down to an eighth, if necessary.
    case .jpeg: nil
    }
  }
}

/// A format that is not supported, but recognized: an error message can name it.
public enum ForeignFormat: String, Sendable, Hashable, CaseIterable {
  /// A vector drawing; it could also refer to other files and addresses.
  case svg = "SVG"
  /// High Efficiency Image File, the iPhone's default.
  case heic = "HEIC"
  /// AV1 image.
  case avif = "AVIF"
  /// Tagged Image File Format.
  case tiff = "TIFF"
  /// JPEG XL.
  case jpegXL = "JPEG XL"
  /// JPEG 2000.
  case jpeg2000 = "JPEG 2000"
  /// Windows icon or cursor.
  case icon = "ICO"
  /// Photoshop document.
  case photoshop = "PSD"
  /// A video: MP4, QuickTime, WebM, AVI.
  case video
  /// A web page.
  case html = "HTML"
  /// XML other than SVG.
  case xml = "XML"
  /// PDF.
  case pdf = "PDF"
  /// A Linux program or library.
  case elf = "ELF"
  /// Compressed with gzip.
  case gzip
  /// A ZIP archive, including office documents.
  case zip = "ZIP"
  /// A SQLite database.
  case sqlite = "SQLite"
  /// A vCard.
  case vCard
  /// Plain text.
  case text
}

/// Width and height in pixels.
typealias PixelSize = (width: Int, height: Int)

/// The format and size from the beginning of an image. Unlike ``ImageHeader``, this does not need the rest: a truncated
/// photo, which other programs may still show, can be kept.
public struct ImageFacts: Sendable, Hashable {
  /// The format detected from the bytes.
  public let format: ImageFormat
  /// Width in pixels as stored.
  public let width: Int
  /// Height in pixels as stored.
  public let height: Int

  /// Reads the beginning. Throws if the bytes are not an image of a supported format, end before the size, declare an
  /// empty image, or exceed the limits on bytes, side, pixels and decoded bytes.
  public init(_ bytes: [UInt8], limits: ImageLimits = .standard) throws(ImageRefusal) {
    let format = try ImageFormat.recognized(bytes, limits)
    let size =
      switch format {
      case .png: PNGHeader.size(bytes)
      case .jpeg: JPEGHeader.size(bytes)
      case .gif: GIFHeader.size(bytes)
      case .webp: WebPHeader.size(bytes)
      case .bmp: BMPHeader.size(bytes)
      }
    guard let size else { throw .truncated(format) }
    try limits.check(format, width: size.width, height: size.height)
    self.format = format
    width = size.width
    height = size.height
  }
}

extension ImageFormat {
  /// Returns the format of a file; throws if it is empty, exceeds the size limit or is not supported.
  static func recognized(_ bytes: [UInt8], _ limits: ImageLimits) throws(ImageRefusal) -> ImageFormat {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= limits.bytes else { throw .tooManyBytes(limit: limits.bytes) }
    switch SniffedFormat(bytes) {
    case .image(let format): return format
    case .foreign(let format): throw .unsupported(format)
    case .unknown: throw .unrecognized
    }
  }
}

/// Limits for images. All but ``workingPixels`` are checked before a decoder sees the data.
public struct ImageLimits: Sendable, Hashable {
  /// Bytes of the file.
  public var bytes: Int
  /// Pixels of the longest side.
  public var side: Int
  /// Total pixels, for any format.
  public var pixels: Int
  /// Bytes that the decoder would hold for the whole image: its samples, or the coefficients of a JPEG with several
  /// scans.
  public var decodedBytes: Int
  /// Pixels times scans of a JPEG with several scans: each scan takes a pass over the whole image.
  public var scannedPixels: Int
  /// Bytes of a GIF's first frame: gdk-pixbuf's time grows with their square, 0.3 s for 2 MB and 26 s for 14 MB.
  public var gifFrameBytes: Int
  /// Pixels of the decoded image; a larger image is scaled down during decoding.
  public var workingPixels: Int

  /// Creates limits. The defaults are the program's: 40 MiB, 32,768 a side, 128 megapixels (a phone's JPEG; memory
  /// limits a PNG to 42), 160 MiB while decoding, 500 megapixels in all scans of a JPEG, 3 MiB for a GIF's frame, and 2
  /// megapixels after decoding.
  public init(
    bytes: Int = 40 << 20, side: Int = 32_768, pixels: Int = 128_000_000, decodedBytes: Int = 160 << 20,
    scannedPixels: Int = 500_000_000, gifFrameBytes: Int = 3 << 20, workingPixels: Int = 2_000_000
  ) {
    self.bytes = bytes
    self.side = side
    self.pixels = pixels
    self.decodedBytes = decodedBytes
    self.scannedPixels = scannedPixels
    self.gifFrameBytes = gifFrameBytes
    self.workingPixels = workingPixels
  }

  /// The program's limits.
  public static let standard = ImageLimits()

  func check(_ format: ImageFormat, width: Int, height: Int) throws(ImageRefusal) {
    guard width > 0, height > 0 else { throw .noPixels(format) }
    var limit = pixels
    if let bytes = format.decodedBytesPerPixel { limit = min(limit, decodedBytes / bytes) }
    guard width <= side, height <= side else { throw .sideTooLong(width: width, height: height, limit: side) }
    // Both sides are at most `side` here, so the product cannot overflow.
    guard width * height <= limit else { throw .tooManyPixels(width: width, height: height, limit: limit) }
  }
}

/// Why an image was refused. Messages are made elsewhere; the only data from the file are numbers.
public enum ImageRefusal: Error, Sendable, Hashable {
  /// The file is empty.
  case empty
  /// Not an image, nor any other known format.
  case unrecognized
  /// A known format that is not supported.
  case unsupported(ForeignFormat)
  /// An unsupported variant of a supported format, such as a lossless JPEG or a BMP that contains a PNG.
  case unsupportedVariant(ImageFormat)
  /// The file, or the first frame of a GIF, exceeds the limit.
  case tooManyBytes(limit: Int)
  /// The header declares a side of zero pixels, or a GIF has no frame.
  case noPixels(ImageFormat)
  /// A side exceeds the limit.
  case sideTooLong(width: Int, height: Int, limit: Int)
  /// More pixels than can be decoded in bounded memory; the limit depends on the format.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// A JPEG with so many scans that decoding would take too long.
  case tooManyScans(count: Int, limit: Int)
  /// The data end too early.
  case truncated(ImageFormat)
  /// The data contradict the format or a checksum.
  case damaged(ImageFormat)
  /// The decoder's process crashed, timed out or sent an invalid reply.
  case decoderFailed(ImageFormat)
  /// The decoder for this format is not installed (Debian: `webp-pixbuf-loader` for WebP, else `libgdk-pixbuf-2.0-0`).
  case missingDecoder(ImageFormat)
  /// gdk-pixbuf is not installed (Debian: `libgdk-pixbuf-2.0-0`).
  case missingLibrary
  /// There is not enough memory, or the decoder's process could not be started.
  case noMemory
}

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
