import AddressBookModel
import BookInterchange
import ContactInterchange
import Contacts
import GRDB
import VCard

/// Compares contacts with their files, and decides what each side gets.
struct SyncMerge {
  let db: Database
  let folder: CardFolder
  let state: SyncState
  /// The side that wins conflicts; nil leaves them open.
  let prefers: ThreeWayMerge.Side?
  let damage: DamageLog
  /// The names of files that are in use, in lower case.
  var names: Set<String>
  /// The UIDs of the cards in the folder, in their canonical spelling.
  let uids: Set<String>

  /// Returns what to do with a pair; nil if one of the two changed in the meantime.
  mutating func outcome(of pair: SyncPairing.Pair) throws -> SyncOutcome? {
    var theirs: FolderCard?
    if let entry = pair.entry {
      guard let card = card(entry) else { return nil }
      theirs = card
    }
    let mine = try pair.contact.flatMap { try ContactLoader(db, damage: damage).load([$0.id]).first }
    guard mine?.version == pair.contact?.version else { return nil }
    if let mine, damage.has(mine.id) { return skippedAsDamaged(pair, mine) }
    var base = try pair.row.flatMap { try self.base(of: $0) }
    base = try base ?? elsewhere(mine, theirs)
    theirs?.matchPhoto(of: [mine, base])
    theirs?.undoLosses(of: [mine, base].map { $0.map { written($0, over: mine) } })
    do {
      switch (mine, theirs) {
      case (nil, nil): return deletedOnBoth(pair)
      case (let mine?, nil): return try fileIsGone(pair, mine, base)
      case (nil, let theirs?): return try contactIsGone(pair, theirs, base)
      case (let mine?, let theirs?): return try both(pair, mine, theirs, base)
      }
    } catch let damaged as DamagedPhoto {
      return skippedAsDamaged(pair, damaged.owner)
    }
  }

  /// Thrown if the photo of a contact does not match its digest: it must not get into a file.
  private struct DamagedPhoto: Error {
    let owner: Contact
  }

  /// Skips a damaged contact: damage is not an edit to sync.
  private func skippedAsDamaged(_ pair: SyncPairing.Pair, _ mine: Contact) -> SyncOutcome {
    var outcome = SyncOutcome(pair)
    let file = pair.entry?.name ?? pair.row?.file ?? ""
    outcome.skipped = SyncReport.SkippedFile(file: file.isEmpty ? mine.displayName : file, reason: .damaged)
    return outcome
  }

  private func card(_ entry: FolderListing.Entry) -> FolderCard? {
    guard let bytes = folder.read(entry.name), CardFolder.digest(of: bytes) == entry.digest,
      case .card(let card) = FolderFile(bytes, keepsMetadata: state.keepsMetadata)
    else { return nil }
    return card
  }

  func base(of row: SyncedCard) throws -> Contact? {
    guard row.hasBase, let folder = state.folder else { return nil }
    return try SyncStateStore.base(db, folder: folder, contact: row.contact)
  }

  /// Returns what a contact and a card that is new in this folder had in common in another folder of the account: a
  /// contact may be moved by two programs at once, or edited by one and moved by the other. The older the version, the
  /// less of an edit can be lost; but a field that the card has as in any of the versions was not edited in the card, nor
  /// was a text in the book that only the book has so.
  private func elsewhere(_ mine: Contact?, _ theirs: FolderCard?) throws -> Contact? {
    guard let mine, let theirs, !theirs.contact.uid.isEmpty else { return nil }
    let versions = try versionsElsewhere(of: mine)
    guard let oldest = versions.first else { return nil }
    let their = compared(theirs.contact, in: theirs.version)
    return try versions.dropFirst().reduce(oldest) { try $0.adopting(their, where: $1) }
      .adopting(textsOf: mine, unlike: their, in: versions)
  }

  private func versionsElsewhere(of mine: Contact) throws -> [Contact] {
    try SyncStateStore.basesElsewhere(db, folder: state.folder ?? 0, contact: mine.id)
  }

  // MARK: - One side is gone

  private func deletedOnBoth(_ pair: SyncPairing.Pair) -> SyncOutcome {
    var outcome = SyncOutcome(pair)
    if pair.row?.isLeaving == true {
      outcome.state = .left
    } else if pair.row?.hasBase == true {
      outcome.state = .deleted
    }
    return outcome
  }

  private mutating func fileIsGone(
    _ pair: SyncPairing.Pair, _ mine: Contact, _ base: Contact?
  ) throws -> SyncOutcome {
    var outcome = SyncOutcome(pair)
    if pair.row?.isLeaving == true {
      outcome.state = .left
      return outcome
    }
    let version = KeptLines.version(of: mine.cardLines)
    let merge = WholeContactMerge(base: base, mine: compared(mine, in: version), theirs: nil, prefers: prefers)
    let old = pair.row?.file ?? ""
    guard merge.merged != nil, let nextBase = merge.nextBase else {
      if state.shared.contains(mine.id) {
        outcome.state = .left
      } else {
        outcome.book = .delete(mine.id)
        outcome.state = .deleted
      }
      return outcome
    }
    let isFree = !old.isEmpty && !names.contains(old.lowercased())
    var card = mine
    if let known = pair.row?.uid, !known.isEmpty {
      card.uid = known
    } else if uids.contains(CardIdentity.canonical(mine.uid)) {
      // Another contact has this UID here, and a server accepts a UID once in a folder.
      card.uid = UniqueID.make()
    }
    let name = isFree ? old : CardFileName.make(forUID: card.uid, taken: names)
    names.insert(name.lowercased())
    // CardDAV servers reject vCard 2.1.
    let written = version == .v21 ? .v30 : version
    let bytes = self.bytes(of: card, photo: try photo(of: mine), version: written)
    outcome.file = .write(bytes, name: name, replacing: nil)
    outcome.state = .synced(
      file: name, uid: card.uid, digest: CardFolder.digest(of: bytes), base: nextBase)
    outcome.conflicts = conflicts(merge.conflicts, mine, name)
    return outcome
  }

  private func contactIsGone(
    _ pair: SyncPairing.Pair, _ theirs: FolderCard, _ base: Contact?
  ) throws -> SyncOutcome? {
    guard let entry = pair.entry else { return nil }
    var outcome = SyncOutcome(pair)
    var their = theirs.contact
    their.cardLines = CardTemplate(their.cardLines).linesWithoutField
    let merge = WholeContactMerge(base: base, mine: nil, theirs: their, prefers: prefers)
    guard merge.merged != nil, let nextBase = merge.nextBase else {
      outcome.file = .remove(name: entry.name, known: entry.digest)
      outcome.state = pair.row?.isLeaving == true ? .left : .deleted
      return outcome
    }
    var contact = theirs.contact
    let known = try (pair.row?.contact ?? pair.deleted).flatMap { id in
      try Row.fetchOne(db, sql: "SELECT id, uid FROM contact WHERE id = ?", arguments: [id])
    }
    if let known {
      contact.id = known.integer(0)
      contact.uid = try adopted(theirs.contact.uid, known: pair.row?.uid, by: contact.id) ?? known.text(1)
      outcome.book = .write(contact, contact.photo == nil ? .remove : theirs.photo.map { .set($0) } ?? .keep)
    } else {
      if contact.uid.isEmpty || pair.isUIDTaken { contact.uid = UniqueID.make() }
      outcome.book = .add(contact, theirs.photo)
    }
    outcome.state = .synced(
      file: entry.name, uid: entry.uid, digest: entry.digest, base: nextBase)
    outcome.conflicts = conflicts(merge.conflicts, contact, entry.name)
    return outcome
  }

  // MARK: - Both are there

  private func both(
    _ pair: SyncPairing.Pair, _ mine: Contact, _ theirs: FolderCard, _ base: Contact?
  ) throws -> SyncOutcome? {
    guard let entry = pair.entry else { return nil }
    var outcome = SyncOutcome(pair)
    let template = CardTemplate(theirs.contact.cardLines)
    var their = theirs.contact
    their.cardLines = template.linesWithoutField
    let my = compared(mine, in: theirs.version)
    let base = try decided(base ?? Contact(), pair, my, their)
    var merge = ThreeWayMerge(base: base, mine: my, theirs: their, prefers: prefers)
    let merged = merge.run()
    let isOpen = merge.conflicts.contains { $0.kept == .each }
    let lines = template.replacingLinesWithoutField(with: merged.cardLines)

    var contact = merged
    contact.id = mine.id
    contact.version = mine.version
    contact.uid = try adopted(entry.uid, known: pair.row?.uid, by: mine.id) ?? mine.uid
    contact.cardLines = lines
    // Groups that the comparison left out stay.
    contact.groups = Set(mine.groups).subtracting(my.groups).union(merged.groups).sorted()
    if needsWrite(contact, over: mine, theirs, isSeen: pair.isFileKnown) {
      let isSamePhoto = contact.photo?.sha256 == mine.photo?.sha256
      let photo = contact.photo == nil ? .remove : theirs.photo.map { PhotoChange.set($0) } ?? .keep
      outcome.book = .write(contact, isSamePhoto ? .keep : photo)
    }
    var (uid, digest) = (entry.uid, entry.digest)
    if theirs.hasLosses || differs(merge.counterpart, from: their) {
      var card = merge.counterpart
      card.id = mine.id
      card.uid = entry.uid.isEmpty ? contact.uid : theirs.contact.uid
      card.cardLines = lines
      if case .none = outcome.book { card.modified = mine.modified } else { card.modified = Timestamp.now() }
      let isTheirs = card.photo?.sha256 == their.photo?.sha256
      let picture = try isTheirs ? theirs.binary ?? photo(of: card) : photo(of: card)
      let bytes = self.bytes(of: card, photo: picture, version: theirs.version)
      let written = CardFolder.digest(of: bytes)
      // A server that loses something again gets it only once.
      let isRepeated = written == pair.row?.digest && !differs(merge.counterpart, from: their)
      if written != entry.digest, !isRepeated {
        outcome.file = .write(bytes, name: entry.name, replacing: entry.digest)
        outcome.baseWithoutBook = baseWithoutBook(my, over: their, base: base)
        (uid, digest) = (card.uid, written)
      }
    }
    outcome.state = .synced(
      file: entry.name, uid: uid, digest: digest, base: merge.nextBase,
      open: isOpen ? OpenConflict(mine: merged, theirs: merge.counterpart) : nil)
    outcome.conflicts = conflicts(merge.conflicts, mine, entry.name)
    if pair.row?.isLeaving == true, !isOpen {
      if case .none = outcome.book {
        outcome.file = .remove(name: entry.name, known: entry.digest)
        outcome.state = .left
      } else {
        // The file is removed once the book has what is new in it.
        outcome.file = .none
        outcome.state = .synced(file: entry.name, uid: entry.uid, digest: entry.digest, base: their)
        outcome.isUnfinished = true
      }
    }
    return outcome
  }

  /// Returns the base, with what was edited since the last sync left a conflict open.
  private func decided(
    _ base: Contact, _ pair: SyncPairing.Pair, _ mine: Contact, _ theirs: Contact
  ) throws -> Contact {
    guard let row = pair.row, row.isOpen, let folder = state.folder,
      let open = try SyncStateStore.conflict(db, folder: folder, contact: row.contact, base: base)
    else { return base }
    return try open.decided(base, mine: mine, theirs: theirs)
  }

  /// Returns the base of the next merge if the file gets the result of this merge and the book does not: mine, with the
  /// base where a conflict is open. The next merge then finds what theirs changed, and what is edited in the meantime.
  private func baseWithoutBook(_ mine: Contact, over theirs: Contact, base: Contact) -> Contact {
    let side = prefers.map { $0 == .mine ? ThreeWayMerge.Side.theirs : .mine }
    var merge = ThreeWayMerge(base: base, mine: theirs, theirs: mine, prefers: side)
    _ = merge.run()
    return merge.reverse
  }

  /// Returns true if the merged contact must be written to the book. If the file has not changed since the last sync,
  /// the stored lines that no field represents are compared; otherwise, the cards that would be written.
  private func needsWrite(_ contact: Contact, over mine: Contact, _ theirs: FolderCard, isSeen: Bool) -> Bool {
    if contact.uid != mine.uid || hasChangedField(contact, mine) { return true }
    if isSeen { return !CardTemplate.isSame(withoutField(contact), as: withoutField(mine)) }
    let writer = ContactCardWriter(version: theirs.version)
    func lines(_ contact: Contact) -> [String] {
      let photo = contact.photo.map { CardBinary(mediaType: $0.mediaType, bytes: []) }
      return writer.card(for: contact.outside(state.groupsWithCard), photo: photo).lines.map(\.verbatim)
    }
    return !CardTemplate.isSame(lines(contact), as: lines(mine))
  }

  private func withoutField(_ contact: Contact) -> [String] { CardTemplate(contact.cardLines).linesWithoutField }

  private func differs(_ contact: Contact, from other: Contact) -> Bool {
    hasChangedField(contact, other) || !CardTemplate.isSame(contact.cardLines, as: other.cardLines)
  }

  private func hasChangedField(_ contact: Contact, _ other: Contact) -> Bool {
    contact.changedFields(since: other).contains { $0 != .special(.cardLines) }
  }

  // MARK: - Parts

  /// Returns the contact as its card has it, for a merge: with only the lines that no field represents, and without the
  /// groups whose cards list it as a member.
  func compared(_ contact: Contact, in version: CardVersion) -> Contact {
    var result = contact.outside(state.groupsWithCard)
    result.cardLines = CardTemplate(contact.cardLines).linesWithoutField(in: version)
    return result
  }

  /// Returns a version of the contact as it was written to the file: without the groups whose cards list it, and in the
  /// lines that the contact keeps.
  private func written(_ version: Contact, over mine: Contact?) -> Contact {
    var result = version.outside(state.groupsWithCard)
    result.cardLines = mine?.cardLines ?? version.cardLines
    return result
  }

  /// Returns the UID of a file that had none at the last sync, for its contact; nil if the file had one, was not synced
  /// before or still has none, or if another contact has that UID.
  private func adopted(_ uid: String, known: String?, by id: Int64) throws -> String? {
    guard known == "", !uid.isEmpty else { return nil }
    let holder = try CardMatcher(db).match(uid: uid)
    return holder == nil || holder?.id == id ? uid : nil
  }

  private func photo(of contact: Contact) throws -> CardBinary? {
    guard contact.photo != nil else { return nil }
    let stored = try Photo.fetch(db, contact: contact.id, damage: damage)
    if damage.has(contact.id) { throw DamagedPhoto(owner: contact) }
    return (state.keepsMetadata ? stored : stored?.withoutMetadata)?.binary
  }

  private func bytes(of contact: Contact, photo: CardBinary?, version: CardVersion?) -> [UInt8] {
    CardExporter(cardVersion: version, groupsWithCard: state.groupsWithCard, escapesCommas: true)
      .card(of: contact, binary: photo)
  }

  private func conflicts(
    _ conflicts: [MergeConflict], _ contact: Contact, _ file: String
  ) -> [SyncReport.Conflict] {
    conflicts.map { SyncReport.Conflict(uid: contact.uid, name: contact.displayName, file: file, conflict: $0) }
  }
}
