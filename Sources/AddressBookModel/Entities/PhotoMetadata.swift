import Contacts
import Foundation
import GRDB
import PictureFormat

extension Photo {
  /// The photo without the place, time and device that cameras store; the same photo if it has no such data, or if its
  /// format is unknown.
  public var withoutMetadata: Photo {
    let bytes = [UInt8](data)
    guard let format = ImageFormat(firstBytes: bytes) else { return self }
    return Photo(mediaType: mediaType, data: Data(PictureMetadata.stripped(bytes, format: format)))
  }
}

/// Whether a book keeps the metadata of its photos, because an import was told to.
package enum PhotoMetadataChoice {
  package static let key = "keeps_photo_metadata"

  /// Makes the book keep metadata from now on.
  package static func setKept(_ db: Database) throws {
    try db.execute(sql: "INSERT OR IGNORE INTO store_info(key, value) VALUES (?, '1')", arguments: [key])
  }

  package static func isKept(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM store_info WHERE key = ?)", arguments: [key]) ?? false
  }
}

/// A reader of photos for export. It removes metadata, which books of earlier versions may contain, unless an import
/// into this book was told to keep it.
package struct PhotoReader {
  private let db: Database
  private let damage: DamageLog
  private let keepsMetadata: Bool

  package init(_ db: Database, _ damage: DamageLog) throws {
    self.db = db
    self.damage = damage
    keepsMetadata = try PhotoMetadataChoice.isKept(db)
  }

  /// Returns the photo of a contact; nil if there is none.
  func photo(of id: Int64) throws -> Photo? {
    let photo = try Photo.fetch(db, contact: id, damage: damage)
    return keepsMetadata ? photo : photo?.withoutMetadata
  }

  /// Returns the photo of a contact that was already read; makes no query if the contact has none.
  package func photo(of contact: Contact) throws -> Photo? { contact.photo == nil ? nil : try photo(of: contact.id) }
}

extension AddressBook {
  /// Returns the photo of a contact for export; nil if there is none. Metadata, which books of earlier versions may
  /// contain, is removed, unless an import into this book was told to keep it.
  public func photoForExport(of id: Int64) throws(StoreError) -> Photo? {
    try store.read { try PhotoReader($0, store.damage).photo(of: id) }
  }

  /// Returns the photo for export of a contact that was already read; makes no query if the contact has none.
  public func photoForExport(of contact: Contact) throws(StoreError) -> Photo? {
    contact.photo == nil ? nil : try photoForExport(of: contact.id)
  }

  /// Removes metadata from the stored photo of a contact that is being edited, unless the book keeps metadata. This can
  /// be undone like any other change.
  public func removePhotoMetadata(of person: Person) throws(StoreError) {
    if try !store.read({ try PhotoMetadataChoice.isKept($0) }) { try person.removePhotoMetadata() }
  }
}

extension Person {
  /// Removes metadata from the stored photo.
  func removePhotoMetadata() throws(StoreError) {
    guard let photo = try photo() else { return }
    let stripped = photo.withoutMetadata
    // A new digest would hide damage.
    if stripped != photo, try photoSummary() == photo.summary { try setPhoto(stripped) }
  }
}
