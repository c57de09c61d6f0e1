import PictureFormat

/// The photo that is stored for a contact: a small square PNG without metadata.
public struct AvatarPhoto: Sendable, Hashable {
  /// The maximum length of a side in pixels.
  public static let maximumSide = 256
  /// The maximum size of the file in bytes; a very noisy photo gets shorter sides instead.
  public static let maximumBytes = 128 << 10

  /// The PNG file.
  public let png: [UInt8]
  /// Pixels of a side, 1…256.
  public let side: Int

  /// Crops an image to the square and encodes it, without enlarging it. Throws `missingLibrary` or `noMemory`.
  public init(_ image: RasterImage, crop: SquareCrop) throws(ImageRefusal) {
    var side = min(Self.maximumSide, crop.side, image.width, image.height)
    while true {
      let png = try PNGEncoder.encode(image.cropped(to: crop, side: side))
      if png.count <= Self.maximumBytes || side == 1 {
        self.png = png
        self.side = side
        return
      }
      side = side * 7 / 8
    }
  }

  /// Decodes a file's bytes and crops the image to the largest centered square.
  public init(
    bytes: [UInt8], limits: ImageLimits = .standard, in process: DecodingProcess? = nil
  ) throws(ImageRefusal) {
    let image = try ImageDecoder.decode(bytes, limits: limits, in: process)
    try self.init(image, crop: SquareCrop(of: image))
  }
}
