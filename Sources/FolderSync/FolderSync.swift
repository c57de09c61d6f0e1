import AddressBookModel
import Contacts
import GRDB
import SystemCalls

/// Syncs a book with a folder that has one vCard in each file, such as vdirsyncer's for a CardDAV server.
///
/// Each contact is compared with its file and with what both had after the last sync, which the book stores. A change
/// on one side is copied to the other; changes on both sides are merged by field (`ThreeWayMerge`). In a conflict
/// each side keeps its own value until the user decides. An edit wins over a deletion.
///
/// For each `chunk` of contacts, the book first stores what the files will be; then the files are written, each
/// atomically, and then the book in one transaction, which is a step of its history. After an interruption, at any point,
/// and for contacts that are edited in between, the next sync compares with what was written
/// (`SyncStateStore.applyIntents`).
public final class FolderSync {
  /// The number of contacts that are written in one transaction.
  static let chunk = 1000
  /// The number of files that are written at once: all are open, and the number of open files is limited.
  private static let batch = 128
  /// How many times a sync compares everything, if files or contacts change in the meantime.
  private static let passes = 3

  /// True to change nothing, and to report what would be done.
  public var isDryRun = false
  /// The side that wins conflicts: mine is the book, theirs the folder; nil leaves them open.
  public var prefers: ThreeWayMerge.Side?
  /// True to delete even if most or all cards are missing on one side.
  public var forcesDeletion = false
  /// True to add contacts that are in no folder to this one.
  public var adoptsFreeContacts = true
  /// Where copies of replaced and removed files are kept; nil to keep none.
  public var previousCards: PreviousCards?
  /// Called often; true stops the sync. What was done so far stays.
  public var isCancelled: () -> Bool = { false }
  /// Called with the progress.
  public var onProgress: (SyncProgress) -> Void = { _ in }
  /// The session of the sync, for the history.
  public var session: EditSession?

  private let book: AddressBook
  private let path: String

  /// Creates a sync of a book with a folder.
  /// - Parameters:
  ///   - book: a book that is open for writing, or for reading if it is a dry run.
  ///   - path: the path of the folder, which must exist.
  public init(book: AddressBook, path: String) {
    self.book = book
    self.path = path
  }

  /// Runs the sync.
  /// - Throws: `SyncError` if the folder cannot be used, the sync is canceled, the book's disk is full, or the book is
  ///   busy; `StoreError` if the book cannot be read or written for another reason.
  public func run() throws -> SyncReport {
    do {
      return try runAll()
    } catch let error as StoreError {
      // The messages of these store errors say that nothing was changed.
      switch error.reason {
      case .diskFull: throw SyncError(.diskFull, path: error.path)
      case .busy: throw SyncError(.busy, path: error.path)
      default: throw error
      }
    }
  }

  /// Takes back what syncs changed in the folder since the last upload. Call this for all folders before another program
  /// fetches what is new, and ``run()`` afterwards, which writes the book's changes again: nothing is then uploaded that
  /// lacks what another program has uploaded, and a card that was moved there is not in two folders.
  public func takeBack() throws {
    let folder = try CardFolder(path: path)
    try folder.lock()
    try applyIntents(folder)
    guard let previousCards, !previousCards.isEmpty else { return }
    let state = try self.state(of: folder.path)
    let changes = previousCards.changes
    for part in changes.batches(of: Self.chunk) {
      var done: [String] = []
      var outcomes: [SyncOutcome] = []
      try book.store.write { db in
        let back = try TakenBack(db, folder, state, damage: book.store.damage)
        for change in part {
          guard let card = try previousCards.card(change),
            let outcome = try back.outcome(of: card.bytes, isAdded: card.isAdded)
          else { continue }
          done.append(change)
          outcomes.append(outcome)
        }
      }
      _ = try write(try intend(outcomes, folder), folder)
      try applyIntents(folder)
      done.forEach(previousCards.forget)
    }
  }

  /// Returns whether the book has changes that the folder lacks, such as those that the sync of another folder made.
  public func isPending() throws -> Bool {
    let folder = try CardFolder(path: path)
    return try book.store.read { try SyncStateStore.isPending($0, path: folder.path) }
  }

  private func applyIntents(_ folder: CardFolder) throws(StoreError) {
    guard try book.store.read({ try SyncStateStore.hasIntents($0, path: folder.path) }) else { return }
    try book.store.write { try SyncStateStore($0, path: folder.path).applyIntents(folder) }
  }

  private func runAll() throws -> SyncReport {
    let folder = try CardFolder(path: path)
    try folder.lock()
    if !isDryRun { try applyIntents(folder) }
    var report = SyncReport(folder: folder.path, isDryRun: isDryRun)
    for _ in 0..<Self.passes {
      report.skipped = []
      if try !runOnce(folder, &report) || isDryRun { break }
    }
    report.skipped.sort { $0.file < $1.file }
    report.conflicts.sort { $0.file < $1.file }
    return report
  }

  /// - Returns: true if files or contacts changed in the meantime and must be compared again.
  private func runOnce(_ folder: CardFolder, _ report: inout SyncReport) throws -> Bool {
    try book.store.read(CardReading.learn)
    var state = try self.state(of: folder.path)
    let listing = try FolderListing(folder, state, isCancelled: isCancelled)
    if !isDryRun, try book.followMoves(folder, state, listing, session) { state = try self.state(of: folder.path) }
    let pairing = try book.store.read { db in
      let matcher = try CardMatcher(db)
      return try SyncPairing(listing, state) { try Self.holder(ofUID: $0, in: folder, matcher, db) }
    }
    let uids = Set(listing.byUID.keys)
    report.skipped = listing.skipped + pairing.skipped
    if let refusal = pairing.refusal, !forcesDeletion {
      report.refused = refusal
      return false
    }
    let pairs = pairing.pairs.filter { !$0.isUnchanged }
    var names = listing.names
    var isOutdated = false
    for (number, part) in pairs.batches(of: Self.chunk).enumerated() {
      var outcomes: [SyncOutcome] = []
      try book.store.read { db in
        var merge = SyncMerge(
          db: db, folder: folder, state: state, prefers: prefers, damage: book.store.damage, names: names,
          uids: uids)
        for pair in part {
          if isCancelled() { break }
          guard let outcome = try merge.outcome(of: pair) else {
            isOutdated = true
            continue
          }
          outcomes.append(outcome)
        }
        names = merge.names
      }
      try checkCancelled(folder)
      if isDryRun {
        for outcome in outcomes { outcome.count(in: &report) }
      } else if try !perform(outcomes, folder, &report) {
        isOutdated = true
      }
      onProgress(SyncProgress(done: number * Self.chunk + part.count, total: pairs.count))
    }
    if try !syncGroups(listing, folder, &report) { isOutdated = true }
    if !isDryRun { try saveName(of: folder, state) }
    return isOutdated
  }

  /// Stores the name and the color that the folder has now.
  private func saveName(of folder: CardFolder, _ state: SyncState) throws {
    let (name, color) = (folder.displayName, folder.color)
    guard state.folder == nil || name != state.name || color != state.color else { return }
    try book.store.write { try SyncStateStore($0, path: folder.path).name(name, color: color) }
  }

  private func state(of path: String) throws(StoreError) -> SyncState {
    try book.store.read { try SyncState($0, path: path, adoptsFreeContacts: adoptsFreeContacts) }
  }

  private static func holder(
    ofUID uid: String, in folder: CardFolder, _ matcher: CardMatcher, _ db: Database
  ) throws -> SyncPairing.Holder? {
    guard let match = try matcher.match(uid: uid) else { return nil }
    let folders = try String.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT path FROM synced_card s JOIN sync_folder f ON f.id = folder_id
          WHERE contact_id = ? AND (base IS NOT NULL OR NOT ?)
          """), arguments: [match.id, match.isDeleted])
    // The folders of one account are beside each other; an empty path stands for contacts that are in none.
    let isHere = folders.contains { $0.isEmpty || Folder.split($0).folder == Folder.split(folder.path).folder }
    guard folders.isEmpty || isHere else { return .elsewhere }
    return match.isDeleted
      ? .deleted(match.id) : .contact(SyncState.BookContact(id: match.id, uid: match.uid, version: match.version))
  }

  private func checkCancelled(_ folder: CardFolder) throws(SyncError) {
    if isCancelled() { throw SyncError(.cancelled, path: folder.path) }
  }

  /// Syncs the groups that have a card, after the contacts.
  /// - Returns: false if files changed in the meantime.
  private func syncGroups(
    _ listing: FolderListing, _ folder: CardFolder, _ report: inout SyncReport
  ) throws -> Bool {
    let plan = try book.store.read { try GroupPlan($0, folder, listing, prefers: prefers) }
    report.skipped += plan.skipped
    guard !isDryRun else {
      for outcome in plan.outcomes where outcome.row != nil { GroupSync.count(outcome, in: &report) }
      return true
    }
    return try GroupSync(book: book, folder: folder, session: session).perform(
      plan.outcomes, &report, keepPrevious: { name throws(SyncError) in try keepPrevious(name, folder) },
      checkCancelled: { () throws(SyncError) in try checkCancelled(folder) })
  }

  // MARK: - Writing

  /// Stores the intents, writes the files, then the book.
  /// - Returns: false if something must be compared again, such as files and contacts that changed in the meantime; they
  ///   are not replaced.
  private func perform(_ outcomes: [SyncOutcome], _ folder: CardFolder, _ report: inout SyncReport) throws -> Bool {
    let written = try writeBook(try write(try intend(outcomes, folder), folder), folder)
    for outcome in written { outcome.count(in: &report) }
    return written.count == outcomes.count && !written.contains(where: \.isUnfinished)
  }

  /// - Returns: the outcomes without those of contacts that were moved in the meantime.
  private func intend(_ outcomes: [SyncOutcome], _ folder: CardFolder) throws(StoreError) -> [SyncOutcome] {
    guard outcomes.contains(where: \.changesFile) else { return outcomes }
    return try book.store.write { db in try outcomes.filter(SyncStateStore(db, path: folder.path).intend) }
  }

  /// Writes the files.
  /// - Returns: what was done; the other files changed in the meantime.
  private func write(_ intended: [SyncOutcome], _ folder: CardFolder) throws -> [SyncOutcome] {
    var done: [SyncOutcome] = []
    var hasWritten = false
    for part in intended.batches(of: Self.batch) {
      var files = try stage(part, folder).makeIterator()
      for outcome in part {
        try checkCancelled(folder)
        switch outcome.file {
        case .none: break
        case .write:
          guard let file = files.next(), try folder.commit(file) else { continue }
          hasWritten = true
        case .remove(let name, let known):
          // The contact may be moved to another folder at the same time as elsewhere.
          try keepPrevious(name, folder)
          guard try folder.remove(name, known: known) else { continue }
          hasWritten = true
        }
        done.append(outcome)
      }
    }
    if hasWritten {
      try folder.sync()
      try checkCancelled(folder)
    }
    return done
  }

  /// Writes the files under temporary names, in the order of the outcomes.
  private func stage(_ outcomes: [SyncOutcome], _ folder: CardFolder) throws(SyncError) -> [CardFolder.Staged] {
    var files: [(bytes: [UInt8], name: String, replacing: Int64?)] = []
    for outcome in outcomes {
      guard case .write(let bytes, let name, let known) = outcome.file else { continue }
      if known != nil {
        try keepPrevious(name, folder)
      } else if outcome.pair.row != nil {
        try keepPrevious(bytes, isAdded: true)
      }
      files.append((bytes, name, known))
    }
    return try folder.stage(files)
  }

  private func keepPrevious(_ name: String, _ folder: CardFolder) throws(SyncError) {
    if previousCards != nil, let bytes = folder.read(name) { try keepPrevious(bytes) }
  }

  private func keepPrevious(_ bytes: [UInt8], isAdded: Bool = false) throws(SyncError) {
    do throws(FileFailure) { try previousCards?.save(bytes, isAdded: isAdded) } catch { throw SyncError(error) }
  }

  /// Writes the contacts and the state of the sync, in one transaction.
  /// - Returns: what was done; the rest changed in the meantime.
  private func writeBook(_ outcomes: [SyncOutcome], _ folder: CardFolder) throws -> [SyncOutcome] {
    try book.bulkWrite(groups: .replace, as: StepName(.sync, folder.path), in: session) { writer in
      let states = try SyncStateStore(writer.db, path: folder.path)
      let matcher = try CardMatcher(writer.db)
      let written = try outcomes.filter { outcome in
        guard let id = try write(outcome, writer, matcher) else { return false }
        try states.save(outcome.state, of: id, version: writer.state(of: id)?.version ?? 0)
        if outcome.isRestoration { try states.deleteFromOthers(id) }
        // A contact that was removed for good has come back from its file, with another id.
        if let former = outcome.pair.row?.contact, former != id { try states.save(.left, of: former, version: 0) }
        return true
      }
      // Contacts that were written in the meantime: their files may be written already.
      try states.applyIntents(folder)
      try states.deleteRemoved()
      return written
    }
  }

  /// - Returns: the id of the contact; nil if it, or another contact with its UID, was written after the comparison.
  private func write(_ outcome: SyncOutcome, _ writer: BulkWriter, _ matcher: CardMatcher) throws -> Int64? {
    let id = outcome.pair.id
    let now = try id.flatMap { try writer.state(of: $0) }
    let isThere = now?.isDeleted == false
    guard isThere == (outcome.pair.contact != nil) else { return nil }
    if let contact = outcome.pair.contact, now?.version != contact.version { return nil }
    switch outcome.book {
    case .none: return id
    case .add(let contact, let photo):
      guard try matcher.match(uid: contact.uid) == nil else { return nil }
      return try writer.write(contact, photo: photo).id
    case .write(let contact, let photo): try writer.replace(contact, photo: photo)
    case .delete(let id): try writer.delete(id)
    }
    return id
  }
}
