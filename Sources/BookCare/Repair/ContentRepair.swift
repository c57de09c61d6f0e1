import AddressBookModel
import Contacts
import GRDB

/// Repairs the contents of a book, in a transaction of a database whose indexes are intact. Each step relies on the
/// steps before it.
struct ContentRepair {
  private let db: Database
  private let progress: DoctorProgress
  private let log: RepairLog
  private let restorer: ContactRestorer
  private let backups: BackupSource

  init(_ db: Database, _ location: StoreLocation, _ progress: DoctorProgress, _ log: RepairLog) {
    self.db = db
    self.progress = progress
    self.log = log
    backups = BackupSource(location)
    restorer = ContactRestorer(db, backups: backups)
  }

  /// - Parameters:
  ///   - groups: groups whose names differ between the table and its index.
  ///   - losses: what a salvage could not read.
  ///   - allowsOlder: true to take lost contacts from a backup, even in an earlier state.
  func run(_ groups: [GroupCheck.Difference], losses: BookSalvage.Losses? = nil, allowsOlder: Bool = false) throws {
    try repairGroups(groups)
    let lost = try losses.map { try restoreMissing($0, allowsOlder: allowsOlder) } ?? 0
    let adopted = try adoptOrphans(losses)
    if let losses { log.add(.lostUnnamed, count: try unnamedCount(losses, named: lost) ?? 0) }
    try removeOrphans(isSalvage: losses != nil)
    if let losses { try completeUnchecked(losses, except: adopted, allowsOlder: allowsOlder) }
    try repairContacts(losses, allowsOlder: allowsOlder)
    try removeHistory()
    if let losses { try limitSyncState(losses) }
    try correctCounts()
    let count = try setChecksums()
    if losses == nil { log.add(.checked, count: count) }
  }

  // MARK: - Groups

  /// Chooses the name that fits the checksums of more members, or the name in the table if both fit equally many.
  private func repairGroups(_ groups: [GroupCheck.Difference]) throws {
    var count = 0
    for group in groups {
      let (fitting, others) = try members(of: group)
      guard fitting.count > others else { continue }
      var isRenamed = false
      try ContactChecksums.keeping(of: "SELECT contact_id FROM group_member WHERE group_id = ?", [group.id], db) {
        try db.execute(
          sql: "UPDATE OR IGNORE contact_group SET name = ?, version = version + 1 WHERE id = ?",
          arguments: [group.indexed, group.id])
        // Another group may have that name.
        isRenamed = db.changesCount > 0
      }
      guard isRenamed else { continue }
      count += 1
      // A trigger has incremented their versions.
      for batch in fitting.batches(of: BulkWriter.decodedBatch) { try ContactChecksums.set(batch, db) }
    }
    log.add(.groups, count: count)
  }

  /// Returns the members that fit their checksums if the group has the name in the index, and the number of those that
  /// fit if it has the name in the table.
  private func members(of group: GroupCheck.Difference) throws -> (fitting: [Int64], others: Int) {
    var (fitting, others): ([Int64], Int) = ([], 0)
    var digest = ContactDigest()
    var cursor = try ContactCursor(db, .ids(BulkWriter.members(of: group.id, db)))
    while var member = try cursor.next() {
      guard let checksum = member.checksum else { continue }
      if member.fits(checksum, &digest) { others += 1 }
      member.contact.groups = (member.contact.groups.filter { $0 != group.name } + [group.indexed]).sorted()
      if member.fits(checksum, &digest) { fitting.append(member.contact.id) }
    }
    return (fitting, others)
  }

  // MARK: - Missing contacts

  /// Restores lost contacts whose last state, or with `allowsOlder` any undamaged state, is in a backup. An earlier
  /// state only adds what the damaged book lacks. With `allowsOlder`, if the damaged book may not name all that are
  /// missing, contacts that only the newest backup has are restored too.
  /// - Returns: the number of contacts that stay lost.
  private func restoreMissing(_ losses: BookSalvage.Losses, allowsOlder: Bool) throws -> Int {
    var (restored, earlier, lost): ([NamedContact], [NamedContact], [NamedContact]) = ([], [], [])
    var missing = losses.contacts
    if allowsOlder, !losses.areAllNamed, try unnamedCount(losses, named: missing.count) != 0 {
      missing.merge(try contactsOnlyInBackup().filter { !losses.removed.contains($0.key) }) { uid, _ in uid }
    }
    for (id, uid) in missing.sorted(by: { $0.key < $1.key }) {
      try progress.check()
      let checksum = try restorer.checksum(of: id)
      let exact = checksum.flatMap { backups.contact(id, fitting: $0) }
      let older = backups.newestIntactContact(id)
      if let exact {
        try restorer.makeRow(id, uid: exact.contact.uid)
        try restorer.write(exact)
        restored.append(try named(id))
      } else if allowsOlder, let older {
        try restorer.makeRow(id, uid: older.contact.uid)
        try restorer.fill(id, from: older, lost: lostValues(of: id, losses))
        earlier.append(try named(id))
      } else if try !hasValues(id) {
        lost.append(NamedContact(id: id, name: older?.derived.displayName ?? uid))
      }
    }
    log.add(.restored, contacts: restored)
    log.add(.restoredEarlier, contacts: earlier)
    log.add(.lost, contacts: lost)
    return lost.count
  }

  /// Returns how many contacts are missing besides those that the damaged book names; nil if that is unknown.
  private func unnamedCount(_ losses: BookSalvage.Losses, named: Int) throws -> Int? {
    let present = try Int.fetchOne(db, sql: "SELECT count(*) FROM contact WHERE deleted_at IS NULL") ?? 0
    return losses.count.map { max(0, $0 - present - named) }
  }

  /// Returns the UIDs of the contacts of the newest backup that this book lacks, keyed by id. A contact that was
  /// removed for good after the backup is among them, unless the change log says so.
  private func contactsOnlyInBackup() throws -> [Int64: String] {
    let rows = try Row.fetchAll(db, sql: "SELECT id, uid FROM contact")
    let ids = Set(rows.map { $0.integer(0) })
    let uids = Set(rows.map { $0.text(1) })
    return backups.newestContacts().filter { !ids.contains($0.key) && !uids.contains($0.value) }
  }

  private static let valueTables = Schema.partTables.filter { $0 != "group_member" }

  private func hasValues(_ id: Int64) throws -> Bool {
    try Self.valueTables.contains { table in
      try Int.fetchOne(db, sql: "SELECT 1 FROM \(table) WHERE contact_id = ? LIMIT 1", arguments: [id]) != nil
    }
  }

  /// Creates contacts for values whose contact is missing, so that no phone number or other value is lost. The card of
  /// such a contact says what its row did when it was imported.
  /// - Returns: the ids of those that could not be restored.
  private func adoptOrphans(_ losses: BookSalvage.Losses?) throws -> Set<Int64> {
    let tables = Self.valueTables.map { "SELECT contact_id FROM \($0)" }.joined(separator: " UNION ")
    let ids = try Int64.fetchAll(
      db, sql: "SELECT contact_id FROM (\(tables)) WHERE contact_id NOT IN (SELECT id FROM contact) AND contact_id > 0")
    var (restored, adopted): ([NamedContact], [NamedContact]) = ([], [])
    for id in ids {
      try restorer.makeRow(id, uid: losses?.contacts[id] ?? "")
      if try restorer.restore(id) {
        restored.append(try named(id))
        continue
      }
      if var present = try ContactLoader(db).loadStored([id]).first,
        let card = try restorer.contactOfCard(present.contact)
      {
        let lost = try losses.map { try lostValues(of: id, $0) } ?? [:]
        present.contact = card
        try restorer.fill(id, from: present, lost: lost)
      }
      try db.execute(sql: "DELETE FROM contact_checksum WHERE contact_id = ?", arguments: [id])
      try restorer.recomputeDerived(id)
      adopted.append(try named(id))
    }
    log.add(.restored, contacts: restored)
    log.add(losses == nil ? .adopted : .salvagedInPart, contacts: adopted)
    return Set(adopted.map(\.id))
  }

  private func removeOrphans(isSalvage: Bool) throws {
    var count = 0
    let members = "SELECT contact_id FROM group_member WHERE group_id NOT IN (SELECT id FROM contact_group)"
    try ContactChecksums.keeping(of: members, [], db) {
      for sql in try Self.orphanDeletions() {
        try db.execute(sql: sql)
        count += db.changesCount
      }
    }
    try db.execute(sql: "DELETE FROM contact_checksum WHERE contact_id NOT IN (SELECT id FROM contact)")
    if !isSalvage { log.add(.orphansRemoved, count: count) }
  }

  /// Returns a statement for each foreign key of the schema.
  private static func orphanDeletions() throws -> [String] {
    try Migrations.freshBook().read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT t.name, k."from", k."to", k."table" FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) k
          WHERE t.type = 'table'
          """
      ).map { "DELETE FROM \($0.text(0)) WHERE \($0.text(1)) NOT IN (SELECT \($0.text(2)) FROM \($0.text(3)))" }
    }
  }

  // MARK: - Existing contacts

  /// Completes the contacts of a salvaged book that lost their checksum, and that may have lost values too.
  private func completeUnchecked(
    _ losses: BookSalvage.Losses, except adopted: Set<Int64>, allowsOlder: Bool
  ) throws {
    let ids = try Int64.fetchAll(
      db, sql: "SELECT id FROM contact WHERE id NOT IN (SELECT contact_id FROM contact_checksum)")
    var (restored, earlier, known, suspected): ([NamedContact], [NamedContact], [NamedContact], [NamedContact]) =
      ([], [], [], [])
    for id in ids where !adopted.contains(id) {
      try progress.check()
      let lost = try lostValues(of: id, losses)
      if lost.isEmpty { continue }
      switch try complete(id, lost, allowsOlder: allowsOlder) {
      case .whole: break
      case .restored: restored.append(try named(id))
      case .earlier: earlier.append(try named(id))
      case .inPart: if losses.values[id] != nil { known.append(try named(id)) } else { suspected.append(try named(id)) }
      }
    }
    log.add(.restored, contacts: restored)
    log.add(.restoredEarlier, contacts: earlier)
    log.add(.partsLost, contacts: known)
    log.add(.salvagedInPart, contacts: suspected)
  }

  /// Returns how many values a contact may have lost, by table.
  private func lostValues(of id: Int64, _ losses: BookSalvage.Losses) throws -> [String: Int] {
    var lost = losses.values[id] ?? [:]
    for table in losses.untraced {
      // Of these, a contact has one at most.
      if ["contact_card", "avatar"].contains(table),
        try Int.fetchOne(db, sql: "SELECT 1 FROM \(table) WHERE contact_id = ?", arguments: [id]) != nil
      {
        continue
      }
      lost[table] = .max
    }
    return lost
  }

  private enum Completion { case whole, restored, earlier, inPart }

  /// Completes a contact from the backup that has it in the same version, with `allowsOlder` from any backup, or from
  /// its card.
  private func complete(_ id: Int64, _ lost: [String: Int], allowsOlder: Bool) throws -> Completion {
    guard let present = try ContactLoader(db).loadStored([id]).first else { return .inPart }
    if let same = backups.contact(id, sameAs: present.contact) {
      if same.contact == present.contact { return .whole }
      try restorer.write(same)
      return .restored
    }
    let older = allowsOlder ? backups.newestIntactContact(id) { $0.uid == present.contact.uid }?.contact : nil
    if let earlier = try older ?? restorer.contactOfCard(present.contact) {
      try restorer.complete(present, from: earlier, lost: lost)
    }
    return older == nil ? .inPart : .earlier
  }

  private func repairContacts(_ losses: BookSalvage.Losses?, allowsOlder: Bool) throws {
    let check = try ContactCheck(db, progress)
    var (restored, earlier, accepted): ([NamedContact], [NamedContact], [NamedContact]) = ([], [], [])
    for (index, contact) in check.damaged.enumerated() {
      try progress.check()
      progress.onProgress(.repair, Double(index) / Double(check.damaged.count))
      if try restorer.restore(contact.id) {
        restored.append(try named(contact.id))
      } else if let losses, case let lost = try lostValues(of: contact.id, losses), !lost.isEmpty {
        switch try complete(contact.id, lost, allowsOlder: allowsOlder) {
        case .restored: restored.append(try named(contact.id))
        case .earlier: earlier.append(try named(contact.id))
        case .whole, .inPart:
          accepted.append(contact)
          try restorer.recomputeDerived(contact.id)
          try ContactChecksums.set([contact.id], db)
        }
      } else {
        accepted.append(contact)
        try restorer.recomputeDerived(contact.id)
        try ContactChecksums.set([contact.id], db)
      }
    }
    let incomplete = accepted.filter { losses?.values[$0.id] != nil }
    log.add(.restored, contacts: restored)
    log.add(.restoredEarlier, contacts: earlier)
    log.add(.partsLost, contacts: incomplete)
    log.add(.accepted, contacts: accepted.filter { !incomplete.contains($0) })
    try repairPhotos(check.photos)
    for contact in check.derived { try restorer.recomputeDerived(contact.id) }
    // After a salvage, these are mostly a consequence of the losses.
    if losses == nil { log.add(.derived, contacts: check.derived) }
  }

  private func repairPhotos(_ contacts: [NamedContact]) throws {
    var (restored, accepted): ([NamedContact], [NamedContact]) = ([], [])
    for contact in contacts {
      if try restorer.restorePhoto(of: contact.id) { restored.append(contact) } else { accepted.append(contact) }
    }
    try ContactChecksums.set(contacts.map(\.id), db)
    log.add(.photosRestored, contacts: restored)
    log.add(.photosAccepted, contacts: accepted)
  }

  private func named(_ id: Int64) throws -> NamedContact {
    let name = try String.fetchOne(db, sql: "SELECT display_name FROM contact WHERE id = ?", arguments: [id])
    return NamedContact(id: id, name: name ?? "")
  }

  // MARK: - The rest

  private func removeHistory() throws {
    let steps = try HistoryCheck.damagedSteps(db, progress)
    for step in steps {
      for sql in [
        "DELETE FROM edit_entry WHERE step_id = ?", "DELETE FROM edit_group WHERE step_id = ?",
        "DELETE FROM edit_step WHERE id = ?",
      ] {
        try db.execute(sql: sql, arguments: [step])
      }
    }
    log.add(.historyRemoved, count: steps.count)
  }

  /// Removes the part of a salvaged sync state that the next sync could take for a deletion or an edit: rows of contacts
  /// that are missing and were not removed for good, and the bases of contacts that may differ from what was saved.
  /// Without a base, both sides are merged. Groups keep their rows if no member of a group is missing.
  private func limitSyncState(_ losses: BookSalvage.Losses) throws {
    let missing = try Int64.fetchSet(
      db,
      sql: """
        SELECT contact_id FROM synced_card WHERE contact_id NOT IN (SELECT id FROM contact)
          AND contact_id NOT IN (SELECT contact_id FROM contact_checksum)
          AND uid <> '' AND uid NOT IN (SELECT uid FROM contact)
        """)
    let removed = missing.filter { id in
      losses.removed.contains(id) || losses.areAllNamed && losses.contacts[id] == nil
    }
    let kept = ContactLoader.json(Array(removed))
    try db.execute(sql: "DELETE FROM sync_folder WHERE path <> '' AND path NOT LIKE '/%'")
    try db.execute(
      sql: """
        DELETE FROM synced_card WHERE folder_id NOT IN (SELECT id FROM sync_folder)
          OR contact_id NOT IN (SELECT id FROM contact UNION ALL SELECT value FROM json_each(?))
        """, arguments: [kept])
    try db.execute(
      sql: "DELETE FROM synced_group WHERE folder_id NOT IN (SELECT id FROM sync_folder) OR is_intended = 1 OR ?",
      arguments: [losses.untraced.contains("group_member")])
    let changed: [RepairReport.Action.Kind] = [
      .salvagedInPart, .partsLost, .accepted, .restoredEarlier, .photosAccepted,
    ]
    let contacts = log.actions.filter { changed.contains($0.kind) }.flatMap { $0.contacts.map(\.id) }
    try db.execute(
      sql: """
        UPDATE synced_card SET base = NULL
        WHERE contact_id IN (SELECT value FROM json_each(?))
          OR contact_id NOT IN (SELECT contact_id FROM contact_checksum
            UNION ALL SELECT value FROM json_each(?))
        """, arguments: [ContactLoader.json(contacts), kept])
    let bases = try Row.fetchCursor(db, sql: "SELECT id, base FROM synced_card WHERE base IS NOT NULL")
    var damaged: [Int64] = []
    while let row = try bases.next() {
      if (try? ContactDelta(row.data(1)).after(in: Contact())) == nil { damaged.append(row.integer(0)) }
    }
    try db.execute(
      sql: "UPDATE synced_card SET base = NULL WHERE id IN (SELECT value FROM json_each(?))",
      arguments: [ContactLoader.json(damaged)])
  }

  private func correctCounts() throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO section_count(section, count) SELECT value, 0 FROM json_each(?)
        """, arguments: [ContactLoader.json(Schema.sections.map(Int64.init))])
    try db.execute(
      sql: """
        UPDATE section_count SET count = n FROM (
          SELECT s.section AS place, count(c.id) AS n FROM section_count s
          LEFT JOIN contact c ON c.section = s.section AND c.deleted_at IS NULL GROUP BY s.section)
        WHERE section = place AND count IS NOT n
        """)
    log.add(.counts, count: db.changesCount + (try NumberCheck.correct(db)))
    try NumberCheck.completeLog(db)
  }

  /// Sets the checksums of contacts that have none, and returns their number.
  private func setChecksums() throws -> Int {
    var count = 0
    var pages = ContactIDPages.unchecked
    while true {
      let ids = try pages.next(db)
      if ids.isEmpty { break }
      try progress.check()
      try ContactChecksums.set(ids, db)
      count += ids.count
    }
    return count
  }
}
