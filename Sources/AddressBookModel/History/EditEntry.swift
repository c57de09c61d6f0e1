import Contacts
import Foundation
import GRDB

/// The changes of one step to one contact, or to a range of contacts that it added.
struct EditEntry: Sendable {
  let contact: Int64
  /// The last contact of a range; nil for a single contact.
  var last: Int64?
  /// Whether the contact was in the book before, and whether it is afterwards; deleted contacts are not.
  var wasThere: Bool
  var isThere: Bool
  /// Versions of the contact before and after; 0 before if it had no row.
  var versionBefore: Int
  var version: Int
  /// The fields that changed.
  var changes: ContactDelta?
  /// The bytes of the old photo, if the step replaced it.
  var photo: Data?

  init(
    contact: Int64, last: Int64? = nil, wasThere: Bool, isThere: Bool, versionBefore: Int = 0, version: Int,
    changes: ContactDelta? = nil, photo: Data? = nil
  ) {
    self.contact = contact
    self.last = last
    self.wasThere = wasThere
    self.isThere = isThere
    self.versionBefore = versionBefore
    self.version = version
    self.changes = changes.flatMap { $0.isEmpty ? nil : $0 }
    self.photo = photo
  }

  /// Combines this entry with a later one of the same step.
  func followed(by later: EditEntry) -> EditEntry {
    var result = self
    result.isThere = later.isThere
    result.version = later.version
    // There is no previous state of a contact that was not in the book.
    if wasThere || versionBefore > 0 {
      let changes = (changes ?? .nothing).followed(by: later.changes ?? .nothing)
      result.changes = changes.isEmpty ? nil : changes
      if self.changes?.changes("photo") != true { result.photo = later.photo }
    }
    return result
  }

  // MARK: - Rows

  private static let columns =
    "contact_id, last_id, was_there, is_there, version_before, version, changes, photo"

  init(_ row: Row) throws {
    contact = row[0]
    last = row[1]
    wasThere = row[2]
    isThere = row[3]
    versionBefore = row[4]
    version = row[5]
    changes = try (row[6] as Data?).map { try ContactDelta($0) }
    photo = row[7]
  }

  static func fetch(_ db: Database, step: Int64, contact: Int64) throws -> EditEntry? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT \(columns) FROM edit_entry WHERE step_id = ? AND contact_id = ?"),
      arguments: [step, contact]
    ).map { try EditEntry($0) }
  }

  /// The entries of a step after a contact id, sorted by contact.
  static func fetch(_ db: Database, step: Int64, after contact: Int64, limit: Int) throws -> [EditEntry] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT \(columns) FROM edit_entry WHERE step_id = ? AND contact_id > ? ORDER BY contact_id LIMIT ?
          """), arguments: [step, contact, limit])
    var entries: [EditEntry] = []
    while let row = try rows.next() { entries.append(try EditEntry(row)) }
    return entries
  }

  /// Entries of a contact in later steps, the oldest first.
  static func fetch(_ db: Database, contact: Int64, afterStep step: Int64) throws -> [EditEntry] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT \(columns) FROM edit_entry WHERE contact_id = ? AND step_id > ? ORDER BY step_id"),
      arguments: [contact, step])
    var entries: [EditEntry] = []
    while let row = try rows.next() { entries.append(try EditEntry(row)) }
    return entries
  }

  /// - Returns: its approximate size in the book, in bytes.
  func insert(_ db: Database, step: Int64) throws -> Int {
    let data = changes?.data
    try db.cachedStatement(sql: "INSERT INTO edit_entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").execute(arguments: [
      step, contact, last, wasThere, isThere, versionBefore, version, data, photo,
    ])
    return 48 + (data?.count ?? 0) + (photo?.count ?? 0)
  }
}

extension ContactDelta {
  /// No change.
  static let nothing = ContactDelta(from: Contact(), to: Contact())
}
