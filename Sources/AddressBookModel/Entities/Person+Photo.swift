import Contacts
import Foundation
import GRDB

/// A picture of a contact.
public struct Photo: Hashable, Sendable {
  /// Its kind, such as `image/png`.
  public let mediaType: String
  /// Its bytes.
  public let data: Data

  /// A picture.
  public init(mediaType: String, data: Data) {
    self.mediaType = mediaType
    self.data = data
  }

  /// Its kind, size and digest.
  public var summary: PhotoSummary {
    PhotoSummary(mediaType: mediaType, bytes: data.count, sha256: SHA256.hexadecimal(of: data))
  }

  /// The columns of `avatar` after the id.
  var columns: [DatabaseValue] {
    let summary = summary
    return [
      mediaType.databaseValue, summary.bytes.databaseValue, summary.sha256.databaseValue, data.databaseValue,
    ]
  }

  init?(columns: [DatabaseValue]) {
    guard columns.count == 4, let mediaType = String.fromDatabaseValue(columns[0]),
      let data = Data.fromDatabaseValue(columns[3])
    else { return nil }
    self.init(mediaType: mediaType, data: data)
  }

  /// The picture of a contact; nil when there is none.
  static func fetch(_ db: Database, contact id: Int64) throws -> Photo? {
    try Row.fetchOne(
      db, sql: "SELECT media_type, byte_count, sha256, data FROM avatar WHERE contact_id = ?", arguments: [id]
    ).flatMap { Photo(columns: Array($0.databaseValues)) }
  }
}

extension Person {
  /// The picture, read when first asked for; nil when there is none.
  public func photo() throws(StoreError) -> Photo? { try external("photo").flatMap { Photo(columns: $0) } }

  /// Changes or, with nil, removes the picture. Undone like any other change.
  public func setPhoto(_ photo: Photo?) throws(StoreError) { try setExternal(photo?.columns, of: "photo") }

  /// Kind, size and digest of the picture, without reading it when it was not read yet.
  func photoSummary() throws(StoreError) -> PhotoSummary? {
    guard externals[entity.place(ofExternal: "photo")] == nil, let row = objectID.row, isLive,
      let source = context.source as? StoreSource
    else { return try photo()?.summary }
    return try source.store.read { db in
      try Row.fetchOne(
        db, sql: "SELECT media_type, byte_count, sha256 FROM avatar WHERE contact_id = ?", arguments: [row]
      )
      .map { PhotoSummary(mediaType: $0[0], bytes: $0[1], sha256: $0[2]) }
    }
  }
}
