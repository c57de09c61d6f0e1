import AddressBookModel
import BookInterchange

/// The files of a folder at the beginning of a sync. The cards of contacts are not kept in memory.
struct FolderListing {
  /// A file with the card of a contact.
  struct Entry {
    let name: String
    let digest: Int64
    /// Its UID, verbatim; empty if it has none.
    let uid: String
  }

  /// A file with the card of a group.
  struct Group {
    let card: GroupCard
    let file: String
    let digest: Int64
  }

  /// The files with cards of contacts, sorted by name; those in ``skipped`` are left out.
  private(set) var entries: [Entry] = []
  private(set) var groups: [Group] = []
  private(set) var skipped: [SyncReport.SkippedFile] = []
  /// The UIDs that are in several files, in their canonical spelling.
  private(set) var doubledUIDs: Set<String> = []
  /// The names of all `.vcf` files that are valid UTF-8, in lower case.
  private(set) var names: Set<String> = []

  /// The files of ``entries`` with a UID, by its canonical spelling.
  private(set) var byUID: [String: Entry] = [:]

  /// True if the folder has no `.vcf` file, apart from cards of groups.
  var isEmpty: Bool { entries.isEmpty && skipped.isEmpty }

  /// Reads the folder. Cards of contacts that have not changed since the last sync are not parsed.
  init(_ folder: CardFolder, _ state: SyncState, isCancelled: () -> Bool) throws(SyncError) {
    let known = Dictionary(
      state.rows.filter { !$0.file.isEmpty }.map { ($0.digest, $0.uid) }, uniquingKeysWith: { first, _ in first })
    let found = try folder.names()
    skipped = found.others.map { SyncReport.SkippedFile(file: $0, reason: .unreadable) }
    names = Set(found.cards.map { $0.lowercased() })
    var all: [Entry] = []
    for name in found.cards {
      if isCancelled() { throw SyncError(.cancelled, path: folder.path) }
      guard let bytes = folder.read(name) else {
        skipped.append(SyncReport.SkippedFile(file: name, reason: .unreadable))
        continue
      }
      let digest = CardFolder.digest(of: bytes)
      if let uid = known[digest] {
        all.append(Entry(name: name, digest: digest, uid: uid))
        continue
      }
      switch FolderFile(bytes, keepsMetadata: state.keepsMetadata) {
      case .card(let card): all.append(Entry(name: name, digest: digest, uid: card.contact.uid))
      case .group(let card): groups.append(Group(card: card, file: name, digest: digest))
      case .skipped(let reason): skipped.append(SyncReport.SkippedFile(file: name, reason: reason))
      }
    }
    leaveOutDuplicates(all)
    skipped.sort { $0.file < $1.file }
  }

  private mutating func leaveOutDuplicates(_ all: [Entry]) {
    let byUID = Dictionary(grouping: all.filter { !$0.uid.isEmpty }) { CardIdentity.canonical($0.uid) }
    doubledUIDs = Set(byUID.filter { $0.value.count > 1 }.keys)
    for entry in all {
      if !entry.uid.isEmpty, doubledUIDs.contains(CardIdentity.canonical(entry.uid)) {
        skipped.append(SyncReport.SkippedFile(file: entry.name, reason: .duplicate))
      } else {
        entries.append(entry)
        if !entry.uid.isEmpty { self.byUID[CardIdentity.canonical(entry.uid)] = entry }
      }
    }
  }
}
