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
