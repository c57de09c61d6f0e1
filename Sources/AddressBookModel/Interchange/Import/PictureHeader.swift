/// What the first bytes of a picture say: its format and size. Nothing is decoded.
///
/// Formats: PNG (https://www.w3.org/TR/png-3/#11IHDR), JPEG (ITU T.81, B.2.2), GIF89a, WebP
/// (https://developers.google.com/speed/webp/docs/riff_container), BMP (Windows and OS/2 headers).
public struct PictureHeader: Hashable, Sendable {
  /// `image/png`, `image/jpeg`, `image/gif`, `image/webp` or `image/bmp`: by content, whatever a card or a file name claims.
  public let mediaType: String
  /// Columns of pixels; more than 0.
  public let width: Int
  /// Rows of pixels; more than 0.
  public let height: Int

  /// Reads the header; nil when the bytes are no picture of a known format, are cut short before the size, or have no pixels.
  public init?(_ bytes: some Collection<UInt8>) {
    // A JPEG may keep its size behind a long profile or thumbnail; 1 MiB is more than any sane file needs.
    let head = Array(bytes.prefix(1 << 20))
    guard let (mediaType, width, height) = Self.read(head), width > 0, height > 0 else { return nil }
    self.mediaType = mediaType
    self.width = width
    self.height = height
  }

  private typealias Found = (mediaType: String, width: Int, height: Int)

  private static func read(_ bytes: [UInt8]) -> Found? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return png(bytes) }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return jpeg(bytes) }
    if bytes.starts(with: Array("GIF8".utf8)), bytes.count >= 10 {
      return ("image/gif", little(bytes, 6, 2), little(bytes, 8, 2))
    }
    if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      return webp(bytes)
    }
    if bytes.starts(with: Array("BM".utf8)) { return bmp(bytes) }
    return nil
  }

  private static func png(_ bytes: [UInt8]) -> Found? {
    guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
    return ("image/png", big(bytes, 16, 4), big(bytes, 20, 4))
  }

  /// Walks the segments up to the frame header (SOF0 to SOF15 without DHT, JPG and DAC).
  private static func jpeg(_ bytes: [UInt8]) -> Found? {
    var place = 2
    while place + 9 < bytes.count {
      guard bytes[place] == 0xFF else { return nil }
      let marker = bytes[place + 1]
      switch marker {
      case 0xFF: place += 1
      case 0x01, 0xD0...0xD7: place += 2
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        return ("image/jpeg", big(bytes, place + 7, 2), big(bytes, place + 5, 2))
      case 0xD9, 0xDA: return nil
      default:
        let length = big(bytes, place + 2, 2)
        guard length >= 2 else { return nil }
        place += 2 + length
      }
    }
    return nil
  }

  private static func webp(_ bytes: [UInt8]) -> Found? {
    guard bytes.count >= 30 else { return nil }
    switch String(decoding: bytes[12..<16], as: UTF8.self) {
    case "VP8X": return ("image/webp", little(bytes, 24, 3) + 1, little(bytes, 27, 3) + 1)
    case "VP8L":
      let bits = little(bytes, 21, 4)
      return ("image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    case "VP8 ": return ("image/webp", little(bytes, 26, 2) & 0x3FFF, little(bytes, 28, 2) & 0x3FFF)
    default: return nil
    }
  }

  private static func bmp(_ bytes: [UInt8]) -> Found? {
    guard bytes.count >= 26 else { return nil }
    let headerSize = little(bytes, 14, 4)
    if headerSize == 12 { return ("image/bmp", little(bytes, 18, 2), little(bytes, 20, 2)) }
    guard headerSize >= 16, headerSize <= 1024 else { return nil }
    // Height is negative when the rows run from the top.
    let height = Int(Int32(truncatingIfNeeded: little(bytes, 22, 4)))
    return ("image/bmp", Int(Int32(truncatingIfNeeded: little(bytes, 18, 4))), abs(height))
  }

  private static func big(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func little(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// What a picture may measure to be taken into the book, checked before anything decodes it.
public struct PictureLimits: Hashable, Sendable {
  /// Largest file in bytes: 16 MiB by default.
  public var bytes = 16 << 20
  /// Longest side in pixels: 16 384 by default.
  public var side = 16_384
  /// Most pixels: 50 million by default, 200 MB when decoded.
  public var pixels = 50_000_000

  /// The default limits.
  public init() {}

  /// Why a picture is not taken.
  public enum Refusal: String, Hashable, Sendable, CaseIterable {
    /// Not a picture of a known format, or cut short.
    case notAPicture
    /// The file is longer than the limit.
    case tooManyBytes
    /// A side or the number of pixels is beyond the limit.
    case tooManyPixels
  }

  /// The header of a picture that may be taken, or the reason why not.
  public func check(_ picture: some Collection<UInt8>) -> Result<PictureHeader, RefusedPicture> {
    guard let header = PictureHeader(picture) else { return .failure(RefusedPicture(reason: .notAPicture)) }
    if picture.count > bytes { return .failure(RefusedPicture(reason: .tooManyBytes)) }
    let (area, overflow) = header.width.multipliedReportingOverflow(by: header.height)
    if overflow || area > pixels || max(header.width, header.height) > side {
      return .failure(RefusedPicture(reason: .tooManyPixels))
    }
    return .success(header)
  }
}

/// A picture that ``PictureLimits`` does not let in.
public struct RefusedPicture: Error, Hashable, Sendable {
  /// Why.
  public let reason: PictureLimits.Refusal
}
