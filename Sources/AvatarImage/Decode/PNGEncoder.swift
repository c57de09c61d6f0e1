import CPixbuf
import PictureFormat

/// An encoder of pixels as a PNG without metadata, in 8-bit RGB, or RGBA if a pixel is at least partly transparent. The
/// same pixels give the same bytes with the same versions of libpng and zlib.
enum PNGEncoder {
  static func encode(_ image: RasterImage) throws(ImageRefusal) -> [UInt8] {
    let channels = image.isOpaque ? 3 : 4
    var bytes = image.rgba
    if channels == 3 {
      bytes = []
      bytes.reserveCapacity(image.width * image.height * 3)
      for offset in stride(from: 0, to: image.rgba.count, by: 4) { bytes += image.rgba[offset..<offset + 3] }
    }
    var png: UnsafeMutablePointer<UInt8>?
    var count = 0
    let result = cpixbuf_encode_png(bytes, Int32(image.width), Int32(image.height), Int32(channels), &png, &count)
    defer { cpixbuf_free(png) }
    try ImageDecoder.check(result, .png)
    return try PNGHeader.bare(Array(UnsafeBufferPointer(start: png, count: count)))
  }
}
