import Contacts
import GRDB

/// Why a bulk write was not reverted. The book is as it was.
public enum RevertError: Error {
  /// Others wrote the same contacts since, and the policy does not decide.
  case conflict(BulkConflict)
  /// The store failed, or the work was cancelled.
  case store(StoreError)
}

/// Contacts that others wrote since a bulk write.
public struct BulkConflict: Hashable, Sendable {
  /// How many contacts.
  public internal(set) var count = 0
  /// The first of them.
  public internal(set) var ids: [Int64] = []
  /// Names of their fields that both wrote; empty where whole contacts are at stake.
  public internal(set) var fields: Set<String> = []
  /// True when somebody deleted one of them.
  public internal(set) var isDeleted = false

  mutating func add(_ id: Int64, fields: [String], isDeleted: Bool = false) {
    count += 1
    if ids.count < 100 { ids.append(id) }
    self.fields.formUnion(fields)
    self.isDeleted = self.isDeleted || isDeleted
  }
}

extension AddressBook {
  /// Reverts a bulk write in one transaction, where the book still has what the write left: what it added is deleted so
  /// that it can come back, what it deleted comes back, what it wrote over is as it was. Fields that only others wrote
  /// since stay as they are.
  /// - Parameters:
  ///   - policy: who wins where both wrote: `storeWins` leaves what others wrote, `objectWins` reverts it too.
  ///   - isCancelled: asked often, from this thread; true ends the work, and nothing is written.
  ///   - onProgress: called with the share of the contacts that are done, 0 to 1.
  /// - Returns: the journal of this very change; reverting that redoes the write.
  public func revert(
    _ journal: BulkJournal, policy: MergePolicy = .byField, isCancelled: () -> Bool = { false },
    onProgress: (Double) -> Void = { _ in }
  ) throws(RevertError) -> BulkJournal {
    do {
      return try bulkWrite(groups: .replace) { writer in
        writer.keepsJournal = true
        if policy == .byField || policy == .error {
          var conflict = BulkConflict()
          try forEachEntry(journal, isCancelled) { entry in
            if case .clash(let fields, let isDeleted) = try writer.plan(entry, .byField) {
              conflict.add(entry.id, fields: fields, isDeleted: isDeleted)
            }
          }
          if conflict.count > 0 { throw RevertError.conflict(conflict) }
        }
        var done = 0
        try forEachEntry(journal, isCancelled) { entry in
          try writer.perform(try writer.plan(entry, policy), on: entry.id)
          done += 1
          if done % 256 == 0 { onProgress(Double(done) / Double(max(done, journal.count))) }
        }
        return writer.journal
      }
    } catch let error as RevertError {
      throw error
    } catch {
      throw .store(store.storeError(error))
    }
  }

  private func forEachEntry(
    _ journal: BulkJournal, _ isCancelled: () -> Bool, _ body: (BulkJournal.Entry) throws -> Void
  ) throws {
    var last = Int64.min
    while true {
      let entries = try journal.entries(after: last)
      guard let end = entries.last else { return }
      last = end.id
      for entry in entries {
        if isCancelled() { throw CancellationError() }
        try body(entry)
      }
    }
  }
}

extension BulkWriter {
  /// What reverting an entry means now.
  enum Reversal {
    case nothing
    case delete
    case restore
    /// Writes it; `reverse` is what reverting that leads to, where it is not what is there now.
    case write(JournalRecord, reverse: Contact? = nil)
    /// Others wrote the same; no fields where the whole contact is at stake.
    case clash(fields: [String], isDeleted: Bool)
  }

  func plan(_ entry: BulkJournal.Entry, _ policy: MergePolicy) throws -> Reversal {
    let now = try state(of: entry.id)
    switch (entry.before, entry.after) {
    case (.absent, .absent): return .nothing
    case (.absent, .present):
      guard let now, !now.isDeleted else { return .nothing }
      if try now.version == entry.version || JournalRecord.digest(content(of: entry.id)) == entry.digest {
        return .delete
      }
      return switch policy {
      case .objectWins: .delete
      case .storeWins: .nothing
      case .byField, .error: .clash(fields: [], isDeleted: false)
      }
    case (.present(let before), .absent):
      guard let now, now.isDeleted else { return .nothing }
      return before.map { .write($0) } ?? .restore
    case (.present(let before?), .present(let after?)):
      guard let now, !now.isDeleted else {
        return switch policy {
        case .objectWins: .write(before)
        case .storeWins: .nothing
        case .byField, .error: .clash(fields: [], isDeleted: true)
        }
      }
      if now.version == entry.version { return .write(before) }
      var merge = ThreeWayMerge(base: after.contact, mine: before.contact, theirs: try content(of: entry.id))
      merge.prefers = policy == .storeWins ? .theirs : .mine
      let merged = merge.run()
      if !merge.clashes.isEmpty, policy == .byField || policy == .error {
        return .clash(fields: merge.clashes, isDeleted: false)
      }
      let setsPhoto = before.setsPhoto && merged.photo == before.contact.photo
      return .write(
        JournalRecord(contact: merged, photo: before.photo, setsPhoto: setsPhoto), reverse: merge.reverse)
    case (.present, .present): return .nothing
    }
  }

  func perform(_ reversal: Reversal, on id: Int64) throws {
    switch reversal {
    case .nothing, .clash: break
    case .delete: try delete(id)
    case .restore: try restore(id)
    case .write(let record, let reverse): try write(record, reverse: reverse)
    }
  }
}
