import CPixbuf
import PictureFormat

/// Turns a picture's bytes into upright pixels of bounded size. Safe from several threads.
public enum ImageDecoder {
  /// Decodes after the header has been checked. The picture has at most `limits.workingPixels` pixels; alpha is kept,
  /// colour profiles and all other metadata are not. Only the first frame of an animation is read.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .standard
  ) throws(ImageRefusal) -> RasterImage {
    try decode(ImageHeader(bytes, limits: limits), limits: limits)
  }

  /// The same for a header that has been read already.
  public static func decode(
    _ header: ImageHeader, limits: ImageLimits = .standard
  ) throws(ImageRefusal) -> RasterImage {
    let canvas = workingSize(width: header.storedWidth, height: header.storedHeight, limits.workingPixels)
    let frame = try decodeFrame(header, canvas)
    return frame.turned(header.orientation)
  }

  /// The largest size of the same shape with no more pixels than that, each side 1 or more.
  static func workingSize(width: Int, height: Int, _ pixels: Int) -> (width: Int, height: Int) {
    guard width * height > pixels else { return (width, height) }
    let factor = (Double(pixels) / Double(width * height)).squareRoot()
    return (max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor)))
  }

  /// The stored picture at canvas size.
  private static func decodeFrame(
    _ header: ImageHeader, _ canvas: (width: Int, height: Int)
  ) throws(ImageRefusal) -> RasterImage {
    let payload = header.payload
    var wanted = (width: 0, height: 0)
    if header.format == .jpeg { wanted = reducedSize(payload, canvas) }
    var pixels = cpixbuf_pixels()
    let result = cpixbuf_decode(
      header.format.rawValue, payload.bytes, payload.bytes.count, Int32(payload.width), Int32(payload.height),
      Int32(wanted.width), Int32(wanted.height), &pixels)
    defer { cpixbuf_release(&pixels) }
    try check(result, header.format)
    guard let base = pixels.bytes, pixels.channels == 3 || pixels.channels == 4, pixels.width > 0, pixels.height > 0
    else { throw .damaged(header.format) }
    let rows = PixelRows(
      base: base, width: Int(pixels.width), height: Int(pixels.height), channels: Int(pixels.channels),
      stride: Int(pixels.stride))

    // Where the frame lies on the canvas; all of it but for an animation's frame.
    let left = payload.left * canvas.width / header.storedWidth
    let top = payload.top * canvas.height / header.storedHeight
    let right = (payload.left + payload.width) * canvas.width / header.storedWidth
    let bottom = (payload.top + payload.height) * canvas.height / header.storedHeight
    let frame = AreaScaling.scale(
      rows, left: 0, top: 0, width: rows.width, height: rows.height, toWidth: max(1, right - left),
      height: max(1, bottom - top))
    guard frame.width != canvas.width || frame.height != canvas.height else { return frame }
    var picture = RasterImage(width: canvas.width, height: canvas.height)
    for row in 0..<min(frame.height, canvas.height - top) {
      for column in 0..<min(frame.width, canvas.width - left) {
        picture[column: left + column, row: top + row] = frame[column: column, row: row]
      }
    }
    return picture
  }

  /// A JPEG can be decoded at a half, a quarter or an eighth: the smallest of these that is not below what is wanted.
  private static func reducedSize(
    _ payload: ImagePayload, _ canvas: (width: Int, height: Int)
  ) -> (width: Int, height: Int) {
    for part in [8, 4, 2] {
      let width = (payload.width + part - 1) / part
      let height = (payload.height + part - 1) / part
      if width >= canvas.width, height >= canvas.height { return (width, height) }
    }
    return (0, 0)
  }

  static func check(_ result: cpixbuf_result, _ format: ImageFormat) throws(ImageRefusal) {
    switch result {
    case CPIXBUF_DONE: return
    case CPIXBUF_NO_LIBRARY: throw .missingLibrary
    case CPIXBUF_NO_LOADER: throw .missingDecoder(format)
    case CPIXBUF_NO_MEMORY: throw .noMemory
    default: throw .damaged(format)
    }
  }
}
