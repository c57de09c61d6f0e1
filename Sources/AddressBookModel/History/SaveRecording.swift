import Contacts
import Foundation
import GRDB
import ObjectGraph

/// The recording of one save of a context as a step of the history.
final class SaveRecording {
  private let context: ObjectContext
  private let name: StepName?
  private let session: EditSession
  private var persons: [ManagedObject] = []
  private var before: [Int64: (contact: Contact, isDeleted: Bool)] = [:]
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

  init(_ context: ObjectContext, name: StepName?, session: EditSession) {
    self.context = context
    self.name = name
    self.session = session
  }

  /// Reads the states before the save. Call it in the transaction, before the first row is written.
  /// - Parameter known: contacts that are not deleted and were read in the transaction.
  func begin(_ db: Database, known: [Int64: Contact]) throws {
    let changed = context.changedObjects
    persons = changed.filter { $0 is Person }.sorted { ($0.objectID.number ?? .max) < ($1.objectID.number ?? .max) }
    before = known.mapValues { ($0, false) }
    let unknown = persons.compactMap(\.objectID.number).filter { known[$0] == nil }
    for stored in try ContactLoader(db).loadStored(unknown) {
      before[stored.contact.id] = (stored.contact, stored.isDeleted)
    }
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
      }
      let number = group.isLive || row == nil ? nil : group.objectID.number
      let lost = try number.map { try LostGroup(db, group: $0) } ?? LostGroup()
      let uid: String = row?[0] ?? group.text("uid")
      groups.append(ChangedGroup(group: group, uid: uid, name: name, lost: lost, members: members))
    }
  }

  /// Records the step, and sets the checksums of the contacts. Call it in the transaction, after all rows are written.
  func end(_ db: Database, number: (ManagedObject) -> Int64?) throws {
    let recorder = try StepRecorder(db, name: name, session: session)
    let after = try ContactLoader(db).loadStored(persons.compactMap { number($0) })
    try ContactChecksums.set(after, db)
    for now in after {
      let (id, contact) = (now.contact.id, now.contact)
      if let old = before[id] {
        let delta = ContactDelta(from: old.contact, to: contact)
        guard !delta.isEmpty || old.isDeleted != now.isDeleted else { continue }
        try recorder.record(
          EditEntry(
            contact: id, wasThere: !old.isDeleted, isThere: !now.isDeleted, versionBefore: old.contact.version,
            version: contact.version, changes: delta, photo: delta.changes("photo") ? photos[id] : nil))
      } else if !now.isDeleted {
        if contact.version == 1 {
          try recorder.recordAddition(id)
        } else {
          try recorder.record(EditEntry(contact: id, wasThere: false, isThere: true, version: contact.version))
        }
      }
    }
    for changed in groups {
      let isLive = changed.group.isLive
      try recorder.recordGroup(
        uid: changed.uid, before: changed.name, after: isLive ? changed.group.name : nil, lost: changed.lost)
      if isLive {
        for some in changed.members.batches(of: BulkWriter.batch) { try recorder.record(some, areThere: nil) }
      }
    }
    try recorder.finish()
  }
}
