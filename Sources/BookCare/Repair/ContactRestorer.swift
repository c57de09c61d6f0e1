import AddressBookModel
import ContactInterchange
import Contacts
import Foundation
import GRDB

/// Restores contacts and photos as they were saved, inside a transaction whose writer increments the versions itself.
struct ContactRestorer {
  private let db: Database
  private let backups: BackupSource
  private static let derivedColumns = DerivedColumns.columns.map { "\($0) = ?" }.joined(separator: ", ")
  /// The next version. A repair increments the version, so that a form that has the contact open notices the repair. A
  /// version out of range starts again at 1.
  private static let nextVersion = """
    CASE WHEN version BETWEEN 1 AND \(StoredContact.versions.upperBound) THEN version ELSE 0 END + 1
    """

  init(_ db: Database, backups: BackupSource) {
    self.db = db
    self.backups = backups
  }

  /// Returns the checksum of a whole contact; nil if it has none.
  func checksum(of id: Int64) throws -> Int64? {
    try Int64.fetchOne(db, sql: "SELECT whole FROM contact_checksum WHERE contact_id = ?", arguments: [id])
  }

  /// Restores a contact as it was saved: its derived values, or all values from a backup.
  /// - Returns: false if neither fits its checksum; the contact is then unchanged.
  func restore(_ id: Int64) throws -> Bool {
    guard var stored = try ContactLoader(db).loadStored([id]).first, let checksum = stored.checksum else {
      return false
    }
    stored.derived = DerivedColumns(stored.contact)
    var digest = ContactDigest()
    guard let saved = stored.isDamaged(&digest) ? backups.contact(id, fitting: checksum) : stored else {
      return false
    }
    try write(saved)
    return true
  }

  /// Writes another state of a contact that has a row.
  func write(_ saved: StoredContact) throws {
    let id = saved.contact.id
    let writer = try BulkWriter(db, groupPolicy: .replace, recorder: nil)
    try writer.replace(saved.contact, photo: try missingPhoto(saved.contact))
    if let photo = saved.contact.photo {
      try db.execute(
        sql: "UPDATE avatar SET media_type = ?, byte_count = ?, sha256 = ? WHERE contact_id = ?",
        arguments: [photo.mediaType, photo.bytes, photo.sha256, id])
    }
    try db.execute(
      sql: """
        UPDATE contact SET uid = ?, kind = ?, birthday = ?, created_at = ?, modified_at = ?, deleted_at = ?,
        \(Self.derivedColumns), version = \(Self.nextVersion) WHERE id = ?
        """,
      arguments: [
        saved.contact.uid, saved.contact.kind.rawValue, saved.contact.birthday?.iso, saved.contact.created,
        saved.contact.modified, saved.isDeleted ? saved.deleted : nil,
      ] + StatementArguments(saved.derived.values + [id.databaseValue]))
    try ContactChecksums.set([id], db)
  }

  /// Adds to a contact without a row of its own what it lacks and an earlier state has.
  /// - Parameter lost: how many of its values were lost at most, by table. Others are not missing: they were removed later.
  func fill(_ id: Int64, from earlier: StoredContact, lost: [String: Int]) throws {
    guard let present = try ContactLoader(db).load([id]).first else { return }
    func filled<Value: Equatable>(_ list: [Value], from earlier: [Value], _ table: String) -> [Value] {
      list + earlier.filter { !list.contains($0) }.prefix(lost[table] ?? 0)
    }
    var contact = earlier.contact
    for field in ContactFields.standard.all {
      switch field {
      case .values(let values):
        contact[keyPath: values.property] = filled(
          present[keyPath: values.property], from: contact[keyPath: values.property], values.table)
      case .special(.addresses):
        contact.addresses = filled(present.addresses, from: contact.addresses, "address")
      default:
        let data = FieldBytes.data(field, of: present)
        if data != FieldBytes.data(field, of: Contact()) { try FieldBytes.set(field, of: &contact, to: data) }
      }
    }
    try write(StoredContact(contact: contact, derived: DerivedColumns(contact), deleted: earlier.deleted))
  }

  /// Adds to a contact whose row is as it was saved what it lost and an earlier state has.
  /// - Parameter lost: how many of its values were lost at most, by table.
  func complete(_ present: StoredContact, from earlier: Contact, lost: [String: Int]) throws {
    var completed = present
    func complete<Value: Equatable>(_ list: WritableKeyPath<Contact, [Value]>, _ table: String) {
      let present = present.contact[keyPath: list]
      let missing = earlier[keyPath: list].filter { !present.contains($0) }
      completed.contact[keyPath: list] = present + missing.prefix(lost[table] ?? 0)
    }
    for values in ContactFields.standard.values { complete(values.property, values.table) }
    complete(\.addresses, "address")
    complete(\.groups, "group_member")
    completed.contact.groups.sort()
    if lost["contact_card"] != nil, present.contact.cardLines.isEmpty {
      completed.contact.cardLines = earlier.cardLines
    }
    if lost["avatar"] != nil { completed.contact.photo = present.contact.photo ?? earlier.photo }
    completed.derived = DerivedColumns(completed.contact)
    try write(completed)
  }

  /// Returns the contact that the lines of a contact's card describe; nil without a card.
  func contactOfCard(_ present: Contact) throws -> Contact? {
    guard var contact = ContactCardReader().original(of: present) else { return nil }
    let owner = try Int64.fetchOne(db, sql: "SELECT id FROM contact WHERE uid = ?", arguments: [contact.uid])
    if owner != nil { contact.uid = present.uid }
    (contact.id, contact.version, contact.cardLines) = (present.id, present.version, present.cardLines)
    (contact.created, contact.modified, contact.photo) = (present.created, present.modified, present.photo)
    return contact
  }

  /// Returns a change that adds a photo from a backup; `keep` if the contact's photo is not missing, or not in a
  /// backup.
  private func missingPhoto(_ saved: Contact) throws -> PhotoChange {
    guard let photo = saved.photo,
      try Int.fetchOne(db, sql: "SELECT 1 FROM avatar WHERE contact_id = ?", arguments: [saved.id]) == nil,
      let found = backups.photo(saved.id, sha256: photo.sha256)
    else { return .keep }
    return .set(found)
  }

  /// Takes the bytes of a photo from a backup.
  /// - Returns: false if there is no photo, or if no backup has its bytes. In the second case, its digest is set to
  ///   that of the present bytes.
  func restorePhoto(of id: Int64) throws -> Bool {
    let row = try Row.fetchOne(
      db, sql: "SELECT sha256, media_type, data FROM avatar WHERE contact_id = ?", arguments: [id])
    guard let row else { return false }
    if let photo = backups.photo(id, sha256: row.text(0)) {
      try db.execute(sql: "UPDATE avatar SET data = ? WHERE contact_id = ?", arguments: [photo.data, id])
      try incrementVersion(of: id)
      return true
    }
    let photo = Photo(mediaType: row.text(1), data: row.data(2))
    try db.execute(
      sql: "UPDATE avatar SET byte_count = ?, sha256 = ? WHERE contact_id = ?",
      arguments: [photo.summary.bytes, photo.summary.sha256, id])
    try incrementVersion(of: id)
    return false
  }

  private func incrementVersion(of id: Int64) throws {
    try db.execute(sql: "UPDATE contact SET version = \(Self.nextVersion) WHERE id = ?", arguments: [id])
  }

  func recomputeDerived(_ id: Int64) throws {
    guard let stored = try ContactLoader(db).loadStored([id]).first else { return }
    let derived = DerivedColumns(stored.contact)
    try db.execute(
      sql: "UPDATE contact SET \(Self.derivedColumns), version = \(Self.nextVersion) WHERE id = ?",
      arguments: StatementArguments(derived.values + [id.databaseValue]))
  }

  /// Creates an empty contact with this id, unless there is one. It keeps the checksums of the contact that was lost.
  func makeRow(_ id: Int64, uid: String) throws {
    let now = Timestamp.now()
    try ContactChecksums.keeping(of: "SELECT ?", [id], db) {
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO contact (id, uid, display_name, section, sort_key, created_at, modified_at)
          VALUES (?, ?, '', 26, x'', ?, ?)
          """, arguments: [id, uid.isEmpty ? UniqueID.make() : uid, now, now])
    }
  }
}

/// Finds contacts and photos in the backups of a book. Backups that cannot be read are ignored.
final class BackupSource {
  private let paths: [String]
  private var opened: [DatabaseQueue]?
  /// How many backups are searched, the newest first: older ones rarely have anything that these lack.
  private static let count = 5

  init(_ location: StoreLocation) { paths = Array(BackupFolder(location).paths.prefix(Self.count)) }

  /// Returns the states of a contact in the backups that have it, the newest first; each is read when it is asked for.
  private func contacts(_ id: Int64) -> some Sequence<StoredContact> {
    queues().lazy.compactMap { queue in try? queue.read { try ContactLoader($0).loadStored([id]).first } }
  }

  /// Returns the contact that a checksum was computed from; nil if no backup has it.
  func contact(_ id: Int64, fitting checksum: Int64) -> StoredContact? {
    var digest = ContactDigest()
    return contacts(id).first { $0.fits(checksum, &digest) }
  }

  /// Returns the undamaged state of a contact that has the same version, saved at the same time; nil if no backup has
  /// it.
  func contact(_ id: Int64, sameAs other: Contact) -> StoredContact? {
    newestIntactContact(id) { $0.version == other.version && $0.modified == other.modified && $0.uid == other.uid }
  }

  /// Returns the newest undamaged state of a contact that meets a condition; nil if no backup has one.
  func newestIntactContact(_ id: Int64, where condition: (Contact) -> Bool = { _ in true }) -> StoredContact? {
    var digest = ContactDigest()
    return contacts(id).first { $0.checksum != nil && condition($0.contact) && !$0.isDamaged(&digest) }
  }

  /// Returns the UIDs of all contacts of the newest backup, keyed by id.
  func newestContacts() -> [Int64: String] {
    let rows = queues().lazy.compactMap { queue in
      try? queue.read { try Row.fetchAll($0, sql: "SELECT id, uid FROM contact") }
    }.first
    return Dictionary((rows ?? []).map { ($0.integer(0), $0.text(1)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the contact's photo that has this SHA-256 digest; nil if no backup has it.
  func photo(_ id: Int64, sha256: String) -> Photo? {
    for queue in queues() {
      if let photo = try? queue.read({ try Photo.fetch($0, contact: id) }), photo.summary.sha256 == sha256 {
        return photo
      }
    }
    return nil
  }

  private func queues() -> [DatabaseQueue] {
    if let opened { return opened }
    let queues = paths.filter { BackupFile($0) != nil }.compactMap { try? ImmutableFile.open($0) }
    opened = queues
    return queues
  }
}
