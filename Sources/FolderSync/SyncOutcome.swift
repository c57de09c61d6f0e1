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

/// What both sides had when a sync left a conflict open. Whoever edits such a field afterwards has seen the conflict or
/// decides it without: the edit wins.
struct OpenConflict {
  let mine: Contact
  let theirs: Contact

  /// Returns the base of the next merge: in a field that only one side has edited since, that side wins. If it went back
  /// to the base, the other side wins, as in any merge.
  func decided(_ base: Contact, mine nowMine: Contact, theirs nowTheirs: Contact) throws -> Contact {
    var result = base
    for field in ContactDelta(from: mine, to: theirs).changes.map(\.name) {
      let isMine = try nowMine.differs(in: field, from: mine)
      guard try isMine != nowTheirs.differs(in: field, from: theirs) else { continue }
      let (winner, other) = isMine ? (nowMine, nowTheirs) : (nowTheirs, nowMine)
      guard try winner.differs(in: field, from: base) else { continue }
      result = try result.adopting(field, of: other)
    }
    return result
  }
}

extension Contact {
  /// Returns this base of a merge with the fields of a side that are as in a version that both sides had: the side has
  /// not edited them since.
  func adopting(_ side: Contact, where version: Contact) throws -> Contact {
    try ContactDelta(from: self, to: side).changes.map(\.name).reduce(self) { base, field in
      try side.differs(in: field, from: version) ? base : base.adopting(field, of: side)
    }
  }

  /// Returns this base of a merge with the texts that one side has as in a version that both had, and the other side does
  /// not: the other side has edited them since. A list is not adopted, because the other side may be older than its items.
  func adopting(textsOf side: Contact, unlike other: Contact, in versions: [Contact]) -> Contact {
    ContactFields.standard.texts.reduce(into: self) { base, text in
      let isKnown = versions.contains { $0[text] == side[text] }
      if isKnown, !versions.contains(where: { $0[text] == other[text] }) { base[text] = side[text] }
    }
  }

  fileprivate func adopting(_ field: String, of other: Contact) throws -> Contact {
    try ContactDelta(from: self, to: other).only(field).after(in: self)
  }

  fileprivate func differs(in field: String, from other: Contact) throws -> Bool {
    try !other.adopting(field, of: self).hasSameContent(as: other)
  }
}
