import AddressBookModel
import ContactInterchange
import Glibc
import SystemCalls
import VCard

/// An export of cards into a folder, one per file, in the form that vdirsyncer and other programs share (vdir).
///
/// If a `.vcf` file of the folder that is not hidden, whatever its name, already has a card with the same UID, the file
/// is left alone if the lines are the same, and replaced atomically otherwise. Files are never deleted. A file with
/// several cards or none is not touched.
///
/// Files are synced and get their names in batches, so that the disk can write some while others are made.
public final class SplitExport {
  /// The number of files that were written.
  public private(set) var written = 0
  /// The number of files that had the same card already.
  public private(set) var unchanged = 0

  private static let suffix = ".vcf"
  /// The number of files in a batch: all are open at once, and the number of open files is limited.
  private static let batchSize = 128

  private let folder: String
  private var pending: [FileReplacement] = []
  /// The names of the files, keyed by the UID of their card.
  private var names: [String: String] = [:]
  /// All names in the folder, in lower case: some file systems ignore case.
  private var taken: Set<String> = []

  /// Reads which cards a folder has; a missing folder is created.
  /// - Throws: `FileFailure` if it cannot be created or read.
  public init(folder: String) throws(FileFailure) {
    self.folder = folder
    try PrivateFolder.make(folder)
    if ReadableFile(folder, O_DIRECTORY) == nil { throw FileFailure(folder, errno) }
    for name in Folder.names(in: folder).sorted() {
      taken.insert(name.lowercased())
      guard name.hasSuffix(Self.suffix), !name.hasPrefix("."), let card = try card(in: name) else { continue }
      let uid = Self.uid(of: card)
      if !uid.isEmpty, names[uid] == nil { names[uid] = name }
    }
  }

  /// Writes a card, in UTF-8, unless its file already has it. Call ``finish()`` after the last one.
  public func write(_ bytes: [UInt8]) throws(FileFailure) {
    guard let card = VCardReader.read(bytes).cards.first else { return }
    let uid = Self.uid(of: card)
    if let name = names[uid], let known = try self.card(in: name), Self.isSame(known, card) {
      unchanged += 1
      return
    }
    let name = names[uid] ?? freeName(for: card)
    let file = try FileReplacement(path: path(of: name), isDurable: false)
    try file.write(bytes)
    try file.flush()
    pending.append(file)
    if pending.count >= Self.batchSize { try finish() }
    taken.insert(name.lowercased())
    if !uid.isEmpty { names[uid] = name }
    written += 1
  }

  /// Gives the files their names once their content is on the disk.
  public func finish() throws(FileFailure) {
    guard !pending.isEmpty else { return }
    for file in pending { try file.sync() }
    for file in pending { try file.commit() }
    pending = []
    try Folder.sync(folder)
  }

  // MARK: - Names

  /// Returns `UID.vcf` if that is safe as a file name and not in use; otherwise a random name.
  private func freeName(for card: Card) -> String {
    CardFileName.make(forUID: ContactCardReader().read(card).contact.uid, taken: taken)
  }

  private func path(of name: String) -> String { folder.hasSuffix("/") ? folder + name : folder + "/" + name }

  // MARK: - Cards

  /// Returns the card of a file; nil unless it has exactly one.
  private func card(in name: String) throws(FileFailure) -> Card? {
    guard let bytes = try FileBytes.read(path(of: name)) else { return nil }
    let cards = VCardReader.read(bytes).cards
    return cards.count == 1 ? cards[0] : nil
  }

  private static func uid(of card: Card) -> String {
    CardIdentity.canonical(ContactCardReader().read(card).contact.uid)
  }

  /// Returns true if two cards have the same version, and the same lines in the same order, however they are folded.
  private static func isSame(_ one: Card, _ other: Card) -> Bool {
    one.version == other.version && one.lines.map(\.verbatim) == other.lines.map(\.verbatim)
  }
}
