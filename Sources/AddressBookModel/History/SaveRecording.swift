import Contacts
import Foundation
import GRDB
import ObjectGraph

/// The recording of one save of a context as a step of the history.
final class SaveRecording {
  private let context: ObjectContext
  private let name: StepName?
  private let session: EditSession
  private let damage: DamageLog
  private var persons: [ManagedObject] = []
  private var before: [Int64: ContactState] = [:]
  private var groups: [ChangedGroup] = []
  private var photos: [Int64: Data] = [:]

  /// A group as it was before the save.
  private struct ChangedGroup {
    let group: Group
    let uid: String
    /// Its name; nil if it did not exist.
    let name: String?
    let lost: LostGroup
    /// The ids of its members, deleted ones too, if the save renames or deletes it.
    let members: [Int64]
  }

  /// - Parameter damage: records contacts that are damaged before the save, which gives them new checksums.
  init(_ context: ObjectContext, name: StepName?, session: EditSession, damage: DamageLog) {
    self.context = context
    self.name = name
    self.session = session
    self.damage = damage
  }

  /// Reads the states before the save. Call it in the transaction, before the first row is written.
  func begin(_ db: Database) throws {
    let changed = context.changedObjects
    persons = changed.filter { $0 is Person }.sorted { ($0.objectID.number ?? .max) < ($1.objectID.number ?? .max) }
    before = try ContactState.fetch(db, persons.compactMap(\.objectID.number), damage: damage)
    if changed.contains(where: { $0.entity.name == "Photo" }) {
      for (id, state) in before where state.contact.photo != nil {
        photos[id] = try Photo.fetch(db, contact: id)?.data
      }
    }
    for case let group as Group in changed {
      let row = try group.objectID.number.flatMap { number in
        try Row.fetchOne(db, sql: "SELECT uid, name FROM contact_group WHERE id = ?", arguments: [number])
      }
      let name: String? = row?[1]
      var members: [Int64] = []
      if row != nil, !group.isLive || name != group.name {
        members = try Int64.fetchAll(
          db, sql: "SELECT contact_id FROM group_member WHERE group_id = ? ORDER BY contact_id",
          arguments: [group.objectID.number])
        // The name of a group is in the checksums of its members.
        try ContactLoader(db, damage: damage).check(members)
      }
      let number = group.isLive || row == nil ? nil : group.objectID.number
      let lost = try number.map { try LostGroup(db, group: $0) } ?? LostGroup()
      let uid: String = row?[0] ?? group.text("uid")
      groups.append(ChangedGroup(group: group, uid: uid, name: name, lost: lost, members: members))
    }
  }

  /// Records the step. Call it in the transaction, after all rows are written.
  func end(_ db: Database, number: (ManagedObject) -> Int64?) throws {
    let recorder = try StepRecorder(db, name: name, session: session)
    let ids = persons.compactMap { number($0) }
    let after = try ContactState.fetch(db, ids)
    for id in ids {
      guard let now = after[id] else { continue }
      let old = before[id]
      if old == nil, !now.isDeleted {
        if now.contact.version == 1 {
          try recorder.recordAddition(id)
        } else {
          try recorder.record(EditEntry(contact: id, wasThere: false, isThere: true, version: now.contact.version))
        }
      } else if let old {
        let delta = ContactDelta(from: old.contact, to: now.contact)
        guard !delta.isEmpty || old.isDeleted != now.isDeleted else { continue }
        let entry = EditEntry(
          contact: id, wasThere: !old.isDeleted, isThere: !now.isDeleted, versionBefore: old.contact.version,
          version: now.contact.version, changes: delta, photo: delta.changes("photo") ? photos[id] : nil)
        try recorder.record(entry)
      }
    }
    for changed in groups {
      let isLive = changed.group.isLive
      try recorder.recordGroup(
        uid: changed.uid, before: changed.name, after: isLive ? changed.group.name : nil, lost: changed.lost)
      for some in changed.members.batches(of: BulkWriter.decodedBatch) {
        if isLive {
          try recorder.record(some, areThere: nil)
        } else {
          // The checksums of members that are deleted contacts were deleted with the group.
          try ContactChecksums.set(some, db, isDamaged: damage.has)
        }
      }
    }
    try recorder.finish()
  }
}

/// A contact from the book, deleted or not.
struct ContactState {
  let contact: Contact
  let isDeleted: Bool

  static func fetch(_ db: Database, _ ids: [Int64], damage: DamageLog? = nil) throws -> [Int64: ContactState] {
    guard !ids.isEmpty else { return [:] }
    let deleted = try Set(
      Int64.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT id FROM contact WHERE deleted_at IS NOT NULL AND id IN (SELECT value FROM json_each(?))
            """), arguments: [ContactLoader.json(ids)]))
    let contacts = try ContactLoader(db, damage: damage).load(ids)
    return Dictionary(
      contacts.map { ($0.id, ContactState(contact: $0, isDeleted: deleted.contains($0.id))) },
      uniquingKeysWith: { first, _ in first })
  }
}
