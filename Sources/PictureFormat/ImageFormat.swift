/// A picture format that is read.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  /// Portable Network Graphics; of an animated one the default image.
  case png
  /// JPEG, baseline or progressive, grey, color or CMYK.
  case jpeg
  /// GIF; its first frame.
  case gif
  /// WebP, lossy or lossless; its first frame.
  case webp
  /// Windows bitmap.
  case bmp

  /// The media type, as in a vCard's data URI.
  public var mediaType: String { "image/\(rawValue)" }

  /// What the decoder holds for each pixel at once; nil when it works by rows.
  var decodedBytesPerPixel: Int? {
    switch self {
    // All rows in 8-bit RGBA.
    case .png, .bmp: 4
    // The screen and the frame, each in RGBA.
    case .gif: 8
    // A lossless picture twice, with tables beside it (measured: 9 bytes).
    case .webp: 10
    // At an eighth of the size if need be.
    case .jpeg: nil
    }
  }
}

/// A format that is known by its first bytes and refused, so that a message can say what the file is.
public enum ForeignFormat: String, Sendable, Hashable, CaseIterable {
  /// A drawing, not pixels; also could name other files and addresses.
  case svg = "SVG"
  /// High Efficiency Image File, what an iPhone takes by default.
  case heic = "HEIC"
  /// AV1 image.
  case avif = "AVIF"
  /// Tagged Image File.
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
  /// XML that is no drawing.
  case xml = "XML"
  /// PDF.
  case pdf = "PDF"
  /// A program or library of Linux.
  case elf = "ELF"
  /// Compressed with gzip.
  case gzip
  /// A ZIP archive, also office documents.
  case zip = "ZIP"
  /// A SQLite database.
  case sqlite = "SQLite"
  /// A vCard.
  case vCard
  /// Text of some kind.
  case text
}
