import AddressBookModel
import Contacts
import Foundation
import GRDB

/// Syncs the groups that have a card in a folder, after its contacts.
struct GroupSync {
  let book: AddressBook
  let folder: CardFolder
  let session: EditSession?

  /// Stores the intents, writes the files, then the book.
  /// - Parameters:
  ///   - keepPrevious: keeps a copy of a file that is about to be replaced.
  ///   - checkCancelled: throws if the sync is canceled.
  /// - Returns: false if files changed in the meantime; they are not replaced.
  func perform(
    _ outcomes: [GroupPlan.Outcome], _ report: inout SyncReport, keepPrevious: (String) throws(SyncError) -> Void,
    checkCancelled: () throws(SyncError) -> Void
  ) throws -> Bool {
    let intents = outcomes.compactMap(\.intent)
    if !intents.isEmpty {
      try book.store.write { db in
        let states = try SyncStateStore(db, path: folder.path)
        for intent in intents { try states.save(intent, isIntended: true) }
      }
    }
    var done: [GroupPlan.Outcome] = []
    for outcome in outcomes {
      switch outcome.file {
      case .none: break
      case .write(let bytes, let name, let known):
        if known != nil { try keepPrevious(name) }
        guard let file = try folder.stage([(bytes, name, known)]).first, try folder.commit(file) else { continue }
      case .remove(let name, let known):
        guard try folder.remove(name, known: known) else { continue }
      }
      done.append(outcome)
      Self.count(outcome, in: &report)
    }
    if !intents.isEmpty {
      try folder.sync()
      try checkCancelled()
    }
    if !done.isEmpty { report.toBook.changed += try write(done) }
    return done.count == outcomes.count
  }

  static func count(_ outcome: GroupPlan.Outcome, in report: inout SyncReport) {
    switch outcome.file {
    case .none: break
    case .write(_, _, let known): if known == nil { report.toFolder.added += 1 } else { report.toFolder.changed += 1 }
    case .remove: report.toFolder.deleted += 1
    }
  }

  /// - Returns: the number of contacts that changed.
  private func write(_ outcomes: [GroupPlan.Outcome]) throws -> Int {
    try book.bulkWrite(groups: .replace, as: StepName(.sync, folder.path), in: session) { writer in
      let states = try SyncStateStore(writer.db, path: folder.path)
      // Then each card is as it was written, also that of a group that was edited in the meantime.
      try states.applyIntents(folder)
      for outcome in outcomes { try write(outcome, writer, states) }
      return writer.recordedCount
    }
  }

  /// Writes what became of a group. What was edited after the comparison stays: only the differences are applied.
  private func write(_ outcome: GroupPlan.Outcome, _ writer: BulkWriter, _ states: SyncStateStore) throws {
    if let row = outcome.row { try states.forget(group: row.id) }
    guard let name = outcome.name else {
      if let group = outcome.group { try remove(group, writer) }
      return
    }
    let id = try outcome.group?.id ?? made(name, outcome.uid, writer)
    try states.save(
      GroupPlan.SyncedGroup(
        id: id, file: outcome.fileName, uid: outcome.uid, digest: outcome.digest, lines: outcome.lines))
    if let group = outcome.group, group.name != name, writer.groups[group.name] == id, try writer.isFree(name) {
      try writer.rename(group: group.name, to: name)
    }
    // A group that was deleted after the comparison stays deleted: the next sync removes its card.
    guard writer.groups.contains(where: { $0.value == id }) else { return }
    let known = outcome.group?.members ?? []
    try writer.changeGroups(of: outcome.members.subtracting(known).sorted(), joining: id)
    try writer.changeGroups(of: known.subtracting(outcome.members).sorted(), leaving: id)
    try StoredGroupCard.set(
      StoredLines.text(outcome.lines), waiting: StoredLines.text(outcome.waiting), of: id, writer.db)
  }

  private func made(_ name: String, _ uid: String, _ writer: BulkWriter) throws -> Int64 {
    try writer.groups[name] ?? writer.create(group: name, preferring: uid)
  }

  /// Removes a group whose card is gone. It stays, without a card, while it has members elsewhere.
  private func remove(_ group: GroupPlan.BookGroup, _ writer: BulkWriter) throws {
    guard writer.groups[group.name] == group.id else { return }
    try writer.changeGroups(of: group.members.sorted(), leaving: group.id)
    let hasOthers = try Bool.fetchOne(
      writer.db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM group_member m JOIN contact c ON c.id = m.contact_id
        WHERE m.group_id = ? AND c.deleted_at IS NULL)
        """, arguments: [group.id])
    if hasOthers == true {
      try StoredGroupCard.set(nil, waiting: nil, of: group.id, writer.db)
    } else {
      try writer.delete(group: group.name)
    }
  }
}
