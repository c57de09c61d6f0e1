import Contacts
import Foundation
import GRDB

/// What one step changed in one contact, or in a range of contacts that it added.
package struct EditEntry: Sendable {
  var contact: Int64
  /// The last contact of a range; nil for a single contact.
  var last: Int64?
  /// Whether the contact was in the book before, and whether it is afterwards; deleted contacts count as not there.
  var wasThere: Bool
  var isThere: Bool
  /// Versions of the contact before and after; 0 before if it had no row.
  var versionBefore: Int
  var version: Int
  package var changes: ContactDelta?
  /// The bytes of the old photo, if the step replaced or removed it.
  var photo: Data?

  package init(
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
    // A contact that had no row has no previous state.
    if wasThere || versionBefore > 0 {
      let changes = (changes ?? .nothing).followed(by: later.changes ?? .nothing)
      result.changes = changes.isEmpty ? nil : changes
      if self.changes?.changes("photo") != true { result.photo = later.photo }
    }
    return result
  }

  /// Writes the entry in place of another one of the contact, or beside the range that has the contact.
  /// - Returns: the approximate size of what was written, in bytes.
  func replace(_ known: EditEntry, _ db: Database, step: Int64) throws -> Int {
    var entry = self
    entry.last = nil
    guard known.contact == contact else { return try entry.insert(db, step: step) }
    try db.execute(sql: "DELETE FROM edit_entry WHERE step_id = ? AND contact_id = ?", arguments: [step, contact])
    var bytes = try entry.insert(db, step: step)
    // Keep the rest of a range that began with the contact. Contacts of it that were written again have entries of their
    // own.
    guard let last = known.last else { return bytes }
    var first = contact + 1
    while first <= last, try EditEntry.fetch(db, step: step, contact: first) != nil { first += 1 }
    if first <= last {
      let rest = EditEntry(contact: first, last: last, wasThere: false, isThere: true, version: known.version)
      bytes += try rest.insert(db, step: step)
    }
    return bytes
  }

  /// Gives the newest entry of a contact a later version. The contact was written, but nobody edited it: its steps can be
  /// reversed as before.
  static func follow(_ db: Database, contact: Int64, from old: Int, to version: Int) throws {
    try db.cachedStatement(
      sql: "UPDATE edit_entry SET version = ? WHERE contact_id = ? AND version = ? AND last_id IS NULL"
    ).execute(arguments: [version, contact, old])
    guard db.changesCount == 0 else { return }
    // Ranges do not overlap: each contact was added by one step.
    let range = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT step_id, contact_id FROM edit_entry INDEXED BY edit_entry_range WHERE last_id >= ? ORDER BY last_id LIMIT 1
          """), arguments: [contact])
    guard let range, range.integer(1) <= contact,
      let known = try fetch(db, step: range.integer(0), contact: range.integer(1)), known.version == old
    else { return }
    let entry = EditEntry(contact: contact, wasThere: false, isThere: true, version: version)
    _ = try entry.replace(known, db, step: range.integer(0))
  }

  // MARK: - Rows

  /// The approximate size of an entry in the book without the fields and the photo, in bytes.
  static let bytes = 48

  /// The columns without the bytes of the photo.
  package static let summaryColumns = "contact_id, last_id, was_there, is_there, version_before, version, changes, NULL"
  private static let columns =
    "contact_id, last_id, was_there, is_there, version_before, version, changes, photo"

  /// The last changes that were decoded, and their bytes: a step often changes many contacts in the same way.
  package typealias LastChanges = (bytes: Data, changes: ContactDelta)

  /// - Throws: `StoreError` for values that this program never writes: an undo must not act on them.
  package init(_ row: StatementRow, _ known: inout LastChanges?) throws {
    func data(_ column: Int) -> Data? { row.isNull(column) ? nil : row.withBytes(column) { Data(buffer: $0) } }
    let (contact, wasThere, isThere) = (row.integer(0), row.integer(2), row.integer(3))
    let last = row.isNull(1) ? nil : row.integer(1)
    guard (0...1).contains(wasThere), (0...1).contains(isThere), last ?? contact >= contact else {
      throw ByteReader.damaged
    }
    self.init(
      contact: contact, last: last, wasThere: wasThere == 1, isThere: isThere == 1, versionBefore: row.number(4),
      version: row.number(5), photo: data(7))
    if let known, row.withBytes(6, { Self.areSame(known.bytes, $0) }) {
      changes = known.changes
    } else if let bytes = data(6) {
      let decoded = try ContactDelta(bytes)
      known = (bytes, decoded)
      changes = decoded
    }
  }

  private static func areSame(_ data: Data, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard data.count == bytes.count, let start = bytes.baseAddress else { return false }
    return data.withUnsafeBytes { $0.baseAddress.map { memcmp($0, start, bytes.count) == 0 } ?? false }
  }

  static func fetch(_ db: Database, step: Int64, contact: Int64) throws -> EditEntry? {
    try fetch(db, "step_id = ? AND contact_id = ?", [step, contact]).first
  }

  /// Returns the entries of a contact in later steps, the oldest first.
  static func fetch(_ db: Database, contact: Int64, afterStep step: Int64) throws -> [EditEntry] {
    try fetch(db, "contact_id = ? AND step_id > ? ORDER BY step_id", [contact, step])
  }

  /// Returns at most `limit` entries of a step after a contact id, sorted by contact; fewer if their photos are large.
  /// - Parameter mayConflict: true to leave out entries that certainly have no conflict: the step deleted the contact,
  ///   or the contact is as the step left it.
  static func fetch(
    _ db: Database, step: Int64, after contact: Int64, limit: Int, mayConflict: Bool = false
  ) throws -> [EditEntry] {
    // A contact that is as the step left it may still be in other folders.
    let condition =
      mayConflict
      ? """
       AND is_there AND (last_id IS NOT NULL OR instr(changes, CAST('\(ContactDelta.folders)' AS BLOB)) OR NOT EXISTS (
        SELECT 1 FROM contact WHERE id = contact_id AND contact.version = edit_entry.version AND deleted_at IS NULL))
      """ : ""
    return try fetch(
      db, "step_id = ? AND contact_id > ?\(condition) ORDER BY contact_id LIMIT ?", [step, contact, Int64(limit)],
      maximumSize: 16 << 20)
  }

  /// - Parameter maximumSize: the size of photos, in bytes, after which no more entries are read.
  private static func fetch(
    _ db: Database, _ condition: String, _ arguments: [Int64], maximumSize: Int = .max
  ) throws -> [EditEntry] {
    let rows = try StatementRows(
      db, db.cachedStatement(sql: "SELECT \(columns) FROM edit_entry WHERE \(condition)"), integers: arguments)
    var entries: [EditEntry] = []
    var size = 0
    var known: LastChanges?
    while size < maximumSize, let row = try rows.next() {
      let entry = try EditEntry(row, &known)
      size += entry.photo?.count ?? 0
      entries.append(entry)
    }
    return entries
  }

  /// Writes the entry.
  /// - Returns: the approximate size of the entry in the book, in bytes.
  func insert(_ db: Database, step: Int64) throws -> Int {
    let data = changes?.data
    try db.cachedStatement(
      sql: "INSERT INTO edit_entry(step_id, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    ).execute(arguments: [step, contact, last, wasThere, isThere, versionBefore, version, data, photo])
    return Self.bytes + (data?.count ?? 0) + (photo?.count ?? 0)
  }
}

extension ContactDelta {
  static let nothing = ContactDelta(from: Contact(), to: Contact())
}
