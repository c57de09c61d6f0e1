import Contacts
import Foundation
import PictureFormat

extension Photo {
  /// The limits for photos of cards.
  public static let limits = ImageLimits(bytes: Limits.photo)

  /// The photo of a card as the book stores it. Its format is detected from its bytes, its header is checked, and the
  /// place, time and device that cameras add are removed.
  /// - Parameter keepsMetadata: true to store the bytes unchanged.
  /// - Throws: `ImageRefusal` if the bytes are not an image or exceed the limits.
  public init(taking bytes: [UInt8], limits: ImageLimits = Photo.limits, keepsMetadata: Bool = false)
    throws(ImageRefusal)
  {
    let format = try ImageFacts(bytes, limits: limits).format
    let kept = keepsMetadata ? bytes : PictureMetadata.stripped(bytes, format: format)
    self.init(mediaType: format.mediaType, data: Data(kept))
  }

  /// The photo of a card as the book stores it; nil if the book cannot show it.
  public init?(showing bytes: [UInt8], keepsMetadata: Bool = false) {
    do throws(ImageRefusal) {
      try self.init(taking: bytes, keepsMetadata: keepsMetadata)
    } catch {
      return nil
    }
  }
}
