import Contacts
import Foundation
import GRDB

/// A writer of many contacts in one transaction, with prepared statements: for imports, syncs, changes to many
/// contacts, undo, and `demo`.
///
/// It only exists inside a transaction, such as that of ``AddressBook/bulkWrite(groups:as:in:isTrial:_:)``. Its writes
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

  let recorder: StepRecorder?
  let db: Database
  private let groupPolicy: GroupPolicy
  let moment: String
  let statements: BulkStatements
  /// Whether a replacement may replace the triggers once enough contacts are added.
  private var mayReplaceTriggers: Bool
  private var triggerReplacement: TriggerReplacement?
  /// Contacts that were read ahead, until they are written.
  var ahead: [Int64: StoredContact] = [:]
  /// States of contacts that were read ahead, until the contacts are written.
  var states: [Int64: (version: Int, isDeleted: Bool)] = [:]
  /// The ids of all groups, keyed by name.
  var groups: [String: Int64] = [:]

  /// - Parameters:
  ///   - replacesTriggers: true if the book's triggers may be replaced by a ``TriggerReplacement``: the caller writes
  ///     contacts only through this writer, and calls ``finish()`` or ``cancel()``.
  ///   - moment: the time of the write.
  init(
    _ db: Database, groupPolicy: GroupPolicy, recorder: StepRecorder?, replacesTriggers: Bool = false,
    moment: String = Timestamp.now()
  ) throws {
    mayReplaceTriggers = replacesTriggers
    self.db = db
    self.recorder = recorder
    self.groupPolicy = groupPolicy
    self.moment = moment
    statements = try BulkStatements(db)
    let rows = try Row.fetchCursor(db, sql: "SELECT name, id FROM contact_group")
    while let row = try rows.next() { groups[row.text(0)] = row.integer(1) }
  }

  /// Adds a contact, or updates the one with its UID. A contact without a UID is added unless the book already has an
  /// equal one.
  ///
  /// The id, version and times of the value are ignored.
  /// - Parameter photo: its photo; nil keeps the present one.
  /// - Returns: the result, and the contact's id.
  @discardableResult
  public func write(_ contact: Contact, photo: Photo? = nil) throws -> (outcome: Outcome, id: Int64) {
    try write(contact, photo: photo, over: nil)
  }

  /// Writes a contact like ``write(_:photo:)``.
  /// - Parameter present: the contact in the book, if the caller has already read it.
  func write(
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
  func add(_ image: ContactImage) throws -> Int64 {
    added += 1
    return try insertRecorded(image)
  }

  /// Overwrites the contact with this id, and restores it if it is deleted.
  /// - Parameter reverse: the previous state to record in the history; nil for the present one.
  func replace(_ contact: Contact, photo: PhotoChange, reverse: Contact? = nil) throws {
    let id = contact.id
    guard let state = try state(of: id) else { return }
    let present = try content(of: id)
    if present.uid != contact.uid {
      try updating([id]) {
        try db.execute(sql: "UPDATE contact SET uid = ? WHERE id = ?", arguments: [contact.uid, id])
      }
    }
    var replacement = contact
    replacement.photo = photo.summary(present: present.photo)
    if !state.isDeleted, present.uid == replacement.uid, Self.isEqual(present, replacement) { return }
    try rewrite(
      id, from: present, wasDeleted: state.isDeleted, to: replacement, DerivedColumns(replacement), photo, reverse)
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

  /// Returns the version of a contact, and whether it is deleted; nil if there is none.
  func state(of id: Int64) throws -> (version: Int, isDeleted: Bool)? {
    if let known = ahead[id] { return (known.contact.version, !known.row.deleted.isEmpty) }
    if let known = states[id] { return known }
    statements.state.setUncheckedArguments([id])
    return try Row.fetchOne(statements.state).map { ($0.number(0), $0.integer(1) != 0) }
  }

  /// Returns a contact from the book, deleted or not.
  /// - Throws: `StoreError.damaged` if there is none with this id.
  func content(of id: Int64) throws -> Contact {
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
    statements.find.setUncheckedArguments([contact.uid])
    guard let found = try Row.fetchOne(statements.find) else { return (.added, try add(contact, derived, photo)) }
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
    _ derived: @autoclosure () -> DerivedColumns, _ photo: PhotoChange, _ reverse: Contact? = nil
  ) throws {
    let known = recorder != nil && photo != .keep ? try Photo.fetch(db, contact: id)?.data : nil
    let hasSameRow = !wasDeleted && Self.haveSameRowAndValues(present, replacement)
    try updating([id]) {
      if hasSameRow {
        try db.cachedStatement(sql: "UPDATE contact SET modified_at = ?, version = version + 1 WHERE id = ?")
          .execute(arguments: [moment, id])
      } else {
        try updateRow(id, replacement, derived())
      }
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
    return try insertRecorded(ContactImage(contact, derived, photo: photo, moment: moment))
  }

  private func insertRecorded(_ image: ContactImage) throws -> Int64 {
    let id = try insert(image)
    try recorder?.recordAddition(id)
    return id
  }

  // MARK: - Triggers

  /// Finishes the replacement for the triggers, if there is one.
  func finish() throws {
    try triggerReplacement?.finish()
    triggerReplacement = nil
  }

  /// Cancels the replacement before the transaction is rolled back.
  func cancel() {
    triggerReplacement?.cancel()
    triggerReplacement = nil
  }

  /// Runs statements that update each of these contacts once, with or without its parts.
  func updating(_ ids: [Int64], _ body: () throws -> Void) throws {
    for id in ids { (ahead[id], states[id]) = (nil, nil) }
    guard let triggerReplacement else { return try body() }
    try triggerReplacement.update(ids, body)
  }

  // MARK: - Rows

  private func insert(_ image: ContactImage) throws -> Int64 {
    let id = try insert(image.rows, id: nil)
    for name in image.groups { if let group = try group(toJoin: name) { try join(group, id) } }
    if let triggerReplacement {
      try triggerReplacement.recordAddition(id, section: image.section)
    } else if mayReplaceTriggers, added >= TriggerReplacement.minimum {
      mayReplaceTriggers = false
      triggerReplacement = try TriggerReplacement(db)
    }
    return id
  }

  /// Inserts rows of a contact.
  /// - Parameter id: the contact; nil if the first row is the contact itself.
  /// - Returns: the id of the contact.
  @discardableResult
  private func insert(_ rows: BoundRows, id: Int64?) throws -> Int64 {
    var id = id
    try rows.bytes.withUnsafeBytes { bytes in
      for row in rows.rows {
        try statements.insertion(row.table).run(id, rows.values[row.values], bytes)
        id = id ?? db.lastInsertedRowID
      }
    }
    return id ?? 0
  }

  private func updateRow(_ id: Int64, _ new: Contact, _ derived: DerivedColumns) throws {
    var values: Values = []
    appendColumns(of: new, derived, to: &values)
    values += [moment, id]
    try execute(statements.update, values)
  }

  /// Returns true if two states differ at most in the id, UID, version, times, groups, photo, card and addresses: an
  /// update of the row would change only its time and its version.
  private static func haveSameRowAndValues(_ old: Contact, _ new: Contact) -> Bool {
    var new = new
    (new.id, new.uid, new.version, new.created, new.modified) = (
      old.id, old.uid, old.version, old.created, old.modified
    )
    (new.groups, new.photo, new.cardLines, new.addresses) = (old.groups, old.photo, old.cardLines, old.addresses)
    return new == old
  }

  private func updateParts(_ id: Int64, from old: Contact, to new: Contact, _ photo: PhotoChange) throws {
    var rows = BoundRows()
    func clear(_ table: String) throws {
      try db.cachedStatement(sql: "DELETE FROM \(table) WHERE contact_id = ?").execute(arguments: [id])
    }
    for (index, field) in ContactFields.standard.values.enumerated()
    where old[keyPath: field.property] != new[keyPath: field.property] {
      try clear(field.table)
      rows.append(new[keyPath: field.property], ofField: index)
    }
    if old.addresses != new.addresses {
      try clear("address")
      rows.append(new.addresses)
    }
    if old.cardLines != new.cardLines {
      try clear("contact_card")
      rows.append(cardLines: new.cardLines)
    }
    if photo != .keep { try clear("avatar") }
    if case .set(let photo) = photo { rows.append(photo) }
    try insert(rows, id: id)
    for group in Set(old.groups).subtracting(new.groups) {
      try db.cachedStatement(sql: "DELETE FROM group_member WHERE contact_id = ? AND group_id = ?")
        .execute(arguments: [id, groups[group]])
    }
    for name in Set(new.groups).subtracting(old.groups) {
      if let group = try group(toJoin: name) { try join(group, id) }
    }
  }

  /// Appends the values of `BulkStatements.contactColumns` in their order, without the UID and the times.
  private func appendColumns(of contact: Contact, _ derived: DerivedColumns, to values: inout Values) {
    values.append(contact.kind.rawValue)
    values.append(contact.birthday?.iso)
    for field in ContactFields.standard.texts { values.append(contact[field]) }
    values.append(derived.displayName)
    values.append(derived.section)
    values.append(Data(derived.sortKey))
    values.append(derived.listPhone)
    values.append(derived.listEmail)
  }

  /// Returns the id of the group that a contact with this name among its groups is in, which is created if there is none;
  /// nil for an empty name.
  func group(toJoin name: String) throws -> Int64? {
    name.isEmpty ? nil : try groups[name] ?? create(group: name)
  }

  /// Adds the row of a member, unless the group has it.
  func join(_ group: Int64, _ contact: Int64) throws {
    try statements.member.run(contact, [.integer(group)], UnsafeRawBufferPointer(start: nil, count: 0))
  }

  // MARK: - Finding

  /// Returns the id of a contact with the same content; nil if none of the first hundred with the same name has it.
  private func equal(to contact: Contact, _ derived: DerivedColumns, _ photo: Photo?) throws -> Int64? {
    statements.same.setUncheckedArguments([derived.section, Data(derived.sortKey), derived.displayName])
    let ids = try Int64.fetchAll(statements.same)
    guard !ids.isEmpty else { return nil }
    var replacement = contact
    replacement.photo = photo?.summary
    return try ContactLoader(db).load(ids).first { Self.isEqual($0, replacement) }?.id
  }

  /// Returns true if two contacts differ at most in values that a save sets.
  private static func isEqual(_ left: Contact, _ right: Contact) -> Bool { left.comparable == right.comparable }

  /// Values of a statement. GRDB converts an array of `DatabaseValue` with a key path, which costs more than the
  /// insert.
  private typealias Values = [(any DatabaseValueConvertible)?]

  private func execute(_ statement: Statement, _ values: Values) throws {
    statement.setUncheckedArguments(StatementArguments(values))
    try statement.execute()
  }
}
