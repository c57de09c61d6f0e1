import AddressBookModel
import BookInterchange
import ContactInterchange
import Contacts
import VCard

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
