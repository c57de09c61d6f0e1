import Contacts
import Foundation
import GRDB

/// Writes many contacts in one transaction with prepared statements: import and `demo`.
///
/// It exists only inside ``AddressBook/bulkWrite(groups:isTrial:_:)``. What it writes can be taken back as a whole by its
/// ``journal``; a context that is open elsewhere hears of it like of any other process.
public final class BulkWriter {
  /// What became of a contact.
  public enum Outcome: Hashable, Sendable {
    /// It was not in the book, or was deleted there.
    case added
    /// It was in the book and differed.
    case updated
    /// It was already in the book, unchanged.
    case unchanged
  }

  /// What an update does with the groups that a contact is in already.
  public enum GroupPolicy: Hashable, Sendable {
    /// They stay; those of the card are added.
    case add
    /// It is in the groups of the card alone.
    case replace
  }

  /// How many contacts were added so far.
  public private(set) var added = 0
  /// How many were updated so far.
  public private(set) var updated = 0
  /// How many were already in the book, unchanged.
  public private(set) var unchanged = 0

  /// True to keep a ``journal``.
  public var keepsJournal = false
  /// What was written since ``keepsJournal`` was set, for ``AddressBook/revert(_:policy:isCancelled:onProgress:)``.
  public let journal: BulkJournal

  private let db: Database
  private let groupPolicy: GroupPolicy
  private let moment: String
  private let damage: DamageLog
  private var digest = ContactDigest()
  private let statements: BulkStatements
  private var groups: [String: Int64] = [:]

  init(
    _ db: Database, groupPolicy: GroupPolicy, journal: BulkJournal, damage: DamageLog,
    moment: String = Timestamp.now()
  ) throws {
    self.db = db
    self.journal = journal
    self.groupPolicy = groupPolicy
    self.damage = damage
    self.moment = moment
    statements = try BulkStatements(db)
    let rows = try Row.fetchCursor(db, sql: "SELECT name, id FROM contact_group")
    while let row = try rows.next() { groups[row[0]] = row[1] }
  }

  /// Adds a contact, or updates the one with its uid. One without a uid is added unless the book already has an equal one.
  ///
  /// The id, version and moments of the value are not looked at.
  /// - Parameter photo: its picture; nil leaves the one that is there.
  /// - Returns: what became of it, and its row.
  @discardableResult
  public func write(_ contact: Contact, photo: Photo? = nil) throws -> (outcome: Outcome, id: Int64) {
    let result = try place(contact, photo, removesPhoto: false)
    switch result.outcome {
    case .added: added += 1
    case .updated: updated += 1
    case .unchanged: unchanged += 1
    }
    return result
  }

  /// Writes a contact as it was, its picture too.
  /// - Parameter reverse: what the journal says of the contact before; what is there when it is nil.
  func write(_ record: JournalRecord, reverse: Contact? = nil) throws {
    let photo = record.setsPhoto ? record.photo : nil
    _ = try place(record.contact, photo, removesPhoto: record.setsPhoto && photo == nil, reverse: reverse)
  }

  /// Deletes a contact so that it can come back; one that is deleted already is no error.
  public func delete(_ id: Int64) throws {
    try db.execute(
      sql: """
        UPDATE contact SET deleted_at = ?1, modified_at = ?1, version = version + 1 WHERE id = ?2 AND deleted_at IS NULL
        """, arguments: [moment, id])
    if keepsJournal, db.changesCount > 0 { journal.record(.init(id: id, before: .present(nil), after: .absent)) }
  }

  /// Brings a deleted contact back; one that is there is no error.
  public func restore(_ id: Int64) throws {
    try db.execute(
      sql: """
        UPDATE contact SET deleted_at = NULL, modified_at = ?, version = version + 1 WHERE id = ? AND deleted_at IS NOT NULL
        """, arguments: [moment, id])
    guard keepsJournal, db.changesCount > 0, let now = try state(of: id) else { return }
    journal.record(
      .init(
        id: id, before: .absent, after: .present(nil), version: now.version,
        digest: JournalRecord.digest(try content(of: id))))
  }

  /// Changes a contact; one that is deleted stays as it is.
  public func change(_ id: Int64, _ change: (inout Contact) -> Void) throws {
    guard let state = try state(of: id), !state.isDeleted else { return }
    let before = try content(of: id)
    var contact = before
    change(&contact)
    if contact != before { try write(contact) }
  }

  /// Takes note of a change of a contact that other statements make.
  func record(changeOf id: Int64, _ change: () throws -> Void) throws {
    guard keepsJournal else { return try change() }
    let (before, version) = (try content(of: id), try state(of: id)?.version)
    try change()
    guard let now = try state(of: id), now.version != version else { return }
    let after = try content(of: id)
    journal.record(
      .init(
        id: id, before: .present(JournalRecord(contact: before)), after: .present(JournalRecord(contact: after)),
        version: now.version, digest: JournalRecord.digest(after)))
  }

  /// Version of a contact and whether it is deleted; nil when there is none.
  func state(of id: Int64) throws -> (version: Int, isDeleted: Bool)? {
    statements.state.setUncheckedArguments([id])
    return try Row.fetchOne(statements.state).map { ($0[0], $0[1]) }
  }

  /// A contact as it is in the book, deleted or not.
  func content(of id: Int64) throws -> Contact {
    guard let contact = try ContactLoader(db, damage: damage).load([id]).first else {
      throw StoreError(.damaged, path: "")
    }
    return contact
  }

  private func place(
    _ contact: Contact, _ photo: Photo?, removesPhoto: Bool, reverse: Contact? = nil
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
    let present = try content(of: id)
    var wanted = contact
    if groupPolicy == .add { wanted.groups = Set(contact.groups + present.groups).sorted() }
    wanted.photo = removesPhoto ? nil : photo?.summary ?? present.photo
    if !isDeleted, Self.isEqual(present, wanted) { return (.unchanged, id) }
    let known = keepsJournal && !isDeleted && (photo != nil || removesPhoto) ? try Photo.fetch(db, contact: id) : nil
    try update(id, from: present, to: wanted, derived, photo)
    if removesPhoto { try db.execute(sql: "DELETE FROM avatar WHERE contact_id = ?", arguments: [id]) }
    if keepsJournal {
      let before = JournalRecord(contact: reverse ?? present, photo: known, setsPhoto: photo != nil || removesPhoto)
      journal.record(
        .init(
          id: id, before: isDeleted ? .absent : .present(before),
          after: .present(isDeleted ? nil : JournalRecord(contact: wanted)), version: present.version + 1,
          digest: JournalRecord.digest(wanted)))
    }
    return (isDeleted ? .added : .updated, id)
  }

  private func add(_ contact: Contact, _ derived: DerivedColumns, _ photo: Photo?) throws -> Int64 {
    let id = try insert(contact, derived, photo)
    if keepsJournal {
      var content = contact
      content.photo = photo?.summary
      journal.record(
        .init(id: id, before: .absent, after: .present(nil), version: 1, digest: JournalRecord.digest(content)))
    }
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
      try insertLabelled(contact[keyPath: field.property], statements.labelled[place], key)
    }
    try insertAddresses(contact.addresses, key)
    try insertLines(contact.cardLines, key)
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
      id, digest.whole(contact, row), digest.list(row, organization: contact.organization, contact.kind),
      statements.checksum)
  }

  private func update(
    _ id: Int64, from old: Contact, to new: Contact, _ derived: DerivedColumns, _ photo: Photo?
  ) throws {
    let key = id
    var values: Values = []
    appendColumns(of: new, derived, to: &values)
    values += [moment, key]
    try execute(statements.update, values)
    for (place, field) in ContactFields.standard.values.enumerated()
    where old[keyPath: field.property] != new[keyPath: field.property] {
      try db.execute(sql: "DELETE FROM \(field.table) WHERE contact_id = ?", arguments: [id])
      try insertLabelled(new[keyPath: field.property], statements.labelled[place], key)
    }
    if old.addresses != new.addresses {
      try db.execute(sql: "DELETE FROM address WHERE contact_id = ?", arguments: [id])
      try insertAddresses(new.addresses, key)
    }
    if old.cardLines != new.cardLines {
      try db.execute(sql: "DELETE FROM card_line WHERE contact_id = ?", arguments: [id])
      try insertLines(new.cardLines, key)
    }
    for group in Set(old.groups).subtracting(new.groups) {
      try db.execute(
        sql: "DELETE FROM group_member WHERE contact_id = ? AND group_id = ?", arguments: [id, groups[group]])
    }
    for group in Set(new.groups).subtracting(old.groups) { try join(group, key) }
    if let photo { try setPhoto(photo, key) }
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

  private func insertLabelled(_ list: [LabelledValue], _ statement: Statement, _ key: Int64) throws {
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

  private func insertLines(_ lines: [String], _ key: Int64) throws {
    for (place, line) in lines.enumerated() {
      try execute(statements.line, [key, place, line])
    }
  }

  private func join(_ name: String, _ key: Int64) throws {
    guard !name.isEmpty else { return }
    let group: Int64
    if let known = groups[name] {
      group = known
    } else {
      try db.execute(
        sql: "INSERT INTO contact_group (uid, name) VALUES (?, ?)", arguments: [UniqueID.make(), name])
      group = db.lastInsertedRowID
      groups[name] = group
    }
    try execute(statements.member, [group, key])
  }

  private func setPhoto(_ photo: Photo, _ key: Int64) throws {
    try db.execute(sql: "DELETE FROM avatar WHERE contact_id = ?", arguments: [key])
    try execute(statements.photo, [key] + photo.columns.map { $0 })
  }

  // MARK: - Finding

  /// The row of a contact with the same content; names order the book, so that few rows are compared.
  private func equal(to contact: Contact, _ derived: DerivedColumns, _ photo: Photo?) throws -> Int64? {
    statements.same.setUncheckedArguments([derived.section, Data(derived.sortKey), derived.displayName])
    let ids = try Int64.fetchAll(statements.same)
    guard !ids.isEmpty else { return nil }
    var wanted = contact
    wanted.photo = photo?.summary
    return try ContactLoader(db).load(ids).first { Self.isEqual($0, wanted) }?.id
  }

  /// True when two contacts differ at most in what a save gives them.
  private static func isEqual(_ left: Contact, _ right: Contact) -> Bool { left.comparable == right.comparable }

  /// Values of a statement. GRDB takes an array of `DatabaseValue` by way of a key path, which costs more than the insert.
  private typealias Values = [(any DatabaseValueConvertible)?]

  private func execute(_ statement: Statement, _ values: Values) throws {
    statement.setUncheckedArguments(StatementArguments(values))
    try statement.execute()
  }
}

/// The statements of a bulk write, prepared once.
private struct BulkStatements {
  static let contactColumns =
    ["uid", "kind", "birthday"] + ContactFields.standard.texts.map(\.column) + DerivedColumns.columns
    + ["created_at", "modified_at"]

  let insert: Statement
  let update: Statement
  let find: Statement
  let state: Statement
  let same: Statement
  let labelled: [Statement]
  let address: Statement
  let line: Statement
  let member: Statement
  let photo: Statement
  let checksum: Statement

  init(_ db: Database) throws {
    func inserting(_ table: String, _ columns: [String], _ suffix: String = "") throws -> Statement {
      let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
      return try db.makeStatement(
        sql: "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))\(suffix)")
    }
    insert = try inserting("contact", Self.contactColumns)
    let sets = Self.contactColumns.filter { $0 != "uid" && $0 != "created_at" }.map { "\($0) = ?" }
    update = try db.makeStatement(
      sql: """
        UPDATE contact SET \(sets.joined(separator: ", ")), version = version + 1, deleted_at = NULL WHERE id = ?
        """)
    find = try db.makeStatement(sql: "SELECT id, deleted_at IS NOT NULL FROM contact WHERE uid = ?")
    state = try db.makeStatement(sql: "SELECT version, deleted_at IS NOT NULL FROM contact WHERE id = ?")
    same = try db.makeStatement(
      sql: """
        SELECT id FROM contact
        WHERE deleted_at IS NULL AND section = ? AND sort_key = ? AND display_name = ? ORDER BY id LIMIT 100
        """)
    labelled = try ContactFields.standard.values.map {
      try inserting($0.table, ["contact_id", "position", "label", "value"])
    }
    address = try inserting(
      "address", ["contact_id", "position", "label"] + AddressPart.inCardOrder.map(\.column))
    line = try inserting("card_line", ["contact_id", "position", "line"])
    member = try inserting("group_member", ["group_id", "contact_id"], " ON CONFLICT DO NOTHING")
    checksum = try ContactChecksums.insertion(db)
    photo = try inserting("avatar", ["contact_id", "media_type", "byte_count", "sha256", "data"])
  }
}
