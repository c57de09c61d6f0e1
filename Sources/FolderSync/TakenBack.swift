import AddressBookModel
import BookInterchange
import Contacts
import GRDB

/// Takes back what syncs changed in the files of a folder.
struct TakenBack {
  private let merge: SyncMerge
  private let byUID: [String: SyncedCard]
  private let byContact: [Int64: SyncedCard]
  private let matcher: CardMatcher

  init(_ db: Database, _ folder: CardFolder, _ state: SyncState, damage: DamageLog) throws {
    merge = SyncMerge(db: db, folder: folder, state: state, prefers: nil, damage: damage, names: [], uids: [])
    byUID = Dictionary(state.rows.map { (CardIdentity.canonical($0.uid), $0) }, uniquingKeysWith: { $1 })
    byContact = Dictionary(state.rows.map { ($0.contact, $0) }, uniquingKeysWith: { $1 })
    matcher = try CardMatcher(db)
  }

  /// Returns what undoes the change of a file, which may be nothing; nil if another program has changed the file since, or
  /// if it is not that of a contact.
  /// - Parameters:
  ///   - bytes: the card as it was, or the one that was added.
  ///   - isAdded: whether it was added.
  func outcome(of bytes: [UInt8], isAdded: Bool) throws -> SyncOutcome? {
    guard case .card(let card) = FolderFile(bytes, keepsMetadata: merge.state.keepsMetadata) else { return nil }
    let uid = card.contact.uid
    guard let id = try byUID[CardIdentity.canonical(uid)]?.contact ?? matcher.match(uid: uid)?.id else { return nil }
    let row = try byContact[id] ?? SyncStateStore(merge.db, path: merge.folder.path).putBack(id)
    var outcome = SyncOutcome(SyncPairing.Pair(row: row))
    let name = row.file.isEmpty ? CardFileName.make(forUID: uid, taken: []) : row.file
    let now = merge.folder.read(name)
    if now == (isAdded ? nil : bytes) { return outcome }
    guard row.hasBase == (now != nil), now == nil || now.map(CardFolder.digest) == row.digest else { return nil }
    if isAdded {
      outcome.file = .remove(name: name, known: row.digest)
      return outcome
    }
    var base = merge.compared(card.contact, in: card.version)
    // What the book does not have of the file that replaced this card, it does not have of this card either.
    if let now, let old = try merge.base(of: row),
      case .card(let written) = FolderFile(now, keepsMetadata: merge.state.keepsMetadata)
    {
      var both = ThreeWayMerge(base: merge.compared(written.contact, in: card.version), mine: base, theirs: old)
      base = both.run()
    }
    outcome.file = .write(bytes, name: name, replacing: now.map(CardFolder.digest))
    outcome.state = .synced(file: name, uid: uid, digest: CardFolder.digest(of: bytes), base: base)
    return outcome
  }
}
