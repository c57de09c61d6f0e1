import AddressBookModel
import BookInterchange
import Contacts
import GRDB
import Glibc
import SystemCalls
import VCard

/// What syncs have changed in a folder, and vdirsyncer has not uploaded yet: the server's versions of the cards that were
/// replaced or removed, and the cards that were added. There is one file per UID. With them, the changes are taken back
/// before vdirsyncer fetches what is new (``FolderSync/takeBack()``). Once the upload has begun, the server's version is
/// only the base of a merge, if the card was changed there too.
/// Both cards of a conflict that such a merge left open are kept in the same way.
public struct PreviousCards: Sendable {
  private let folder: String

  /// The folder, beside those of the address books, of the cards of open conflicts.
  public static let conflicts = ".conflicts"

  private static let added = ".added.vcf"
  private static let base = ".base.vcf"

  /// Uses a folder, which need not exist.
  public init(folder: String) { self.folder = folder }

  /// The files of the changes that can be taken back.
  var changes: [String] { files.filter { !$0.hasSuffix(Self.base) } }
  private var files: [String] { Folder.names(in: folder).filter { $0.hasSuffix(".vcf") } }

  /// True if no change can be taken back.
  public var isEmpty: Bool { changes.isEmpty }

  /// Keeps a card that is about to be replaced, removed or added, unless it has no UID or an older change of it is kept.
  func save(_ bytes: [UInt8], isAdded: Bool = false) throws(FileFailure) {
    guard let uid = Self.uid(of: bytes) else { return }
    let (previous, added) = (path(uid: uid), path(uid: uid, Self.added))
    guard access(previous, F_OK) != 0, access(added, F_OK) != 0 else { return }
    try write(bytes, isAdded ? added : previous)
  }

  /// Returns the card of a change; nil if it is gone.
  func card(_ change: String) throws(SyncError) -> (bytes: [UInt8], isAdded: Bool)? {
    do throws(FileFailure) {
      return try FileBytes.read(folder + "/" + change).map { ($0, change.hasSuffix(Self.added)) }
    } catch {
      throw SyncError(error)
    }
  }

  /// Forgets a change that was taken back.
  func forget(_ change: String) { unlink(folder + "/" + change) }

  /// Says that an upload begins: from now on nobody knows what the server has, and no change can be taken back.
  public func beginUpload() {
    for change in changes {
      let base = folder + "/" + change.dropLast(".vcf".count) + Self.base
      let isKept = !change.hasSuffix(Self.added) && access(base, F_OK) != 0
      if !isKept || rename(folder + "/" + change, base) != 0 { forget(change) }
    }
  }

  /// Keeps both cards of a conflict that is left open.
  public func saveConflict(mine: [UInt8], theirs: [UInt8]) throws(FileFailure) {
    guard let my = path(of: mine, ".mine.vcf"), let their = path(of: mine, ".theirs.vcf") else { return }
    try write(mine, my)
    try write(theirs, their)
  }

  /// Returns both cards of the conflict that was left open for the UID of this card; nil if none was.
  public func conflict(like bytes: [UInt8]) throws(FileFailure) -> (mine: [UInt8], theirs: [UInt8])? {
    guard let my = path(of: bytes, ".mine.vcf"), let their = path(of: bytes, ".theirs.vcf"),
      let mine = try FileBytes.read(my), let theirs = try FileBytes.read(their)
    else { return nil }
    return (mine, theirs)
  }

  private func write(_ bytes: [UInt8], _ path: String) throws(FileFailure) {
    try PrivateFolder.make(folder)
    try FileReplacement.write(bytes, to: path)
  }

  /// Returns the server's version of the card with the same UID as this one, of any address book; nil if none is kept.
  /// - Parameters:
  ///   - bytes: the card.
  ///   - folder: the folder that the folders of the address books are in.
  public static func card(like bytes: [UInt8], in folder: String) throws(FileFailure) -> [UInt8]? {
    guard let uid = uid(of: bytes) else { return nil }
    for name in Folder.names(in: folder).sorted() where !name.hasPrefix(".") {
      let cards = PreviousCards(folder: folder + "/" + name)
      for suffix in [base, ".vcf"] { if let card = try FileBytes.read(cards.path(uid: uid, suffix)) { return card } }
    }
    return nil
  }

  /// Removes all kept cards.
  public func clear() { files.forEach(forget) }

  private func path(of bytes: [UInt8], _ suffix: String = ".vcf") -> String? {
    Self.uid(of: bytes).map { path(uid: $0, suffix) }
  }

  private func path(uid: String, _ suffix: String = ".vcf") -> String {
    let digest = Array(CardIdentity.canonical(uid).utf8).withUnsafeBytes { Checksum.of($0) }
    return folder + "/" + String(digest, radix: 16) + suffix
  }

  private static func uid(of bytes: [UInt8]) -> String? {
    guard let uid = VCardReader.read(bytes).cards.first?.first("UID")?.text, !uid.isEmpty else { return nil }
    return uid
  }
}

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
