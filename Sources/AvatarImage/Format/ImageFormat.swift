/// A picture format that is read.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  /// Portable Network Graphics; of an animated one the default image.
  case png
  /// JPEG, baseline or progressive, grey, colour or CMYK.
  case jpeg
  /// GIF; its first frame.
  case gif
  /// WebP, lossy or lossless; its first frame.
  case webp
  /// Windows bitmap.
  case bmp

  /// The media type, as in a vCard's data URI.
  public var mediaType: String { "image/\(rawValue)" }
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
  /// A film: MP4, QuickTime, WebM, AVI.
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
