import AddressBookModel
import BookInterchange
import ContactInterchange
import Contacts
import VCard

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

/// The content of a file in a folder.
enum FolderFile {
  /// The card of one contact.
  case card(FolderCard)
  /// The card of a group, which is not a contact.
  case group(GroupCard)
  /// A file that is left alone, and why.
  case skipped(SyncReport.SkippedFile.Reason)

  /// Reads the bytes of a file. Only a file that could be written again without losing anything is a card.
  /// - Parameter keepsMetadata: whether the book keeps the metadata of photos.
  init(_ bytes: [UInt8], keepsMetadata: Bool) {
    let (cards, skipped) = VCardReader.read(bytes)
    guard cards.count < 2 else {
      self = .skipped(.several)
      return
    }
    guard let card = cards.first, skipped.isEmpty, !card.diagnostics.contains(where: { Self.isLoss($0.problem) }) else {
      self = .skipped(.unreadable)
      return
    }
    let read = ContactCardReader().read(card)
    if case .group = read.kind {
      self = IncomingCard(read).group.map { .group($0) } ?? .skipped(.unreadable)
      return
    }
    guard !read.isEmpty, ImportSession.error(in: read.contact) == nil else {
      self = .skipped(.unreadable)
      return
    }
    self = .card(FolderCard(read, version: card.version, keepsMetadata: keepsMetadata))
  }

  /// Returns true for a problem that may leave part of the file out of the card.
  private static func isLoss(_ problem: Diagnostic.Problem) -> Bool {
    switch problem {
    case .guessedCharset, .missingVersion, .unreadablePhoto: false
    default: true
    }
  }
}

/// The card in a file, as a contact.
struct FolderCard {
  /// The contact with all lines of its card, and with the UID in the file, which is empty if there is none.
  var contact: Contact
  let version: CardVersion
  /// The bytes of the photo in the file.
  let picture: [UInt8]
  /// The photo as the book stores it; nil if there is none or the book cannot show it.
  private(set) var photo: Photo?
  /// Whether the file lacks something that the contact has, see ``undoLosses(of:)``.
  private(set) var hasLosses = false

  init(_ read: ImportedCard, version: CardVersion, keepsMetadata: Bool) {
    contact = read.contact
    self.version = version
    picture = read.photo?.bytes ?? []
    guard let line = read.photoLine else { return }
    // A photo that the book cannot show stays in its line.
    photo = Photo(showing: picture, keepsMetadata: keepsMetadata)
    contact.keepPhotoLine(line, digest: photo?.summary.sha256)
    contact.photo = photo?.summary
    rawLine = line
  }

  private var rawLine: ImportedCard.PhotoLine?

  /// Keeps the photo as it is in the file, with its metadata, if one of these versions of the contact has exactly that
  /// photo.
  mutating func matchPhoto(of known: [Contact?]) {
    guard let line = rawLine, photo != nil else { return }
    let digest = SHA256.hexadecimal(of: picture)
    guard let summary = known.lazy.compactMap({ $0?.photo }).first(where: { $0.sha256 == digest }) else { return }
    contact.keepPhotoLine(line, digest: digest)
    contact.photo = summary
  }

  /// Takes over from known versions of the contact what another program lost when it wrote the card.
  mutating func undoLosses(of known: [Contact?]) {
    for case let own? in known {
      guard let restored = contact.undoingLosses(of: own) else { continue }
      contact = restored.contact
      if restored.isLoss { hasLosses = true }
    }
  }

  /// The photo with the bytes of the file; nil if the file has none.
  var binary: CardBinary? {
    picture.isEmpty ? nil : contact.photo.map { CardBinary(mediaType: $0.mediaType, bytes: picture) }
  }
}
