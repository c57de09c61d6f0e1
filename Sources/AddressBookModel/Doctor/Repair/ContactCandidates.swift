import Contacts
import Foundation
import GRDB

/// Searches for the contact that a checksum was computed from. A candidate that matches all 64 bits is what was saved.
/// The contact as it is may also differ in one bit, because the checksum itself may be damaged.
///
/// The other candidates are the contact with another version, with recomputed derived values, with the other kind, with
/// one bit of a text flipped, with a value moved, with one group more or less, with fields from the history or a
/// backup, with the UID and creation time from a backup, and the whole contact of a backup.
struct ContactCandidates {
  private let db: Database
  private let backups: BackupSource
  private let expected: Int64
  /// The longest text whose bits are tried, in bytes.
  private static let longest = 4096
  /// All versions up to this one are tried.
  private static let maximumVersion = 10_000

  /// - Parameter checksum: the checksum of the whole contact.
  init(_ db: Database, backups: BackupSource, checksum: Int64) {
    self.db = db
    self.backups = backups
    expected = checksum
  }

  /// Returns the contact as it was saved; nil if no candidate matches.
  func find(_ damaged: StoredContact) throws -> StoredContact? {
    var digest = ContactDigest()
    if let found = ofOtherVersion(damaged, &digest) { return found }
    let id = damaged.contact.id
    if let found = withRecomputedFields(damaged, &digest) { return found }
    if let found = backups.contact(id, fitting: expected) { return found }
    if let found = try withOneBit(damaged, &digest) { return found }
    if let found = reordered(damaged, &digest) { return found }
    if let found = try inOtherGroups(damaged, &digest) { return found }
    if let found = try withFieldsOfHistory(damaged, &digest) { return found }
    for other in backups.contacts(id) {
      if let found = withFields(of: other, damaged, &digest) { return found }
    }
    return nil
  }

  /// Returns the contact with its right version, if only its version or one bit of its checksum is damaged.
  private func ofOtherVersion(_ damaged: StoredContact, _ digest: inout ContactDigest) -> StoredContact? {
    let version = damaged.contact.version
    let difference = digest.whole(damaged.contact, damaged.row) ^ expected
    let marks = [0, StoredContact.mark(of: version)]
    if marks.contains(where: { ($0 ^ difference).nonzeroBitCount <= 1 }) { return damaged }
    let others = (0..<Int.bitWidth).map { version ^ 1 << $0 } + Array(1...Self.maximumVersion)
    guard let right = others.first(where: { StoredContact.mark(of: $0) == difference }) else { return nil }
    var candidate = damaged
    candidate.contact.version = right
    return candidate
  }

  private func withRecomputedFields(_ damaged: StoredContact, _ digest: inout ContactDigest) -> StoredContact? {
    var candidate = damaged
    candidate.row = ContactDigest.Row(DerivedColumns(damaged.contact))
    candidate.row.deleted = damaged.row.deleted
    return fits(candidate, &digest) ? candidate : nil
  }

  private func withOneBit(_ damaged: StoredContact, _ digest: inout ContactDigest) throws -> StoredContact? {
    var candidate = damaged
    candidate.contact.kind = damaged.contact.kind == .person ? .organization : .person
    if fits(candidate, &digest) { return candidate }
    for cell in try TextCell.all(of: damaged.contact.id, db) where cell.bytes.count <= Self.longest {
      var bytes = cell.bytes
      candidate = damaged
      for index in bytes.indices {
        for bit in 0..<8 {
          bytes[index] ^= 1 << UInt8(bit)
          if let text = String(validating: bytes, as: UTF8.self) {
            cell.set(&candidate, text)
            if fits(candidate, &digest) { return candidate }
          }
          bytes[index] ^= 1 << UInt8(bit)
        }
      }
    }
    return nil
  }

  private func reordered(_ damaged: StoredContact, _ digest: inout ContactDigest) -> StoredContact? {
    for field in ContactFields.standard.values {
      let list = damaged.contact[keyPath: field.property]
      guard (2...12).contains(list.count) else { continue }
      for from in list.indices {
        for index in list.indices where index != from {
          var candidate = damaged
          let value = candidate.contact[keyPath: field.property].remove(at: from)
          candidate.contact[keyPath: field.property].insert(value, at: index)
          if fits(candidate, &digest) { return candidate }
        }
      }
    }
    return nil
  }

  private func inOtherGroups(_ damaged: StoredContact, _ digest: inout ContactDigest) throws -> StoredContact? {
    for name in try String.fetchAll(db, sql: "SELECT name FROM contact_group ORDER BY name LIMIT 1000") {
      var candidate = damaged
      let groups = Set(damaged.contact.groups)
      candidate.contact.groups = groups.symmetricDifference([name]).sorted()
      if fits(candidate, &digest) { return candidate }
    }
    return nil
  }

  /// Tries the newest values of the history, one field at a time and then all together.
  private func withFieldsOfHistory(
    _ damaged: StoredContact, _ digest: inout ContactDigest
  ) throws -> StoredContact? {
    let rows = try Row.fetchAll(
      db, sql: "SELECT changes FROM edit_entry WHERE contact_id = ? AND changes IS NOT NULL ORDER BY step_id DESC",
      arguments: [damaged.contact.id])
    var newest: [String: ContactDelta] = [:]
    for row in rows {
      // Unreadable steps are skipped.
      guard let delta = try? ContactDelta(row.data(0)) else { continue }
      for change in delta.changes where newest[change.name] == nil { newest[change.name] = delta.only(change.name) }
    }
    var all = damaged
    for delta in newest.values {
      guard let contact = try? delta.after(in: damaged.contact), let together = try? delta.after(in: all.contact)
      else { continue }
      var candidate = damaged
      candidate.contact = contact
      if fits(candidate, &digest) { return candidate }
      all.contact = together
    }
    return withRecomputedFields(all, &digest)
  }

  /// Returns the contact with one field of another state, or with the UID and creation time of that state.
  private func withFields(
    of other: StoredContact, _ damaged: StoredContact, _ digest: inout ContactDigest
  ) -> StoredContact? {
    for field in ContactFields.standard.all {
      var candidate = damaged
      let data = FieldBytes.data(field, of: other.contact)
      guard data != FieldBytes.data(field, of: damaged.contact),
        (try? FieldBytes.set(field, of: &candidate.contact, to: data)) != nil
      else { continue }
      if fits(candidate, &digest) { return candidate }
      if let found = withRecomputedFields(candidate, &digest) { return found }
    }
    var candidate = damaged
    candidate.contact.uid = other.contact.uid
    candidate.contact.created = other.contact.created
    return fits(candidate, &digest) ? candidate : nil
  }

  private func fits(_ candidate: StoredContact, _ digest: inout ContactDigest) -> Bool {
    candidate.fits(expected, &digest)
  }
}
