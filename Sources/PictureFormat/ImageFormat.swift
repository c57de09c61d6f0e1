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
