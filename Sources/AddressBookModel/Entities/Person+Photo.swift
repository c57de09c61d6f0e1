import Contacts
import Foundation
import GRDB
import ObjectGraph
import PictureFormat

/// A photo of a contact.
public struct Photo: Hashable, Sendable {
  /// Its media type, such as `image/png`.
  public let mediaType: String
  /// Its bytes.
  public let data: Data

  /// A photo.
  public init(mediaType: String, data: Data) {
    self.mediaType = mediaType
    self.data = data
  }

  /// Its media type, size and digest.
  public var summary: PhotoSummary {
    PhotoSummary(mediaType: mediaType, bytes: data.count, sha256: SHA256.hexadecimal(of: data))
  }

  /// Decodes the columns of `avatar` after the id; returns nil if their types are wrong.
  init?(columns: [DatabaseValue]) {
    guard columns.count == 4, let mediaType = String.fromDatabaseValue(columns[0]),
      let data = Data.fromDatabaseValue(columns[3])
    else { return nil }
    self.init(mediaType: mediaType, data: data)
  }

  /// Returns the photo of a contact; nil if there is none, or if its row cannot be decoded.
  /// - Parameter damage: records a contact whose photo differs from its digest.
  package static func fetch(_ db: Database, contact id: Int64, damage: DamageLog? = nil) throws -> Photo? {
    let row = try Row.fetchOne(
      db, sql: "SELECT media_type, byte_count, sha256, data FROM avatar WHERE contact_id = ?", arguments: [id])
    guard let row else { return nil }
    let photo = Photo(columns: Array(row.databaseValues))
    damage?.note(id, .photo, isDamaged: photo?.summary.sha256 != row.text(2))
    return photo
  }
}

/// The change to a contact's photo.
public enum PhotoChange: Hashable, Sendable {
  /// Keeps the photo.
  case keep
  /// Removes the photo.
  case remove
  /// Replaces the photo.
  case set(Photo)

  /// Returns the summary of the photo after the change.
  func summary(present: PhotoSummary?) -> PhotoSummary? {
    switch self {
    case .keep: present
    case .remove: nil
    case .set(let photo): photo.summary
    }
  }
}

extension Person {
  /// Returns the photo, read on first access; nil if there is none.
  public func photo() throws(StoreError) -> Photo? {
    try book.reading { _ throws(ObjectGraphError) in
      guard let photo = try object("photo"), case .data(let data) = try photo.value("data") else { return nil }
      return Photo(mediaType: photo.text("mediaType"), data: data)
    }
  }

  /// Sets the photo; nil removes it. This can be undone like any other change.
  public func setPhoto(_ photo: Photo?) throws(StoreError) {
    try book.reading { graph throws(ObjectGraphError) in
      guard let photo else {
        if let present = try object("photo") { try graph.delete(present) }
        return
      }
      let summary = photo.summary
      let object = try graph.insert("photo", of: self)
      try object.set("mediaType", to: .string(photo.mediaType))
      try object.set("bytes", to: .integer(Int64(summary.bytes)))
      try object.set("sha256", to: .string(summary.sha256))
      try object.set("data", to: .data(photo.data))
    }
  }

  /// Returns the media type, size and digest of the photo, without its bytes.
  func photoSummary() throws(StoreError) -> PhotoSummary? {
    try book.reading { _ throws(ObjectGraphError) in
      guard let photo = try object("photo"), case .integer(let bytes) = try photo.value("bytes") else { return nil }
      return PhotoSummary(mediaType: photo.text("mediaType"), bytes: Int(bytes), sha256: photo.text("sha256"))
    }
  }
}

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
