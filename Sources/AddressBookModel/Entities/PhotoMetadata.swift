import Contacts
import Foundation
import GRDB
import PictureFormat

extension Photo {
  /// The picture without the place, time and device that cameras write into files; the same where there is nothing of that.
  public var withoutMetadata: Photo {
    let bytes = [UInt8](data)
    guard let format = ImageFormat(firstBytes: bytes) else { return self }
    return Photo(mediaType: mediaType, data: Data(PictureMetadata.stripped(bytes, format: format)))
  }
}

/// Whether a book keeps what cameras wrote into its photos, because somebody asked for it at an import.
enum PhotoMetadataChoice {
  private static let key = "keeps_photo_metadata"

  /// Notes that it does from now on.
  static func keep(_ db: Database) throws {
    try db.execute(sql: "INSERT OR IGNORE INTO store_info VALUES (?, '1')", arguments: [key])
  }

  /// True once that was noted.
  static func isKept(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM store_info WHERE key = ?)", arguments: [key]) ?? false
  }
}

extension AddressBook {
  /// The picture of a contact as it may leave the book; nil when there is none. Metadata, which books of earlier versions hold,
  /// is left out, unless an import into this book was told to keep it.
  public func photoForExport(of id: Int64) throws(StoreError) -> Photo? {
    try store.read { db in
      let photo = try Photo.fetch(db, contact: id, damage: store.damage)
      return try PhotoMetadataChoice.isKept(db) ? photo : photo?.withoutMetadata
    }
  }

  /// The same for a contact that was read, which says whether it has a picture.
  public func photoForExport(of contact: Contact) throws(StoreError) -> Photo? {
    contact.photo == nil ? nil : try photoForExport(of: contact.id)
  }

  /// Takes metadata out of the stored picture of a person who is being changed, unless the book keeps it. Undone like any other
  /// change.
  public func removePhotoMetadata(of person: Person) throws(StoreError) {
    guard try !store.read({ try PhotoMetadataChoice.isKept($0) }), let photo = try person.photo() else { return }
    let stripped = photo.withoutMetadata
    if stripped != photo { try person.setPhoto(stripped) }
  }
}
