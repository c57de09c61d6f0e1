import Contacts
import Foundation
import GRDB
import ObjectGraph

/// A writer of many contacts in one transaction, with prepared statements: for imports, syncs, changes to many
/// contacts, undo, and `demo`.
///
/// It only exists inside a transaction, such as that of ``AddressBook/bulkWrite(groups:as:in:waitsBriefly:_:)``. Its writes
/// belong to one step of the history, if one is recorded; contexts see them like those of another process.
public final class BulkWriter {
  /// The result for a contact.
  public enum Outcome: Hashable, Sendable {
    /// It was not in the book, or was deleted.
    case added
    /// It was in the book and different.
    case updated
    /// It was already in the book, unchanged.
    case unchanged
  }

  /// How an update treats the groups that a contact is already in.
  public enum GroupPolicy: Hashable, Sendable {
    /// They are kept, and those of the written contact are added.
    case add
    /// They are replaced by those of the written contact.
    case replace
  }

  /// How many contacts have been added so far.
  public private(set) var added = 0
  /// How many have been updated so far.
  public internal(set) var updated = 0
  /// How many were already in the book, unchanged.
  public private(set) var unchanged = 0

  /// The number of contacts in the step so far; 0 if no step is recorded.
  public var recordedCount: Int { recorder?.count ?? 0 }

  package let recorder: StepRecorder?
  package let db: Database
  private let groupPolicy: GroupPolicy
  let moment: String
  package let rows: BatchWriter
  private let checksums: Statement
  /// Whether a replacement may replace the triggers once enough contacts are added.
  private var mayReplaceTriggers: Bool
  private var triggerReplacement: TriggerReplacement?
  /// Contacts that were read ahead, until they are written.
  private var ahead: [Int64: StoredContact] = [:]
  /// The ids of all groups, keyed by name.
  package var groups: [String: Int64] = [:]

  /// - Parameters:
  ///   - replacesTriggers: true if the book's triggers may be replaced by a ``TriggerReplacement``: the caller writes
  ///     contacts only through this writer, and calls ``finish()`` or ``cancel()``.
  ///   - moment: the time of the write.
  package init(
    _ db: Database, groupPolicy: GroupPolicy, recorder: StepRecorder?, replacesTriggers: Bool = false,
    moment: String = Timestamp.now()
  ) throws {
    mayReplaceTriggers = replacesTriggers
    self.db = db
    self.recorder = recorder
    self.groupPolicy = groupPolicy
    self.moment = moment
    rows = BatchWriter(db, try BookModel.tables())
    checksums = try ContactChecksums.insertion(db)
    let known = try Row.fetchCursor(db, sql: "SELECT name, id FROM contact_group")
    while let row = try known.next() { groups[row.text(0)] = row.integer(1) }
  }

  /// Adds a contact, or updates the one with its UID. A contact without a UID is added unless the book already has an
  /// equal one.
  ///
  /// The id, version and times of the value are ignored.
  /// - Parameters:
  ///   - contact: the contact.
  ///   - photo: its photo; nil keeps the present one.
  /// - Returns: the result, and the contact's id.
  @discardableResult
  public func write(_ contact: Contact, photo: Photo? = nil) throws -> (outcome: Outcome, id: Int64) {
    try write(contact, photo: photo, over: nil)
  }

  /// Writes a contact like ``write(_:photo:)``.
  /// - Parameter present: the contact in the book, if the caller has already read it.
  package func write(
    _ contact: Contact, photo: Photo?, over present: Contact?
  ) throws -> (outcome: Outcome, id: Int64) {
    let result = try insertOrUpdate(contact, photo, present)
    switch result.outcome {
    case .added: added += 1
    case .updated: updated += 1
    case .unchanged: unchanged += 1
    }
    return result
  }

  /// Adds a contact whose UID the book does not have.
  package func add(_ image: ContactImage) throws -> Int64 {
    added += 1
    return try insert(image)
  }

  /// Overwrites the contact with this id, and restores it if it is deleted.
  /// - Parameters:
  ///   - reverse: the previous state to record in the history; nil for the present one.
  ///   - isEdit: false to keep the time of the last edit, and a deleted contact deleted.
  package func replace(_ contact: Contact, photo: PhotoChange, reverse: Contact? = nil, isEdit: Bool = true) throws {
    let id = contact.id
    guard let state = try state(of: id) else { return }
    let present = try content(of: id)
    var replacement = contact
    replacement.photo = photo.summary(present: present.photo)
    if !state.isDeleted, present.uid == replacement.uid, Self.isEqual(present, replacement) { return }
    try rewrite(
      id, from: present, wasDeleted: state.isDeleted, to: replacement, DerivedColumns(replacement), photo, reverse,
      isEdit: isEdit)
  }

  /// Changes a contact except its photo, unless the contact is deleted.
  public func change(_ id: Int64, _ change: (inout Contact) throws -> Void) throws {
    guard let state = try state(of: id), !state.isDeleted else { return }
    let before = try content(of: id)
    var replacement = before
    try change(&replacement)
    guard replacement.uid == before.uid else {
      _ = try write(replacement, photo: nil, over: before)
      return
    }
    if groupPolicy == .add { replacement.groups = Set(replacement.groups + before.groups).sorted() }
    replacement.photo = before.photo
    if replacement == before { return }
    updated += 1
    try rewrite(id, from: before, wasDeleted: false, to: replacement, DerivedColumns(replacement), .keep)
  }

  /// Deletes a contact, unless it is already deleted. It can be restored.
  public func delete(_ id: Int64) throws { try setDeleted(true, all: [id]) }

  /// Restores a contact, if it is deleted.
  public func restore(_ id: Int64) throws { try setDeleted(false, all: [id]) }

  /// Deletes or restores contacts. Those that are already in that state are skipped.
  /// - Parameter ids: different ids, in ascending order.
  func setDeleted(_ isDeleted: Bool, all ids: [Int64]) throws {
    let changed = try Int64.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT id FROM contact WHERE id IN (SELECT value FROM json_each(?)) AND (deleted_at IS NULL) = ? ORDER BY id
          """), arguments: [ContactLoader.json(ids), isDeleted])
    guard !changed.isEmpty else { return }
    try updating(changed) {
      if isDeleted {
        try rows.delete("Person", changed, mark: .string(moment))
      } else {
        try rows.update("Person", changed, [("modified", .string(moment))], restoring: true)
      }
    }
    try recorder?.record(changed, areThere: !isDeleted)
  }

  /// Returns the version of a contact, and whether it is deleted; nil if there is none.
  package func state(of id: Int64) throws -> (version: Int, isDeleted: Bool)? {
    if let known = ahead[id] { return (known.contact.version, known.isDeleted) }
    return try Row.fetchOne(
      db.cachedStatement(sql: "SELECT version, deleted_at IS NOT NULL FROM contact WHERE id = ?"), arguments: [id]
    ).map { ($0.number(0), $0.integer(1) != 0) }
  }

  /// Returns a contact from the book, deleted or not.
  /// - Throws: `StoreError.damaged` if there is none with this id.
  package func content(of id: Int64) throws -> Contact {
    if let known = ahead[id] { return known.contact }
    guard let contact = try ContactLoader(db).load([id]).first else {
      throw StoreError(.damaged, path: "")
    }
    return contact
  }

  /// Returns the photo of a contact, deleted or not.
  func photo(of id: Int64) throws -> Photo? { try Photo.fetch(db, contact: id) }

  private func insertOrUpdate(
    _ contact: Contact, _ photo: Photo?, _ known: Contact?
  ) throws -> (outcome: Outcome, id: Int64) {
    lazy var derived = DerivedColumns(contact)
    guard !contact.uid.isEmpty else {
      if let id = try equal(to: contact, derived, photo) { return (.unchanged, id) }
      return (.added, try add(contact, derived, photo))
    }
    let found = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT id, deleted_at IS NOT NULL FROM contact WHERE uid = ?"),
      arguments: [contact.uid])
    guard let found else { return (.added, try add(contact, derived, photo)) }
    let id: Int64 = found[0]
    let isDeleted: Bool = found[1]
    let present = if let known, known.id == id { known } else { try content(of: id) }
    let change = photo.map { PhotoChange.set($0) } ?? .keep
    var replacement = contact
    if groupPolicy == .add { replacement.groups = Set(contact.groups + present.groups).sorted() }
    replacement.photo = change.summary(present: present.photo)
    if !isDeleted, Self.isEqual(present, replacement) { return (.unchanged, id) }
    try rewrite(id, from: present, wasDeleted: isDeleted, to: replacement, derived, change)
    return (isDeleted ? .added : .updated, id)
  }

  private func rewrite(
    _ id: Int64, from present: Contact, wasDeleted: Bool, to replacement: Contact,
    _ derived: @autoclosure () -> DerivedColumns, _ photo: PhotoChange, _ reverse: Contact? = nil, isEdit: Bool = true
  ) throws {
    let known = recorder != nil && photo != .keep ? try Photo.fetch(db, contact: id)?.data : nil
    let modified = isEdit ? moment : present.modified
    var changes: [(attribute: String, value: Value)] = [("modified", .string(modified))]
    if wasDeleted || !Self.haveSameRowAndValues(present, replacement) {
      changes = replacement.attributes(derived(), created: present.created, modified: modified)
    }
    try updating([id]) {
      try rows.update("Person", [id], changes, restoring: wasDeleted && isEdit)
      try updateParts(id, from: present, to: replacement, photo)
    }
    try recorder?.record(
      EditEntry(
        contact: id, wasThere: !wasDeleted, isThere: true, versionBefore: present.version,
        version: present.version + 1, changes: ContactDelta(from: reverse ?? present, to: replacement),
        photo: known))
  }

  private func add(_ contact: Contact, _ derived: DerivedColumns, _ photo: Photo?) throws -> Int64 {
    var contact = contact
    if contact.uid.isEmpty { contact.uid = UniqueID.make() }
    return try insert(ContactImage(contact, derived, photo: photo, moment: moment))
  }

  // MARK: - Batches

  /// How many contacts are changed together.
  static let batch = 4000
  /// How many contacts are decoded together.
  package static let decodedBatch = 500

  /// Reads a few hundred contacts that are about to be changed, with one query per table instead of one per table and
  /// contact. A contact is kept until it is written or others are read.
  func readAhead(_ ids: [Int64]) throws {
    ahead.removeAll(keepingCapacity: true)
    for stored in try ContactLoader(db).loadStored(ids) { ahead[stored.contact.id] = stored }
  }

  /// Reads contacts ahead in batches, and changes each with ``change(_:_:)``.
  func change(_ ids: [Int64], _ change: (inout Contact) throws -> Void) throws {
    for some in ids.batches(of: Self.decodedBatch) {
      try readAhead(some)
      for id in some { try self.change(id, change) }
    }
  }

  // MARK: - Triggers

  /// Finishes the replacement for the triggers, if there is one.
  package func finish() throws {
    try triggerReplacement?.finish()
    triggerReplacement = nil
  }

  /// Cancels the replacement before the transaction is rolled back.
  package func cancel() {
    triggerReplacement?.cancel()
    triggerReplacement = nil
  }

  /// Runs statements that update each of these contacts once, with or without its parts.
  func updating(_ ids: [Int64], _ body: () throws -> Void) throws {
    for id in ids { ahead[id] = nil }
    guard let triggerReplacement else { return try body() }
    try triggerReplacement.update(ids, body)
  }

  // MARK: - Rows

  private func insert(_ image: ContactImage) throws -> Int64 {
    let id = try rows.insert(image.object)
    try ContactChecksums.insert(id, image.checksum, checksums)
    for name in image.groups { if let group = try group(toJoin: name) { try join(group, id) } }
    if let triggerReplacement {
      try triggerReplacement.recordAddition(id, section: image.section)
    } else if mayReplaceTriggers, added >= TriggerReplacement.minimum {
      mayReplaceTriggers = false
      triggerReplacement = try TriggerReplacement(db)
    }
    try recorder?.recordAddition(id)
    return id
  }

  /// Returns true if two states differ at most in the id, version, times, groups, photo, card and addresses: an update
  /// of the row would change only its time and its version.
  private static func haveSameRowAndValues(_ old: Contact, _ new: Contact) -> Bool {
    var new = new
    (new.id, new.version, new.created, new.modified) = (old.id, old.version, old.created, old.modified)
    (new.groups, new.photo, new.cardLines, new.addresses) = (old.groups, old.photo, old.cardLines, old.addresses)
    return new == old
  }

  private func updateParts(_ id: Int64, from old: Contact, to new: Contact, _ photo: PhotoChange) throws {
    func replace(_ entity: String, _ parts: [BatchObject]) throws {
      try rows.removeParts(entity, of: id)
      try rows.insert(parts, of: id)
    }
    for field in ContactFields.standard.values where old[keyPath: field.property] != new[keyPath: field.property] {
      try replace(field.entity, new.parts(field))
    }
    if old.addresses != new.addresses { try replace("Address", new.addressParts) }
    if old.cardLines != new.cardLines { try replace("CardLines", new.cardParts) }
    switch photo {
    case .keep: break
    case .remove: try replace("Photo", [])
    case .set(let photo): try replace("Photo", [photo.part])
    }
    let left = Set(old.groups).subtracting(new.groups).compactMap { groups[$0] }
    try rows.remove(left, from: "groups", of: "Person", id)
    for name in Set(new.groups).subtracting(old.groups) {
      if let group = try group(toJoin: name) { try join(group, id) }
    }
  }

  /// Returns the id of the group that a contact with this name among its groups is in, which is created if there is none;
  /// nil for an empty name.
  func group(toJoin name: String) throws -> Int64? {
    name.isEmpty ? nil : try groups[name] ?? create(group: name)
  }

  /// Adds the row of a member, unless the group has it.
  func join(_ group: Int64, _ contact: Int64) throws {
    try rows.add([contact], to: "members", of: "Group", group)
  }

  // MARK: - Finding

  /// Returns the id of a contact with the same content; nil if none of the first hundred with the same name has it.
  private func equal(to contact: Contact, _ derived: DerivedColumns, _ photo: Photo?) throws -> Int64? {
    let ids = try Int64.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT id FROM contact
          WHERE deleted_at IS NULL AND section = ? AND sort_key = ? AND display_name = ? ORDER BY id LIMIT 100
          """), arguments: [derived.section, Data(derived.sortKey), derived.displayName])
    guard !ids.isEmpty else { return nil }
    var replacement = contact
    replacement.photo = photo?.summary
    return try ContactLoader(db).load(ids).first { Self.isEqual($0, replacement) }?.id
  }

  /// Returns true if two contacts differ at most in values that a save sets.
  private static func isEqual(_ left: Contact, _ right: Contact) -> Bool { left.comparable == right.comparable }
}
