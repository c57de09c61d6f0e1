import ContactInterchange
import Contacts
import GRDB

/// Contacts that others have written since a step.
public struct RevertConflict: Hashable, Sendable {
  /// The number of contacts.
  public private(set) var count = 0
  /// The ids of the first 100 contacts.
  public private(set) var ids: [Int64] = []
  /// Names of the fields that both the step and others wrote. A conflict about a whole contact adds none.
  public private(set) var fields: Set<String> = []
  /// True if one of the contacts was deleted elsewhere.
  public private(set) var isDeleted = false
  /// The steps since that wrote these contacts and were not reversed, the newest first, at most five; none if the writes
  /// were not recorded.
  public fileprivate(set) var steps: [EditStep] = []

  mutating func add(_ id: Int64, fields: [String], isDeleted: Bool) {
    count += 1
    if ids.count < 100 { ids.append(id) }
    self.fields.formUnion(fields)
    self.isDeleted = self.isDeleted || isDeleted
  }
}

/// The result of reversing a step.
public struct Reversal: Hashable, Sendable {
  /// The new step: an undo or a redo.
  public let step: EditStep
  /// One of the contacts that were restored or changed; nil if there is none.
  public let anyID: Int64?
  /// True if nothing was written, because others had already reversed what the step did, or because all that they wrote
  /// was kept.
  public let isEmpty: Bool
}

extension AddressBook {
  /// Reverses a step in one transaction, where the book still has what the step left: added contacts are deleted (they
  /// can be restored), deleted ones are restored, changed ones get their old values. Fields that only others have
  /// written since the step stay as they are.
  ///
  /// Reversing a change is an undo, which is a new step; reversing that is a redo.
  /// - Parameters:
  ///   - step: the step.
  ///   - policy: what to do where others have written the same contacts or fields: `storeWins` keeps what they wrote,
  ///     `objectWins` reverses it too; with any other policy, a conflict is thrown.
  ///   - session: the session of the new step.
  ///   - waitsBriefly: true for a thread that must not block, as in ``newContext(waitsBriefly:session:)``.
  ///   - isCancelled: called often, on this thread; true cancels the work, and nothing is written.
  ///   - onProgress: called from time to time with the fraction of contacts that are done.
  public func reverse(
    _ step: EditStep, policy: ContactMergePolicy = .byField, in session: EditSession? = nil, waitsBriefly: Bool = false,
    isCancelled: () -> Bool = { false }, onProgress: (Double) -> Void = { _ in }
  ) throws(EditError) -> Reversal {
    try store.editing {
      try store.transaction(
        isBulk: step.count > 500, raisesVersions: true, waiting: waitsBriefly ? .briefly : .usual
      ) { db in
        guard try StepReversal.isOpen(step.id, db) else { throw EditError.missing("") }
        guard try !RangeCheck.isDamaged(db, step: step.id) else { throw ByteReader.damaged }
        let recorder = try StepRecorder(
          db, name: step.name, session: session ?? self.session, kind: step.kind == .undo ? .redo : .undo,
          reverses: step.id)
        let writer = try BulkWriter(db, groupPolicy: .replace, recorder: recorder)
        let reversal = try StepReversal(step: step.id, db: db, writer: writer)
        if policy == .byField || policy == .error { try reversal.check(isCancelled) }
        try reversal.run(policy, isCancelled) { done in
          if done % 256 == 0 { onProgress(Double(done) / Double(max(done, step.count))) }
        }
        try db.execute(sql: "UPDATE edit_step SET reversed_by = ? WHERE id = ?", arguments: [recorder.id, step.id])
        guard let written = try recorder.finish() else { throw EditError.missing("") }
        return Reversal(step: written, anyID: recorder.anyID, isEmpty: recorder.isEmpty)
      }
    }
  }
}

struct StepReversal {
  let step: Int64
  let db: Database
  let writer: BulkWriter
  private let earlier: EarlierReading?

  init(step: Int64, db: Database, writer: BulkWriter) throws {
    (self.step, self.db, self.writer) = (step, db, writer)
    earlier = try CardReading.reading(ofStep: step, db)
  }

  /// Returns true if a step exists and has not been reversed.
  static func isOpen(_ step: Int64, _ db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT reversed_by IS NULL FROM edit_step WHERE id = ?", arguments: [step]) ?? false
  }

  /// Checks for conflicts before anything is written.
  /// - Throws: `EditError.writtenSince` if others have written the same fields since the step, for all such contacts
  ///   together.
  func check(_ isCancelled: () -> Bool) throws {
    var conflict = RevertConflict()
    if isCancelled() { throw CancellationError() }
    try forEachBatch(mayConflict: true) { entries in
      for entry in entries {
        if isCancelled() { throw CancellationError() }
        guard try mayConflict(entry) else { continue }
        if case .conflict(let fields, let isDeleted) = try plan(entry, .byField) {
          conflict.add(entry.contact, fields: fields, isDeleted: isDeleted)
        }
      }
    }
    guard conflict.count > 0 else { return }
    let ids = conflict.ids.map(String.init).joined(separator: ",")
    conflict.steps = try Row.fetchAll(
      db,
      sql: """
        SELECT \(EditStep.columns) FROM edit_step WHERE id > ? AND reversed_by IS NULL AND kind <> 1
          AND id IN (SELECT step_id FROM edit_entry WHERE contact_id IN (\(ids))) ORDER BY id DESC LIMIT 5
        """, arguments: [step]
    ).map { EditStep($0) }
    throw EditError.writtenSince(conflict)
  }

  /// Returns false if an entry certainly has no conflict, judged without reading the whole contact.
  private func mayConflict(_ entry: EditEntry) throws -> Bool {
    guard entry.isThere else { return false }
    if try entry.changes?.movedFolders() != nil { return true }
    guard let now = try writer.state(of: entry.contact) else { return false }
    return now.isDeleted ? entry.wasThere : now.version != entry.version
  }

  /// Writes the reversal of the step. Unless the policy decides about conflicts, call ``check(_:)`` first.
  func run(_ policy: ContactMergePolicy, _ isCancelled: () -> Bool, _ onProgress: (Int) -> Void) throws {
    let groups = try Row.fetchAll(
      db, sql: "SELECT uid, before, after, members FROM edit_group WHERE step_id = ?", arguments: [step]
    ).map {
      GroupEntry(
        uid: $0.text(0), before: $0.optionalText(1), after: $0.optionalText(2),
        lost: LostGroup(text: $0.optionalText(3)))
    }
    var recreated: [(entry: GroupEntry, id: Int64)] = []
    for group in groups where group.before != nil {
      if let id = try writer.recreate(group) { recreated.append((group, id)) } else { try writer.reverse(group) }
    }
    var done = 0
    try forEachBatch { entries in
      if isCancelled() { throw CancellationError() }
      let reversed = try writer.reverseGroups(entries)
      let others = reversed.isEmpty ? entries : entries.filter { !reversed.contains($0.contact) }
      for _ in reversed {
        done += 1
        onProgress(done)
      }
      var (deletions, restorations): ([Int64], [Int64]) = ([], [])
      for some in others.batches(of: BulkWriter.decodedBatch) {
        try writer.readAhead(some.filter { $0.changes != nil }.map(\.contact))
        for entry in some {
          if isCancelled() { throw CancellationError() }
          switch try plan(entry, policy) {
          case .delete(nil): deletions.append(entry.contact)
          case .restore: restorations.append(entry.contact)
          case let plan: try perform(plan, entry)
          }
          done += 1
          onProgress(done)
        }
      }
      try writer.setDeleted(true, all: deletions)
      try writer.setDeleted(false, all: restorations)
    }
    for (group, id) in recreated { try writer.restoreMembers(group, of: id) }
    // A group that the step created is deleted, unless it still has members; deleted contacts that the step put into
    // it do not count.
    for group in groups where group.before == nil { try writer.reverse(group) }
  }

  private func perform(_ plan: Plan, _ entry: EditEntry) throws {
    switch plan {
    case .nothing, .conflict: break
    case .delete(let before):
      if let before {
        try writer.replace(before, photo: .keep, reverse: try writer.content(of: entry.contact))
      }
      try writer.delete(entry.contact)
    case .restore: try writer.restore(entry.contact)
    case .move(let folders): try writer.move(entry.contact, to: folders)
    case .write(let contact, let photo, let reverse):
      try writer.replace(contact, photo: photo, reverse: reverse)
    }
  }

  /// Calls the body with the entries of the step, a few thousand at a time; ranges are split.
  /// - Parameter mayConflict: true to leave out entries that certainly have no conflict.
  private func forEachBatch(mayConflict: Bool = false, _ body: ([EditEntry]) throws -> Void) throws {
    var last = Int64.min
    var batch: [EditEntry] = []
    while true {
      let entries = try EditEntry.fetch(db, step: step, after: last, limit: BulkWriter.batch, mayConflict: mayConflict)
      guard let end = entries.last else { return }
      last = end.contact
      for entry in entries {
        guard let rangeEnd = entry.last else {
          batch.append(entry)
          continue
        }
        for contact in entry.contact...rangeEnd {
          if contact != entry.contact, try EditEntry.fetch(db, step: step, contact: contact) != nil { continue }
          batch.append(EditEntry(contact: contact, wasThere: false, isThere: true, version: entry.version))
          guard batch.count >= BulkWriter.batch else { continue }
          try body(batch)
          batch = []
        }
      }
      if !batch.isEmpty { try body(batch) }
      batch = []
    }
  }

  // MARK: - One contact

  /// How to reverse an entry.
  private enum Plan {
    case nothing
    case delete(Contact?)
    case restore
    /// Writes the contact. `reverse` is the state that reversing this write leads to.
    case write(Contact, photo: PhotoChange, reverse: Contact)
    /// Moves the contact to these folders.
    case move([Int64])
    /// Others wrote the same fields; `fields` is empty if the whole contact is affected.
    case conflict(fields: [String], isDeleted: Bool)
  }

  private func plan(_ entry: EditEntry, _ policy: ContactMergePolicy) throws -> Plan {
    guard let now = try writer.state(of: entry.contact) else {
      // Its row was removed for good, so it cannot be restored.
      return .nothing
    }
    switch (entry.wasThere, entry.isThere) {
    case (false, false): return .nothing
    case (false, true):
      guard !now.isDeleted else { return .nothing }
      if try isUnchangedSinceStep(entry, version: now.version) || policy == .objectWins {
        return .delete(try before(entry))
      }
      return policy == .storeWins ? .nothing : .conflict(fields: [], isDeleted: false)
    case (true, false):
      guard now.isDeleted else { return .nothing }
      guard let changes = entry.changes else { return .restore }
      let there = try writer.content(of: entry.contact)
      let contact = try reread(changes.before(in: there), changes)
      return .write(contact, photo: try photo(entry, contact, there), reverse: there)
    case (true, true):
      guard let changes = entry.changes else { return .nothing }
      if let moved = try changes.movedFolders() {
        return try plan(moved, of: entry.contact, isDeleted: now.isDeleted, policy)
      }
      let there = try writer.content(of: entry.contact)
      let mine = try reread(changes.before(in: there), changes)
      if now.isDeleted {
        switch policy {
        case .objectWins: return .write(mine, photo: try photo(entry, mine, there), reverse: there)
        case .storeWins: return .nothing
        case .byField, .error: return .conflict(fields: [], isDeleted: true)
        }
      }
      if now.version == entry.version { return .write(mine, photo: try photo(entry, mine, there), reverse: there) }
      var merge = ThreeWayMerge(base: try changes.after(in: there), mine: mine, theirs: there)
      merge.prefers = policy == .storeWins ? .theirs : .mine
      let merged = merge.run()
      if !merge.conflictingFields.isEmpty, policy == .byField || policy == .error {
        return .conflict(fields: merge.conflictingFields, isDeleted: false)
      }
      return .write(merged, photo: try photo(entry, merged, there), reverse: merge.reverse)
    }
  }

  /// Returns a contact with what its card says, if it gets back a card that was read by earlier rules.
  private func reread(_ contact: Contact, _ changes: ContactDelta) throws -> Contact {
    guard changes.changes(ContactField.special(.cardLines).name), let earlier else { return contact }
    return earlier.rereading(contact, from: contact.cardLines) ?? contact
  }

  /// Returns how to reverse a move; folders that the book no longer has are left out.
  private func plan(
    _ moved: (before: [Int64], after: [Int64]), of contact: Int64, isDeleted: Bool, _ policy: ContactMergePolicy
  ) throws -> Plan {
    let mayAsk = policy == .byField || policy == .error
    if isDeleted { return mayAsk ? .conflict(fields: [], isDeleted: true) : .nothing }
    let known = try Set(Int64.fetchAll(db.cachedStatement(sql: "SELECT id FROM sync_folder")))
    let (before, after) = (moved.before.filter(known.contains), moved.after.filter(known.contains))
    let now = try writer.folders(of: contact)
    if now == before { return .nothing }
    if now == after || policy == .objectWins { return .move(before) }
    return mayAsk ? .conflict(fields: ["folders"], isDeleted: false) : .nothing
  }

  /// Returns the state of a deleted contact before the step restored it with other values; nil if it changed no values.
  private func before(_ entry: EditEntry) throws -> Contact? {
    try entry.changes.map { try $0.before(in: try writer.content(of: entry.contact)) }
  }

  /// Returns the change that gives a contact the photo in its summary.
  private func photo(_ entry: EditEntry, _ contact: Contact, _ there: Contact) throws -> PhotoChange {
    guard entry.changes?.changes("photo") == true, contact.photo != there.photo else { return .keep }
    guard let summary = contact.photo else { return .remove }
    guard let data = entry.photo else { return .keep }
    let photo = Photo(mediaType: summary.mediaType, data: data)
    // It was damaged before the step replaced it, or in the history.
    guard photo.summary.sha256 == summary.sha256 else { throw ByteReader.damaged }
    return .set(photo)
  }

  /// Returns true if a contact that the step added or restored is as the step left it: not written since, or everything
  /// written since was recorded and has been undone.
  private func isUnchangedSinceStep(_ entry: EditEntry, version: Int) throws -> Bool {
    if version == entry.version { return true }
    var known = entry.version
    var changes = ContactDelta.nothing
    for later in try EditEntry.fetch(db, contact: entry.contact, afterStep: step) where later.last == nil {
      // A gap is a write without an entry, such as that of another program.
      guard later.versionBefore == known else { return false }
      known = later.version
      changes = changes.followed(by: later.changes ?? .nothing)
    }
    return known == version && changes.isEmpty
  }
}
