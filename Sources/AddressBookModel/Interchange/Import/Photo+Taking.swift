import Contacts
import Foundation
import PictureFormat

extension Photo {
  /// What photos of cards may measure.
  public static let limits = ImageLimits(bytes: Limits.photo)

  /// The photo of a card as the book stores it. Its format is told by its bytes, its header is checked, and metadata such as
  /// the place where it was taken is left out.
  /// - Parameter keepsMetadata: true to store the bytes as they are.
  /// - Throws: `ImageRefusal` when the bytes are no picture or beyond the limits.
  public init(taking bytes: [UInt8], limits: ImageLimits = Photo.limits, keepsMetadata: Bool = false)
    throws(ImageRefusal)
  {
    let format = try ImageFacts(bytes, limits: limits).format
    let kept = keepsMetadata ? bytes : PictureMetadata.stripped(bytes, format: format)
    self.init(mediaType: format.mediaType, data: Data(kept))
  }
}
