import Foundation
import PictureFormat

extension Photo {
  /// What photos of cards may measure.
  public static let limits = ImageLimits(bytes: Limits.photo)

  /// The photo of a card as the book stores it. Its format is told by its bytes, and its header is checked.
  /// - Throws: `ImageRefusal` when the bytes are no picture or beyond the limits.
  public init(taking bytes: [UInt8], limits: ImageLimits = Photo.limits) throws(ImageRefusal) {
    let format = try ImageFacts(bytes, limits: limits).format
    self.init(mediaType: format.mediaType, data: Data(bytes))
  }
}
