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
