import AddressBookModel
import Contacts

/// What a sync does with one contact and its file.
struct SyncOutcome {
  /// What the book gets.
  enum BookChange {
    case none
    case add(Contact, Photo?)
    /// The contact with an id; it is restored if it is deleted.
    case write(Contact, PhotoChange)
    case delete(Int64)
  }

  /// What the folder gets.
  enum FileChange {
    case none
    /// - Parameter replacing: the digest of the file as it was read; nil for a new one.
    case write([UInt8], name: String, replacing: Int64?)
    case remove(name: String, known: Int64)
  }

  /// What the book stores about the pair.
  enum StateChange {
    /// Nothing new.
    case none
    /// The file as it is now, and the base of the next merge.
    case synced(file: String, uid: String, digest: Int64, base: Contact, open: OpenConflict? = nil)
    /// The contact is deleted on both sides.
    case deleted
    /// The contact is no longer in the folder.
    case left
  }

  let pair: SyncPairing.Pair
  var book = BookChange.none
  var file = FileChange.none
  var state = StateChange.none
  /// What both have once the file is written and the book is not; nil if that is the base in ``state``.
  var baseWithoutBook: Contact?
  /// True if the pair must be compared again.
  var isUnfinished = false
  var conflicts: [SyncReport.Conflict] = []
  var skipped: SyncReport.SkippedFile?

  init(_ pair: SyncPairing.Pair) { self.pair = pair }

  /// True if a deleted contact comes back from its file.
  var isRestoration: Bool { if case .write = book, pair.contact == nil { true } else { false } }

  var changesFile: Bool { if case .none = file { false } else { true } }

  func count(in report: inout SyncReport) {
    switch book {
    case .none: break
    case .add: report.toBook.added += 1
    case .write: if pair.contact == nil { report.toBook.added += 1 } else { report.toBook.changed += 1 }
    case .delete: report.toBook.deleted += 1
    }
    switch file {
    case .none: break
    case .write(_, _, let known):
      if known == nil { report.toFolder.added += 1 } else { report.toFolder.changed += 1 }
    case .remove: report.toFolder.deleted += 1
    }
    for conflict in conflicts { report.add(conflict) }
    if let skipped { report.skipped.append(skipped) }
  }
}
