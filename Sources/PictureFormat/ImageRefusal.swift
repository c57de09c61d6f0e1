/// Why a picture was not taken. The words for it are made elsewhere; nothing in here came from the file but numbers.
public enum ImageRefusal: Error, Sendable, Hashable {
  /// No byte.
  case empty
  /// Not a picture and not a format known by name.
  case unrecognized
  /// A format that is known but not read.
  case unsupported(ForeignFormat)
  /// A kind of a known format that is not read, such as a lossless JPEG or a BMP with a PNG inside.
  case unsupportedVariant(ImageFormat)
  /// More bytes than the limit.
  case tooManyBytes(limit: Int)
  /// The header says that a side is nothing.
  case noPixels(ImageFormat)
  /// A side longer than the limit.
  case sideTooLong(width: Int, height: Int, limit: Int)
  /// More pixels than can be decoded in bounded memory; the limit is that of this format and kind.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// A JPEG of so many scans that decoding would take too long.
  case tooManyScans(count: Int, limit: Int)
  /// The data end too early.
  case truncated(ImageFormat)
  /// The data contradict the format or a checksum.
  case damaged(ImageFormat)
  /// The decoder crashed or took too long, in a process of its own.
  case decoderFailed(ImageFormat)
  /// The decoder for this format is not installed (Debian: `webp-pixbuf-loader` for WebP, else `libgdk-pixbuf-2.0-0`).
  case missingDecoder(ImageFormat)
  /// gdk-pixbuf is not installed (Debian: `libgdk-pixbuf-2.0-0`).
  case missingLibrary
  /// The system has no memory for it.
  case noMemory
}
