import AddressBookModel

/// Pairs contacts with files: by UID, or for a card without one by the name or the digest of its file.
struct SyncPairing {
  /// A contact and its file; at least one of them exists, or existed.
  struct Pair {
    /// What the book stores about both; nil if it stores nothing.
    var row: SyncedCard?
    /// The contact in the book; nil if it is deleted, or was never there.
    var contact: SyncState.BookContact?
    /// The id of a deleted contact that has the UID of a new file; it may be restored.
    var deleted: Int64?
    /// The file; nil if it is gone, or was never there.
    var entry: FolderListing.Entry?
    /// True if the UID of a new file is that of a contact that belongs elsewhere (``Holder/elsewhere``).
    var isUIDTaken = false

    /// The id of the contact, deleted or not.
    var id: Int64? { contact?.id ?? row?.contact ?? deleted }

    /// True if the book has the content of the file.
    var isFileKnown: Bool {
      guard let row, let entry else { return false }
      return row.isWhole && row.digest == entry.digest
    }

    /// True if both sides exist and have not changed since the last sync, and no conflict or move is pending.
    var isUnchanged: Bool {
      guard let row, row.hasBase, !row.isOpen, !row.isLeaving, let contact, let entry else { return false }
      return contact.version == row.version && entry.digest == row.digest && entry.name == row.file
        && entry.uid == row.uid
    }
  }

  /// Who has the UID of a new file.
  enum Holder {
    case contact(SyncState.BookContact)
    /// A deleted contact, which may be restored.
    case deleted(Int64)
    /// A contact of another account: the two cards have nothing but the UID in common.
    case elsewhere

    var id: Int64? {
      switch self {
      case .contact(let contact): contact.id
      case .deleted(let id): id
      case .elsewhere: nil
      }
    }
  }

  private(set) var pairs: [Pair] = []
  /// Why the sync is refused; nil if it is not.
  private(set) var refusal: SyncReport.Refusal?
  /// Files that cannot be paired.
  private(set) var skipped: [SyncReport.SkippedFile] = []

  private var claimed: Set<String> = []
  private let byUID: [String: FolderListing.Entry]
  private let byName: [String: FolderListing.Entry]

  /// - Parameter find: finds the contact with a UID in any spelling, deleted or not.
  init(_ listing: FolderListing, _ state: SyncState, find: (String) throws -> Holder?) throws {
    byUID = listing.byUID
    byName = Dictionary(listing.entries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let frozenNames = Set(listing.skipped.map(\.file))
    func isFrozen(_ uid: String) -> Bool { !uid.isEmpty && listing.doubledUIDs.contains(CardIdentity.canonical(uid)) }
    let rows = state.rows.filter { row in
      !frozenNames.contains(row.file) && !isFrozen(row.uid) && !isFrozen(state.living[row.contact]?.uid ?? "")
    }
    let entries = claim(rows, listing.entries, state)
    pairs = zip(rows, entries).map { row, entry in
      Pair(row: row, contact: state.living[row.contact], entry: entry)
    }
    try addNewFiles(listing, state, find)
    let taken = Set(pairs.compactMap(\.id))
    for contact in state.free where !taken.contains(contact.id) && !isFrozen(contact.uid) {
      pairs.append(Pair(contact: contact))
    }
    refusal = Self.refusal(rows: state.rows, pairs: pairs, state, folderIsEmpty: listing.isEmpty)
  }

  // MARK: - Files of known contacts

  /// Returns the file of each row, nil if there is none. A file is found by the UID of the row; if that is empty, by the
  /// UID of the contact, unless the row's file is there and has none; otherwise by its name, if the file or the row has
  /// no UID, or the file's was cut at a comma by a server; otherwise by its digest, if neither has a UID and the file was renamed.
  private mutating func claim(
    _ rows: [SyncedCard], _ entries: [FolderListing.Entry], _ state: SyncState
  ) -> [FolderListing.Entry?] {
    var result: [FolderListing.Entry?] = rows.map { row in
      guard let entry = byUID[CardIdentity.canonical(row.uid)], claimed.insert(entry.name).inserted else { return nil }
      return entry
    }
    for (index, row) in rows.enumerated() where row.uid.isEmpty && byName[row.file]?.uid != "" {
      guard let contact = state.living[row.contact], let entry = byUID[CardIdentity.canonical(contact.uid)],
        claimed.insert(entry.name).inserted
      else { continue }
      result[index] = entry
    }
    for (index, row) in rows.enumerated() where result[index] == nil {
      guard let entry = byName[row.file], !claimed.contains(entry.name),
        entry.uid.isEmpty || row.uid.isEmpty || row.uid.hasPrefix(entry.uid + ",")
      else { continue }
      result[index] = entry
      claimed.insert(entry.name)
    }
    let nameless = Dictionary(
      entries.filter { $0.uid.isEmpty && !claimed.contains($0.name) }.map { ($0.digest, $0) },
      uniquingKeysWith: { first, _ in first })
    for (index, row) in rows.enumerated() where result[index] == nil && row.uid.isEmpty && row.hasBase {
      guard let entry = nameless[row.digest], claimed.insert(entry.name).inserted else { continue }
      result[index] = entry
    }
    return result
  }

  private mutating func addNewFiles(
    _ listing: FolderListing, _ state: SyncState, _ find: (String) throws -> Holder?
  ) throws {
    var paired = Set(pairs.compactMap(\.id))
    for entry in listing.entries where !claimed.contains(entry.name) {
      guard !entry.uid.isEmpty, let found = try find(entry.uid) else {
        pairs.append(Pair(entry: entry))
        continue
      }
      guard let id = found.id else {
        pairs.append(Pair(entry: entry, isUIDTaken: true))
        continue
      }
      guard paired.insert(id).inserted else {
        // The contact was moved here, and then deleted or moved on before this folder had its card.
        if let index = pairs.firstIndex(where: { $0.id == id && $0.entry == nil }) {
          pairs[index].entry = entry
          continue
        }
        // The contact with this UID is already paired with a file that no longer has the UID.
        skipped.append(SyncReport.SkippedFile(file: entry.name, reason: .duplicate))
        continue
      }
      if case .contact(let contact) = found {
        pairs.append(Pair(contact: contact, entry: entry))
      } else {
        pairs.append(Pair(deleted: id, entry: entry))
      }
    }
  }

  // MARK: - Guard

  /// Returns why the sync is refused; nil if it is not. It is refused if one side is empty, or lacks at least 10 cards
  /// and more than half of all: a missing disk or a failed download is then far likelier than a deletion.
  private static func refusal(
    rows: [SyncedCard], pairs: [Pair], _ state: SyncState, folderIsEmpty: Bool
  ) -> SyncReport.Refusal? {
    let known = rows.filter(\.isKnown).count
    guard known > 0 else { return nil }
    func refusal(_ side: SyncReport.Refusal.Side, missing: Int, isEmpty: Bool) -> SyncReport.Refusal? {
      let isMajority = missing >= 10 && missing * 2 > known
      return isMajority || (isEmpty && missing > 0)
        ? SyncReport.Refusal(side: side, missing: missing, known: known) : nil
    }
    let ofKnown = pairs.filter { $0.row?.isKnown == true }
    let hasContact = !state.free.isEmpty || rows.contains { state.living[$0.contact] != nil && !$0.isLeaving }
    return refusal(.folder, missing: ofKnown.count { $0.entry == nil }, isEmpty: folderIsEmpty)
      ?? refusal(.book, missing: ofKnown.count { $0.contact == nil }, isEmpty: !hasContact)
  }
}
