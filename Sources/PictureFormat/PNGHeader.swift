/// The header of a PNG (W3C PNG, third edition). Only the chunks needed for the pixels are kept: compressed text and
/// profiles are never inflated.
package enum PNGHeader {
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func read(_ bytes: [UInt8], _ limits: ImageLimits) throws(ImageRefusal) -> ImageHeader {
    guard bytes.count >= 33 else { throw .truncated(.png) }
    guard let (width, height) = size(bytes) else { throw .damaged(.png) }
    try limits.check(.png, width: width, height: height)

    var payload = signature
    payload.reserveCapacity(bytes.count)
    var orientation = ImageOrientation.upright
    var offset = 8
    while true {
      guard let length = bytes.bigEndian32(at: offset), offset + 12 + length <= bytes.count else {
        throw .truncated(.png)
      }
      let end = offset + 12 + length
      if bytes.holds("eXIf", at: offset + 4) {
        orientation = ImageOrientation(exif: bytes, from: offset + 8, to: end - 4)
      }
      if isKept(bytes, at: offset + 4) { payload += bytes[offset..<end] }
      if bytes.holds("IEND", at: offset + 4) { break }
      offset = end
    }
    return ImageHeader(
      format: .png, storedWidth: width, storedHeight: height, orientation: orientation,
      payload: ImagePayload(bytes: payload, width: width, height: height))
  }

  /// Returns the first chunk's width and height; nil if it is missing or not of 13 bytes.
  static func size(_ bytes: [UInt8]) -> PixelSize? {
    guard bytes.bigEndian32(at: 8) == 13, bytes.holds("IHDR", at: 12), let width = bytes.bigEndian32(at: 16),
      let height = bytes.bigEndian32(at: 20)
    else { return nil }
    return (width, height)
  }

  /// Returns a valid PNG with only the chunks needed for the pixels: the encoder also writes the number of significant
  /// bits.
  package static func bare(_ png: [UInt8]) throws(ImageRefusal) -> [UInt8] {
    try read(png, .standard).payload.bytes
  }

  private static func isKept(_ bytes: [UInt8], at offset: Int) -> Bool {
    bytes.holds("IDAT", at: offset) || bytes.holds("IHDR", at: offset) || bytes.holds("PLTE", at: offset)
      || bytes.holds("tRNS", at: offset) || bytes.holds("IEND", at: offset)
  }
}
