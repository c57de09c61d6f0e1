import AddressBookModel
import ContactInterchange
import Contacts
import Foundation
import GRDB
import PictureFormat

struct ImportedPhotos {
  let db: Database
  let limits: ImageLimits
  let keepsMetadata: Bool

  /// Returns the photo of a card as it would be stored; nil if there is none, or none that the book can show. The line
  /// of a photo that it cannot show is kept with the card.
  func extract(_ card: inout IncomingCard, _ report: (ImportNotice.Kind) -> Void) -> Photo? {
    guard let picture = card.picture else { return nil }
    var photo: Photo?
    do throws(ImageRefusal) {
      photo = try Photo(taking: picture, limits: limits, keepsMetadata: keepsMetadata)
    } catch {
      report(.photo(PhotoRefusal(error)))
    }
    if let line = card.photoLine { card.contact.keepPhotoLine(line, digest: photo?.summary.sha256) }
    return photo
  }

  /// Returns the photo to store; nil to keep the present one.
  /// - Parameter id: the contact in the book, if the card refers to one.
  func toStore(
    _ photo: Photo?, of card: IncomingCard, _ contact: inout Contact, about id: Int64?,
    _ report: (ImportNotice.Kind) -> Void
  ) throws -> Photo? {
    if card.picture == nil, case .digest(let digest)? = card.patch?.picture, try storedDigest(id) != digest {
      report(.photoElsewhere)
    }
    guard let photo, let picture = card.picture, photo.data != Data(picture) else { return photo }
    // Keep the photo in the book if it is this one with its metadata, which an import was told to keep.
    let digest = SHA256.hexadecimal(of: picture)
    guard try storedDigest(id) == digest else { return photo }
    if let line = card.photoLine { contact.keepPhotoLine(line, digest: digest) }
    return nil
  }

  private func storedDigest(_ id: Int64?) throws -> String? {
    try String.fetchOne(db, sql: "SELECT sha256 FROM avatar WHERE contact_id = ?", arguments: [id])
  }
}

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
