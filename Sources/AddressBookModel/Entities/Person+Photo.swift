import Contacts
import Foundation
import GRDB
import ObjectGraph

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
