import AddressBookModel
import GRDB
import Glibc
import SystemCalls

extension BookDoctor {
  /// Examines the book, repairs what can be repaired, and examines it again.
  ///
  /// Damaged caches are removed and files made private even if the book itself needs no repair. An older book is
  /// migrated before it is repaired in place. The repair is one transaction, or replaces the book with another file
  /// once that is complete. Before damage is repaired in place, the book is copied to a file beside it.
  /// - Parameter allowsOlder: true to take unreadable contacts from a backup, even in an earlier state.
  /// - Throws: `StoreError`, `FileFailure`. If the repair of the book failed, it changed nothing, but an older book may
  ///   have been migrated. If the error came later, the book is repaired, but could not be examined again.
  public func repair(takingOlderContacts allowsOlder: Bool = false) throws -> RepairReport {
    let before = try examine()
    if before.isForeign { return RepairReport(before: before, actions: [], after: before) }
    let log = RepairLog()
    do {
      if before.needsSalvage {
        try salvage(log, allowsOlder: allowsOlder)
      } else if before.findings.contains(where: { $0.isRepairable && !Self.outsideTheBook.contains($0.kind) }) {
        // A repair in place can show that more than indexes and triggers is damaged.
        if try !repairInPlace(before, log) { try salvage(log, allowsOlder: allowsOlder) }
      }
      try repairSurroundings(log)
    } catch let failure as FileFailure {
      throw failure
    } catch {
      throw StoreError(error, path: before.path)
    }
    return RepairReport(before: before, actions: log.actions, after: try examine())
  }

  /// Findings that are repaired without changing the book.
  private static let outsideTheBook: Set<Finding.Kind> = [.cache, .permissions]

  // MARK: - In place

  private struct StillDamaged: Error {}

  /// Repairs the book in one transaction.
  /// - Returns: false if the book is too damaged for this; the transaction then changed nothing.
  private func repairInPlace(_ before: Examination, _ log: RepairLog) throws -> Bool {
    let attempt = RepairLog()
    do {
      let book = try AddressBook.open(at: location)
      defer { book.close() }
      if let reason = book.store.readOnlyReason { throw StoreError(reason, path: before.path) }
      let copy = before.keepsOriginal ? try makeCopy(of: book, before.path) : nil
      do {
        try book.store.transaction(isBulk: true, raisesVersions: true) { db in try repairInPlace(db, before, attempt) }
      } catch {
        copy.map { _ = unlink($0) }
        throw error
      }
      if let copy { log.add(.kept, path: copy) }
    } catch is StillDamaged {
      return false
    } catch let error where Self.isDamage(error) {
      return false
    } catch let error as StoreError where error.reason == .damaged {
      return false
    }
    attempt.actions.forEach { log.add($0.kind, count: $0.count, contacts: $0.contacts, path: $0.path) }
    return true
  }

  private func repairInPlace(_ db: Database, _ before: Examination, _ log: RepairLog) throws {
    let schema = try SchemaCheck(db, version: Schema.version)
    guard schema.tables.isEmpty else { throw StillDamaged() }
    try schema.restore(db)
    log.add(.schema, count: schema.missing.count)
    let groups = try GroupCheck(db).differences
    let ranges = try RangeCheck(db)
    let isMalformed = before.findings.contains { $0.kind == .structure }
    if isMalformed || !groups.isEmpty || !ranges.differences.isEmpty
      || before.findings.contains(where: { $0.kind == .contacts })
    {
      // A value cannot be corrected while its index entry still has the value from before the damage.
      try db.execute(sql: "REINDEX")
      if isMalformed { log.add(.reindexed, count: 1) }
      log.add(.historyRestored, count: try ranges.correct(db))
    }
    try ContentRepair(db, location, progress, log).run(groups)
    if isMalformed, try !StructureCheck(db, progress).messages.isEmpty { throw StillDamaged() }
  }

  /// Copies the book as it is to a file beside it.
  /// - Returns: the path of the copy.
  private func makeCopy(of book: AddressBook, _ path: String) throws -> String {
    let copy = BookExchange.keptName(of: path, "damaged")
    let file = try FileReplacement(path: copy)
    try book.copy(to: file, path: copy, isCancelled: progress.isCancelled)
    try file.commit()
    return copy
  }

  // MARK: - A new book

  /// Makes a new book from what can be read, and replaces the damaged one with it.
  private func salvage(_ log: RepairLog, allowsOlder: Bool) throws {
    guard let named = location.path else { return }
    let path = RealPath.target(of: named)
    let kept = BookExchange.keptName(of: path, "damaged")
    try BookExchange(path: path).rebuild(keeping: kept) { descriptor in
      let file = try FileReplacement(path: path)
      try file.fill { try salvage(descriptor, path, to: $0, log, allowsOlder: allowsOlder) }
      try file.sync()
      try progress.check()
      return file
    }
    log.add(.kept, path: kept)
  }

  private func salvage(
    _ descriptor: Int32, _ path: String, to temporary: String, _ log: RepairLog, allowsOlder: Bool
  ) throws {
    guard let pages = PageFile(ReadableFile(descriptor: descriptor), log: path + "-wal") else {
      throw StoreError(.damaged, path: path)
    }
    let damaged = try DamagedBook(pages, progress)
    guard damaged.isOurs else { throw StoreError(.notADatabase, path: path) }
    var configuration = BookCopy.configuration
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: temporary, configuration: configuration)
    defer { try? queue.close() }
    try Migrations.migrate(queue)
    try queue.writeWithoutTransaction { db in
      let losses = try BookSalvage.write(damaged, to: db, progress)
      log.add(.salvaged, count: try Int.fetchOne(db, sql: "SELECT count(*) FROM contact") ?? 0)
      try db.inTransaction(.immediate) {
        try OwnVersions.begin(db)
        let groups = try names(ofGroups: damaged, db)
        try ContentRepair(db, location, progress, log).run(groups, losses: losses, allowsOlder: allowsOlder)
        try DerivedColumns.markCurrent(db)
        try OwnVersions.end(db)
        return .commit
      }
      guard try StructureCheck(db, progress).messages.isEmpty, try StructureCheck.references(db).isEmpty else {
        throw StoreError(.damaged, path: path)
      }
    }
  }

  /// Returns the groups whose names in the new book differ from those in the index of the damaged book.
  private func names(ofGroups book: DamagedBook, _ db: Database) throws -> [GroupCheck.Difference] {
    let rows = try Row.fetchAll(db, sql: "SELECT id, name FROM contact_group")
    let names = Dictionary(rows.map { ($0.integer(0), $0.text(1)) }, uniquingKeysWith: { first, _ in first })
    var differences: [GroupCheck.Difference] = []
    book.forEachEntry(ofIndex: "sqlite_autoindex_contact_group_2") { entry in
      guard entry.values.count == 2, let indexed = entry.values[0].text, let id = entry.values[1].integer,
        let name = names[id], name != indexed
      else { return }
      differences.append(GroupCheck.Difference(id: id, name: name, indexed: indexed))
    }
    return differences
  }

  // MARK: - Around the book

  private func repairSurroundings(_ log: RepairLog) throws {
    guard let named = location.path else { return }
    let path = RealPath.target(of: named)
    let caches = CacheCheck(location, path: path).damaged
    log.add(.cache, count: caches.count { unlink($0) == 0 })
    var count = 0
    // A file of another user stays as it is, and the examination after the repair reports it.
    for (file, mode) in FileCheck(location, path: path).openFiles() where chmod(file, mode) == 0 { count += 1 }
    log.add(.permissions, count: count)
  }
}
