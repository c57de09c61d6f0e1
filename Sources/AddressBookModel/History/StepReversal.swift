import Contacts
import GRDB

/// Why a step was not reversed. The book is as it was.
public enum RevertError: Error {
  /// Others wrote the same contacts since, and the policy does not decide.
  case conflict(RevertConflict)
  /// Another program reversed the step in the meantime, or the history has let it go.
  case gone
  /// The store failed, or the work was cancelled.
  case store(StoreError)
}

/// Contacts that others wrote since a step.
public struct RevertConflict: Hashable, Sendable {
  /// How many contacts.
  public private(set) var count = 0
  /// The first of them.
  public private(set) var ids: [Int64] = []
  /// Names of their fields that both wrote; empty where whole contacts are at stake.
  public private(set) var fields: Set<String> = []
  /// True when somebody deleted one of them.
  public private(set) var isDeleted = false

  mutating func add(_ id: Int64, fields: [String], isDeleted: Bool) {
    count += 1
    if ids.count < 100 { ids.append(id) }
    self.fields.formUnion(fields)
    self.isDeleted = self.isDeleted || isDeleted
  }
}

/// What reversing a step did.
public struct Reversal: Hashable, Sendable {
  /// The step that was written: an undo or a redo.
  public let step: EditStep
  /// One of the contacts that are there again or were changed; nil when there is none.
  public let someID: Int64?
}

extension AddressBook {
  /// Reverses a step in one transaction, where the book still has what the step left: what it added is deleted so that it can come
  /// back, what it deleted comes back, what it changed is as it was. Fields that only others wrote since stay as they are.
  ///
  /// Reversing a change is an undo, which becomes a step of its own; reversing that is a redo.
  /// - Parameters:
  ///   - policy: who wins where both wrote: `storeWins` leaves what others wrote, `objectWins` reverses it too.
  ///   - session: who does it.
  ///   - waitsBriefly: true for a thread that must not stand still, as in ``newContext(waitsBriefly:session:)``.
  ///   - isCancelled: asked often, from this thread; true ends the work, and nothing is written.
  ///   - onProgress: called with the share of the contacts that are done, 0 to 1.
  public func reverse(
    _ step: EditStep, policy: MergePolicy = .byField, in session: EditSession? = nil, waitsBriefly: Bool = false,
    isCancelled: () -> Bool = { false }, onProgress: (Double) -> Void = { _ in }
  ) throws(RevertError) -> Reversal {
    do {
      return try store.transaction(
        isBulk: step.count > 500, raisesVersions: true, waiting: waitsBriefly ? .briefly : .usual
      ) { db in
        guard try StepReversal.isOpen(step.id, db) else { throw RevertError.gone }
        let recorder = try StepRecorder(
          db, name: step.name, session: session ?? self.session, kind: step.kind == .undo ? .redo : .undo,
          reverses: step.id)
        let writer = try BulkWriter(db, groupPolicy: .replace, recorder: recorder, damage: store.damage)
        let reversal = StepReversal(step: step.id, db: db, writer: writer)
        if policy == .byField || policy == .error { try reversal.check(isCancelled) }
        try reversal.run(policy, isCancelled) { done in
          if done % 256 == 0 { onProgress(Double(done) / Double(max(done, step.count))) }
        }
        try db.execute(sql: "UPDATE edit_step SET reversed_by = ? WHERE id = ?", arguments: [recorder.id, step.id])
        guard let written = try recorder.finish() else { throw RevertError.gone }
        return Reversal(step: written, someID: recorder.someID)
      }
    } catch let error as RevertError {
      throw error
    } catch is CancellationError {
      throw .store(StoreError(.cancelled, path: location.path ?? ""))
    } catch {
      throw .store(store.storeError(error))
    }
  }
}

/// Takes one step back, contact by contact.
struct StepReversal {
  let step: Int64
  let db: Database
  let writer: BulkWriter

  /// True when a step is there and was not reversed.
  static func isOpen(_ step: Int64, _ db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT reversed_by IS NULL FROM edit_step WHERE id = ?", arguments: [step]) ?? false
  }

  /// - Throws: `RevertError.conflict` that names all contacts that others wrote since.
  func check(_ isCancelled: () -> Bool) throws {
    var conflict = RevertConflict()
    try forEachEntry(isCancelled) { entry in
      if case .clash(let fields, let isDeleted) = try plan(entry, .byField) {
        conflict.add(entry.contact, fields: fields, isDeleted: isDeleted)
      }
    }
    if conflict.count > 0 { throw RevertError.conflict(conflict) }
  }

  /// Writes what reversing the step means, whose conflicts the policy decides.
  func run(_ policy: MergePolicy, _ isCancelled: () -> Bool, _ onProgress: (Int) -> Void) throws {
    let groups = try Row.fetchAll(
      db, sql: "SELECT uid, before, after, members FROM edit_group WHERE step_id = ?", arguments: [step]
    ).map { GroupEntry(uid: $0[0], before: $0[1], after: $0[2], members: $0[3]) }
    for group in groups where group.before != nil { try writer.reverse(group) }
    var done = 0
    try forEachEntry(isCancelled) { entry in
      try perform(try plan(entry, policy), on: entry)
      done += 1
      onProgress(done)
    }
    // A group that the step made goes when nobody is in it any more.
    for group in groups where group.before == nil { try writer.reverse(group) }
  }

  /// Calls the body with an entry for each contact; ranges are taken apart.
  private func forEachEntry(_ isCancelled: () -> Bool, _ body: (EditEntry) throws -> Void) throws {
    var last = Int64.min
    while true {
      let entries = try EditEntry.fetch(db, step: step, after: last, limit: 200)
      guard let end = entries.last else { return }
      last = end.contact
      for entry in entries {
        guard let rangeEnd = entry.last else {
          if isCancelled() { throw CancellationError() }
          try body(entry)
          continue
        }
        for contact in entry.contact...rangeEnd {
          if isCancelled() { throw CancellationError() }
          if contact != entry.contact, try EditEntry.fetch(db, step: step, contact: contact) != nil { continue }
          try body(EditEntry(contact: contact, wasThere: false, isThere: true, version: entry.version))
        }
      }
    }
  }

  // MARK: - One contact

  /// What reversing an entry means now.
  private enum Plan {
    case nothing
    case delete(Contact?)
    case restore
    /// Writes the contact. `reverse` is what reversing that in turn leads to.
    case write(Contact, photo: PhotoChange, reverse: Contact)
    /// Others wrote the same; no fields where the whole contact is at stake.
    case clash(fields: [String], isDeleted: Bool)
  }

  private func plan(_ entry: EditEntry, _ policy: MergePolicy) throws -> Plan {
    guard let now = try writer.state(of: entry.contact) else {
      // Its row is gone for good: nothing of it is left to bring back.
      return .nothing
    }
    switch (entry.wasThere, entry.isThere) {
    case (false, false): return .nothing
    case (false, true):
      guard !now.isDeleted else { return .nothing }
      if try isAsLeft(entry, version: now.version) || policy == .objectWins { return .delete(try before(entry)) }
      return policy == .storeWins ? .nothing : .clash(fields: [], isDeleted: false)
    case (true, false):
      guard now.isDeleted else { return .nothing }
      guard let changes = entry.changes else { return .restore }
      let there = try writer.content(of: entry.contact)
      let contact = try changes.before(in: there)
      return .write(contact, photo: photo(entry, contact, there), reverse: there)
    case (true, true):
      guard let changes = entry.changes else { return .nothing }
      let there = try writer.content(of: entry.contact)
      let (mine, base) = (try changes.before(in: there), try changes.after(in: there))
      if now.isDeleted {
        switch policy {
        case .objectWins: return .write(mine, photo: photo(entry, mine, there), reverse: there)
        case .storeWins: return .nothing
        case .byField, .error: return .clash(fields: [], isDeleted: true)
        }
      }
      if now.version == entry.version { return .write(mine, photo: photo(entry, mine, there), reverse: there) }
      var merge = ThreeWayMerge(base: base, mine: mine, theirs: there)
      merge.theirsWin = policy == .storeWins
      let merged = merge.run()
      if !merge.clashes.isEmpty, policy == .byField || policy == .error {
        return .clash(fields: merge.clashes, isDeleted: false)
      }
      return .write(merged, photo: photo(entry, merged, there), reverse: merge.reverse)
    }
  }

  /// A contact that the step added and wrote over, as it lay in the trash before; nil when there was none.
  private func before(_ entry: EditEntry) throws -> Contact? {
    try entry.changes.map { try $0.before(in: try writer.content(of: entry.contact)) }
  }

  /// What becomes of the photo so that a contact has the one that its summary names.
  private func photo(_ entry: EditEntry, _ contact: Contact, _ there: Contact) -> PhotoChange {
    guard entry.changes?.changes("photo") == true, contact.photo != there.photo else { return .keep }
    guard let summary = contact.photo else { return .remove }
    guard let data = entry.photo else { return .keep }
    return .set(Photo(mediaType: summary.mediaType, data: data))
  }

  /// True when a contact that the step added is as the step left it: it was not written since, or all that was written since has
  /// been undone.
  private func isAsLeft(_ entry: EditEntry, version: Int) throws -> Bool {
    if version == entry.version { return true }
    var known = entry.version
    var changes = ContactDelta.nothing
    for later in try EditEntry.fetch(db, contact: entry.contact, afterStep: step) where later.last == nil {
      // A gap is a write that no step knows of.
      guard later.versionBefore == known else { return false }
      known = later.version
      changes = changes.followed(by: later.changes ?? .nothing)
    }
    return known == version && changes.isEmpty
  }

  private func perform(_ plan: Plan, on entry: EditEntry) throws {
    switch plan {
    case .nothing, .clash: break
    case .delete(let before):
      if let before { try writer.replace(before, photo: .keep, reverse: try writer.content(of: entry.contact)) }
      try writer.delete(entry.contact)
    case .restore: try writer.restore(entry.contact)
    case .write(let contact, let photo, let reverse): try writer.replace(contact, photo: photo, reverse: reverse)
    }
  }
}

/// What a step made of a group.
struct GroupEntry {
  let uid: String
  let before: String?
  let after: String?
  /// Ids as a JSON array.
  let members: String?
}
