import Contacts
import Foundation
import GRDB
import ObjectGraph

/// A recorder of one step of the history, inside the transaction of the change.
package final class StepRecorder {
  private let db: Database
  private let session: EditSession
  private let kind: EditStep.Kind
  let id: Int64
  /// The number of contacts recorded so far.
  private(set) var count = 0
  /// True if nothing was recorded.
  var isEmpty: Bool { count == 0 && !hasGroups }
  /// One of the contacts that exist after the step, for a screen to select.
  private(set) var anyID: Int64?
  /// Whether the step was given a name; otherwise it is named after what it wrote.
  private let isNamed: Bool
  private var bytes = 0
  private var added = 0
  private var removed = 0
  /// The number of contacts that were only recorded because a group was renamed.
  private var renamed = 0
  private var hasGroups = false
  /// The contacts that the step added: consecutive ids make one entry.
  private var ranges: [ClosedRange<Int64>] = []
  private var openRange: ClosedRange<Int64>?
  /// The highest id of the recorded contacts: those with higher ids have no entry yet.
  private var maximumID = Int64.min

  /// - Parameters:
  ///   - kind: a change, an undo or a redo.
  ///   - reverses: the step that this one reverses.
  package init(
    _ db: Database, name: StepName?, session: EditSession, kind: EditStep.Kind = .change, reverses: Int64? = nil
  ) throws {
    self.db = db
    self.session = session
    self.kind = kind
    _ = try session.mark { try EditHistory.newest(db, by: $0) }
    try db.cachedStatement(
      sql: """
        INSERT INTO edit_step (kind, action, subject, made_at, user, program, session, reverses)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      kind.rawValue, (name ?? StepName(.edit)).action.rawValue, name?.subject ?? "", Timestamp.now(), session.user,
      session.program, session.id, reverses,
    ])
    id = db.lastInsertedRowID
    isNamed = name != nil
  }

  // MARK: - Contacts

  /// Records a new contact, whose version is 1.
  func recordAddition(_ contact: Int64) throws {
    count += 1
    added += 1
    anyID = anyID ?? contact
    maximumID = max(maximumID, contact)
    if let range = openRange, range.upperBound + 1 == contact {
      openRange = range.lowerBound...contact
      return
    }
    try closeRange()
    openRange = contact...contact
  }

  private func closeRange() throws {
    guard let range = openRange else { return }
    openRange = nil
    ranges.append(range)
    let last: Int64? = range.count > 1 ? range.upperBound : nil
    try insert(EditEntry(contact: range.lowerBound, last: last, wasThere: false, isThere: true, version: 1))
  }

  /// Records a contact that was written. If it is written twice, the state before the first write is kept.
  package func record(_ entry: EditEntry) throws {
    var entry = entry
    if entry.isThere { anyID = anyID ?? entry.contact }
    if let range = openRange, range.contains(entry.contact) { try closeRange() }
    defer { maximumID = max(maximumID, entry.contact) }
    if entry.contact <= maximumID, let known = try EditEntry.fetch(db, step: id, contact: entry.contact) {
      bytes += try known.followed(by: entry).replace(known, db, step: id)
      return
    }
    if ranges.contains(where: { $0.contains(entry.contact) }) {
      // The same step added the contact.
      entry.wasThere = false
      entry.versionBefore = 0
      entry.changes = nil
    } else {
      count += 1
      added += !entry.wasThere && entry.isThere ? 1 : 0
      removed += entry.wasThere && !entry.isThere ? 1 : 0
    }
    try insert(entry)
  }

  /// Records contacts that were deleted or restored together, or whose versions were incremented because a group was
  /// renamed.
  /// - Parameter areThere: nil after the renaming of a group.
  func record(_ contacts: [Int64], areThere: Bool?) throws {
    if areThere == nil { renamed += contacts.count }
    let state = try db.cachedStatement(sql: "SELECT version, deleted_at IS NULL FROM contact WHERE id = ?")
    for contact in contacts {
      guard let row = try Row.fetchOne(state, arguments: [contact]) else { continue }
      let (version, isThere) = (row.number(0), row.number(1) == 1)
      try record(
        EditEntry(
          contact: contact, wasThere: areThere.map { !$0 } ?? isThere, isThere: isThere, versionBefore: version - 1,
          version: version))
    }
  }

  private func insert(_ entry: EditEntry) throws {
    bytes += try entry.insert(db, step: id)
  }

  // MARK: - Groups

  /// Records a group that was created, renamed or deleted, or that got another card or rule.
  /// - Parameters:
  ///   - before: its old name; nil if it did not exist.
  ///   - after: its new name; nil if it no longer exists.
  ///   - lost: what else the history keeps of it.
  func recordGroup(uid: String, before: String?, after: String?, lost: LostGroup = LostGroup()) throws {
    guard before != after || lost.successor != nil || lost.newRule != nil else { return }
    hasGroups = true
    let lost = try lost.text()
    bytes += uid.utf8.count + (lost?.utf8.count ?? 0) + 64
    try db.cachedStatement(
      sql: """
        INSERT INTO edit_group (step_id, uid, before, after, members) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET after = excluded.after, members = coalesce(members, excluded.members)
        """
    ).execute(arguments: [id, uid, before, after, lost])
  }

  // MARK: - Finishing

  /// Writes the totals of the step, and removes old steps beyond the limits. A step that recorded nothing is not kept,
  /// unless it is an undo or a redo.
  /// - Returns: the step; nil if it was not kept.
  @discardableResult
  package func finish() throws -> EditStep? {
    try closeRange()
    if isEmpty, kind == .change {
      try db.execute(sql: "DELETE FROM edit_step WHERE id = ?", arguments: [id])
      return nil
    }
    let before = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT total_bytes FROM edit_step WHERE id < ? ORDER BY id DESC LIMIT 1"),
      arguments: [id])
    try db.cachedStatement(sql: "UPDATE edit_step SET count = ?, total_bytes = ? WHERE id = ?")
      .execute(arguments: [count, (before ?? 0) + Int64(bytes + EditHistory.bytesOfStep), id])
    if !isNamed { try nameStep() }
    try EditHistory.prune(db, upTo: id)
    return try EditHistory.step(db, id)
  }

  private func nameStep() throws {
    let name: StepName
    if count <= renamed {
      let group = try Row.fetchOne(db, sql: "SELECT before, after FROM edit_group WHERE step_id = ?", arguments: [id])
      let (before, after): (String?, String?) = (group?[0], group?[1])
      let action: StepName.Action = before == nil ? .addGroup : after == nil ? .deleteGroup : .renameGroup
      name = StepName(action, before ?? after ?? "")
    } else {
      let action: StepName.Action = added == count ? .add : removed == count ? .delete : .edit
      let shown = try count == 1 ? displayName() : ""
      name = StepName(action, shown)
    }
    try db.execute(
      sql: "UPDATE edit_step SET action = ?, subject = ? WHERE id = ?",
      arguments: [name.action.rawValue, name.subject, id])
  }

  private func displayName() throws -> String {
    try String.fetchOne(
      db,
      sql: """
        SELECT display_name FROM contact WHERE id = (SELECT contact_id FROM edit_entry WHERE step_id = ?)
        """, arguments: [id]) ?? ""
  }
}

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
      if row != nil, let number = group.objectID.number, !group.isLive || name != group.name {
        members = try BulkWriter.members(of: number, db)
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
