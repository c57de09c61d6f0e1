import Contacts
import Foundation
import GRDB

/// Writes many contacts in one transaction with prepared statements: for import and `demo`.
///
/// It only exists inside ``AddressBook/bulkWrite(groups:as:in:isTrial:_:)``. Its writes are one step of the history; a
/// context that is open elsewhere sees them like those of any other process.
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
    /// They are kept; those of the card are added.
    case add
    /// They are replaced by those of the card.
    case replace
  }

  /// How many contacts have been added so far.
  public private(set) var added = 0
  /// How many have been updated so far.
  public private(set) var updated = 0
  /// How many were already in the book, unchanged.
  public private(set) var unchanged = 0

  /// The number of contacts in the step so far; 0 if none is recorded.
  public var recordedCount: Int { recorder?.count ?? 0 }

  let recorder: StepRecorder?
  let db: Database
  private let groupPolicy: GroupPolicy
  private let moment: String
  private let damage: DamageLog
  private var digest = ContactDigest()
  private let statements: BulkStatements
  /// The ids of all groups by name.
  var groups: [String: Int64] = [:]

  init(
    _ db: Database, groupPolicy: GroupPolicy, recorder: StepRecorder?, damage: DamageLog,
    moment: String = Timestamp.now()
  ) throws {
    self.db = db
    self.recorder = recorder
    self.groupPolicy = groupPolicy
    self.damage = damage
    self.moment = moment
    statements = try BulkStatements(db)
    let rows = try Row.fetchCursor(db, sql: "SELECT name, id FROM contact_group")
    while let row = try rows.next() { groups[row[0]] = row[1] }
  }

  /// Adds a contact, or updates the one with its uid. A contact without a uid is added unless the book already has an
  /// equal one.
  ///
  /// The id, version and times of the value are ignored.
  /// - Parameter photo: its photo; nil keeps the present one.
  /// - Returns: the result, and the contact's id.
  @discardableResult
  public func write(_ contact: Contact, photo: Photo? = nil) throws -> (outcome: Outcome, id: Int64) {
    try write(contact, photo: photo, over: nil)
  }

  /// The same, for a caller that has read the contact that is in the book.
  func write(
    _ contact: Contact, photo: Photo?, over present: Contact?
  ) throws -> (outcome: Outcome, id: Int64) {
    let result = try place(contact, photo, present)
    switch result.outcome {
    case .added: added += 1
    case .updated: updated += 1
    case .unchanged: unchanged += 1
    }
    return result
  }

  /// Makes the contact with an id equal to the value, whether or not it is deleted; it is in the book afterwards.
  /// - Parameter reverse: the state before for the history; the present one if it is nil.
  func replace(_ contact: Contact, photo: PhotoChange, reverse: Contact? = nil) throws {
    let id = contact.id
    guard let state = try state(of: id) else { return }
    let present = try content(of: id)
    if present.uid != contact.uid {
      try db.execute(sql: "UPDATE contact SET uid = ? WHERE id = ?", arguments: [contact.uid, id])
    }
    var wanted = contact
    wanted.photo = photo.summary(present: present.photo)
    if !state.isDeleted, present.uid == wanted.uid, Self.isEqual(present, wanted) { return }
    try rewrite(id, from: present, wasDeleted: state.isDeleted, to: wanted, DerivedColumns(wanted), photo, reverse)
  }

  /// Notes which of these contacts are damaged. To be called before ``delete(_:)`` and ``restore(_:)``, which do not read
  /// them, and after which they have new checksums.
  func noteDamage(_ ids: [Int64]) throws { try ContactLoader(db, damage: damage).check(ids) }

  /// Deletes a contact so that it can be restored; ignored if it is already deleted.
  public func delete(_ id: Int64) throws {
    try setDeleted(moment, id, "IS NULL")
  }

  /// Restores a deleted contact; ignored if it is not deleted.
  public func restore(_ id: Int64) throws {
    try setDeleted(nil, id, "IS NOT NULL")
  }

  private func setDeleted(_ deletion: String?, _ id: Int64, _ condition: String) throws {
    try db.cachedStatement(
      sql: """
        UPDATE contact SET deleted_at = ?, modified_at = ?, version = version + 1 WHERE id = ? AND deleted_at \(condition)
        """
    ).execute(arguments: [deletion, moment, id])
    guard let recorder, db.changesCount > 0, let now = try state(of: id) else { return }
    try recorder.record(
      EditEntry(
        contact: id, wasThere: deletion != nil, isThere: deletion == nil, versionBefore: now.version - 1,
        version: now.version))
  }

  /// Changes a contact; ignored if it is deleted.
  public func change(_ id: Int64, _ change: (inout Contact) -> Void) throws {
    guard let state = try state(of: id), !state.isDeleted else { return }
    let before = try content(of: id)
    var contact = before
    change(&contact)
    if contact != before { try write(contact) }
  }

  /// Records a change of a contact by other statements.
  func record(changeOf id: Int64, _ change: () throws -> Void) throws {
    guard let recorder else { return try change() }
    let (before, version) = (try content(of: id), try state(of: id)?.version ?? 0)
    try change()
    guard let now = try state(of: id), now.version != version else { return }
    try recorder.record(
      EditEntry(
        contact: id, wasThere: true, isThere: true, versionBefore: version, version: now.version,
        changes: ContactDelta(from: before, to: try content(of: id))))
  }

  /// Version of a contact and whether it is deleted; nil if there is none.
  func state(of id: Int64) throws -> (version: Int, isDeleted: Bool)? {
    statements.state.setUncheckedArguments([id])
    return try Row.fetchOne(statements.state).map { ($0[0], $0[1]) }
  }

  /// A contact from the book, deleted or not.
  func content(of id: Int64) throws -> Contact {
    guard let contact = try ContactLoader(db, damage: damage).load([id]).first else {
      throw StoreError(.damaged, path: "")
    }
    return contact
  }

  /// The picture of a contact, deleted or not.
  func photo(of id: Int64) throws -> Photo? { try Photo.fetch(db, contact: id) }

  private func place(
    _ contact: Contact, _ photo: Photo?, _ known: Contact?
  ) throws -> (outcome: Outcome, id: Int64) {
    let derived = DerivedColumns(contact)
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
    var wanted = contact
    if groupPolicy == .add { wanted.groups = Set(contact.groups + present.groups).sorted() }
    wanted.photo = change.summary(present: present.photo)
    if !isDeleted, Self.isEqual(present, wanted) { return (.unchanged, id) }
    try rewrite(id, from: present, wasDeleted: isDeleted, to: wanted, derived, change)
    return (isDeleted ? .added : .updated, id)
  }

  private func rewrite(
    _ id: Int64, from present: Contact, wasDeleted: Bool, to wanted: Contact, _ derived: DerivedColumns,
    _ photo: PhotoChange, _ reverse: Contact? = nil
  ) throws {
    let known = recorder != nil && photo != .keep ? try Photo.fetch(db, contact: id)?.data : nil
    try update(id, from: present, to: wanted, derived, photo)
    try recorder?.record(
      EditEntry(
        contact: id, wasThere: !wasDeleted, isThere: true, versionBefore: present.version,
        version: present.version + 1, changes: ContactDelta(from: reverse ?? present, to: wanted),
        photo: known))
  }

  private func add(_ contact: Contact, _ derived: DerivedColumns, _ photo: Photo?) throws -> Int64 {
    let id = try insert(contact, derived, photo)
    try recorder?.recordAddition(id)
    return id
  }

  // MARK: - Rows

  private func insert(_ contact: Contact, _ derived: DerivedColumns, _ photo: Photo?) throws -> Int64 {
    let uid = contact.uid.isEmpty ? UniqueID.make() : contact.uid
    var values: Values = [uid]
    values.reserveCapacity(BulkStatements.contactColumns.count)
    appendColumns(of: contact, derived, to: &values)
    values.append(moment)
    values.append(moment)
    try execute(statements.insert, values)
    let id = db.lastInsertedRowID
    let key = id
    for (place, field) in ContactFields.standard.values.enumerated() {
      try insertLabeled(contact[keyPath: field.property], statements.labeled[place], key)
    }
    try insertAddresses(contact.addresses, key)
    try insertCard(contact.cardLines, key)
    for group in Set(contact.groups) { try join(group, key) }
    if let photo { try setPhoto(photo, key) }
    try setChecksum(id, uid, contact, derived, photo)
    return id
  }

  /// Of a contact that is new, as it will be read. The checksums of others are set at the end of the transaction.
  private func setChecksum(
    _ id: Int64, _ uid: String, _ contact: Contact, _ derived: DerivedColumns, _ photo: Photo?
  ) throws {
    var contact = contact
    contact.uid = uid
    contact.groups = Set(contact.groups).filter { !$0.isEmpty }.sorted()
    contact.photo = photo?.summary
    contact.created = moment
    contact.modified = moment
    let row = ContactDigest.Row(derived)
    try ContactChecksums.insert(
      id, digest.whole(contact, row) ^ StoredContact.mark(of: 1),
      digest.list(row, organization: contact.organization, contact.kind), statements.checksum)
  }

  private func update(
    _ id: Int64, from old: Contact, to new: Contact, _ derived: DerivedColumns, _ photo: PhotoChange
  ) throws {
    let key = id
    var values: Values = []
    appendColumns(of: new, derived, to: &values)
    values += [moment, key]
    try execute(statements.update, values)
    for (place, field) in ContactFields.standard.values.enumerated()
    where old[keyPath: field.property] != new[keyPath: field.property] {
      try db.execute(sql: "DELETE FROM \(field.table) WHERE contact_id = ?", arguments: [id])
      try insertLabeled(new[keyPath: field.property], statements.labeled[place], key)
    }
    if old.addresses != new.addresses {
      try db.execute(sql: "DELETE FROM address WHERE contact_id = ?", arguments: [id])
      try insertAddresses(new.addresses, key)
    }
    if old.cardLines != new.cardLines {
      try db.execute(sql: "DELETE FROM contact_card WHERE contact_id = ?", arguments: [id])
      try insertCard(new.cardLines, key)
    }
    for group in Set(old.groups).subtracting(new.groups) {
      try db.execute(
        sql: "DELETE FROM group_member WHERE contact_id = ? AND group_id = ?", arguments: [id, groups[group]])
    }
    for group in Set(new.groups).subtracting(old.groups) { try join(group, key) }
    switch photo {
    case .keep: break
    case .remove: try db.execute(sql: "DELETE FROM avatar WHERE contact_id = ?", arguments: [key])
    case .set(let photo): try setPhoto(photo, key)
    }
  }

  /// In the order of `BulkStatements.contactColumns` after the uid.
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

  private func insertLabeled(_ list: [LabeledValue], _ statement: Statement, _ key: Int64) throws {
    for (place, item) in list.enumerated() {
      try execute(statement, [key, place, item.label, item.value])
    }
  }

  private func insertAddresses(_ list: [PostalAddress], _ key: Int64) throws {
    for (place, item) in list.enumerated() {
      var values: Values = [key, place, item.label]
      for part in AddressPart.inCardOrder { values.append(item[part]) }
      try execute(statements.address, values)
    }
  }

  private func insertCard(_ lines: [String], _ key: Int64) throws {
    if !lines.isEmpty { try execute(statements.card, [key, StoredLines.text(lines)]) }
  }

  /// Adds a contact to a group, which is made if there is none of that name.
  func join(_ name: String, _ key: Int64) throws {
    guard !name.isEmpty else { return }
    let group: Int64
    if let known = groups[name] {
      group = known
    } else {
      let uid = UniqueID.make()
      try db.execute(sql: "INSERT INTO contact_group (uid, name) VALUES (?, ?)", arguments: [uid, name])
      group = db.lastInsertedRowID
      groups[name] = group
      try recorder?.recordGroup(uid: uid, before: nil, after: name)
    }
    try execute(statements.member, [group, key])
  }

  private func setPhoto(_ photo: Photo, _ key: Int64) throws {
    try db.execute(sql: "DELETE FROM avatar WHERE contact_id = ?", arguments: [key])
    try execute(statements.photo, [key] + photo.columns.map { $0 })
  }

  // MARK: - Finding

  /// The id of a contact with the same content; the name narrows the search to a few rows.
  private func equal(to contact: Contact, _ derived: DerivedColumns, _ photo: Photo?) throws -> Int64? {
    statements.same.setUncheckedArguments([derived.section, Data(derived.sortKey), derived.displayName])
    let ids = try Int64.fetchAll(statements.same)
    guard !ids.isEmpty else { return nil }
    var wanted = contact
    wanted.photo = photo?.summary
    return try ContactLoader(db).load(ids).first { Self.isEqual($0, wanted) }?.id
  }

  /// True if two contacts differ at most in values that a save sets.
  private static func isEqual(_ left: Contact, _ right: Contact) -> Bool { left.comparable == right.comparable }

  /// Values of a statement. GRDB converts an array of `DatabaseValue` with a key path, which costs more than the
  /// insert.
  private typealias Values = [(any DatabaseValueConvertible)?]

  private func execute(_ statement: Statement, _ values: Values) throws {
    statement.setUncheckedArguments(StatementArguments(values))
    try statement.execute()
  }
}
