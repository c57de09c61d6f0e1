import CPictures
import PictureFormat

/// A decoder that turns an image into upright pixels of bounded size. Thread-safe.
///
/// The decoders are C libraries, and images come from untrusted sources. A program that shows them should decode them
/// in another process (``DecodingProcess``); without one they are decoded in this process, and a decoder's crash ends
/// it.
public enum ImageDecoder {
  /// Decodes an image after checking its header. The result has at most `limits.workingPixels` pixels; alpha is kept,
  /// color profiles and other metadata are not. Only the first frame of an animation is read.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .standard, in process: DecodingProcess? = nil
  ) throws(ImageRefusal) -> RasterImage {
    try decode(ImageHeader(bytes, limits: limits), limits: limits, in: process)
  }

  /// Decodes an image whose header has already been read.
  public static func decode(
    _ header: ImageHeader, limits: ImageLimits = .standard, in process: DecodingProcess? = nil
  ) throws(ImageRefusal) -> RasterImage {
    let canvas = workingSize(width: header.storedWidth, height: header.storedHeight, limits.workingPixels)
    let frame = try decodeFrame(header, canvas, process)
    return frame.turned(header.orientation)
  }

  /// Returns the size, reduced with the same aspect ratio if it has more than that many pixels; each side is 1 or more.
  static func workingSize(width: Int, height: Int, _ pixels: Int) -> (width: Int, height: Int) {
    guard width * height > pixels else { return (width, height) }
    let factor = (Double(pixels) / Double(width * height)).squareRoot()
    return (max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor)))
  }

  /// Returns the stored image at canvas size.
  private static func decodeFrame(
    _ header: ImageHeader, _ canvas: (width: Int, height: Int), _ process: DecodingProcess?
  ) throws(ImageRefusal) -> RasterImage {
    let payload = header.payload
    // The frame's position on the canvas; it fills the canvas unless it is a frame of an animation.
    let left = payload.left * canvas.width / header.storedWidth
    let top = payload.top * canvas.height / header.storedHeight
    let right = (payload.left + payload.width) * canvas.width / header.storedWidth
    let bottom = (payload.top + payload.height) * canvas.height / header.storedHeight
    let request = FrameRequest(
      format: header.format, bytes: payload.bytes, width: payload.width, height: payload.height,
      targetWidth: max(1, right - left), targetHeight: max(1, bottom - top))
    let frame = try decode(request, process)
    if payload.lacksEnd { try requireWhole(frame, request, process) }
    guard frame.width != canvas.width || frame.height != canvas.height else { return frame }
    var picture = RasterImage(width: canvas.width, height: canvas.height)
    for row in 0..<min(frame.height, canvas.height - top) {
      for column in 0..<min(frame.width, canvas.width - left) {
        picture[column: left + column, row: top + row] = frame[column: column, row: row]
      }
    }
    return picture
  }

  private static func decode(
    _ request: FrameRequest, _ process: DecodingProcess?
  ) throws(ImageRefusal) -> RasterImage {
    if let process { try process.decode(request) } else { try decodeHere(request) }
  }

  /// Refuses a JPEG that lacks more than its end marker. A decoder fills missing parts with gray. If parts are missing,
  /// data inserted before the end marker changes the result; if the image is complete, it does not.
  private static func requireWhole(
    _ frame: RasterImage, _ request: FrameRequest, _ process: DecodingProcess?
  ) throws(ImageRefusal) {
    var longer = request
    var number: UInt32 = 1
    let data = (0..<4096).map { _ -> UInt8 in
      number = number &* 1_664_525 &+ 1_013_904_223
      // A byte that cannot begin a marker.
      return UInt8(truncatingIfNeeded: number >> 24) & 0xFE
    }
    longer.bytes.insert(contentsOf: data, at: longer.bytes.count - 2)
    guard try decode(longer, process) == frame else { throw .truncated(request.format) }
  }

  static func decodeHere(_ request: FrameRequest) throws(ImageRefusal) -> RasterImage {
    var reduced = (width: 0, height: 0)
    if request.format == .jpeg { reduced = reducedSize(request) }
    var pixels = cpixbuf_pixels()
    let result = cpixbuf_decode(
      request.format.rawValue, request.bytes, request.bytes.count, Int32(request.width), Int32(request.height),
      Int32(reduced.width), Int32(reduced.height), &pixels)
    defer { cpixbuf_release(&pixels) }
    try check(result, request.format)
    guard let base = pixels.bytes, pixels.channels == 3 || pixels.channels == 4, pixels.width > 0, pixels.height > 0
    else { throw .damaged(request.format) }
    let rows = PixelRows(
      base: base, width: Int(pixels.width), height: Int(pixels.height), channels: Int(pixels.channels),
      stride: Int(pixels.stride))
    return AreaScaling.scale(
      rows, left: 0, top: 0, width: rows.width, height: rows.height, toWidth: request.targetWidth,
      height: request.targetHeight)
  }

  /// Returns the smallest of a half, a quarter and an eighth of a JPEG's size that is not below the target, or (0, 0)
  /// if all of them are. A JPEG can be decoded at these sizes.
  private static func reducedSize(_ request: FrameRequest) -> (width: Int, height: Int) {
    for part in [8, 4, 2] {
      let width = (request.width + part - 1) / part
      let height = (request.height + part - 1) / part
      if width >= request.targetWidth, height >= request.targetHeight { return (width, height) }
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
