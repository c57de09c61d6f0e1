import ContactInterchange
import Glibc
import VCard

/// Writes cards into a folder, one per file, in the form that vdirsyncer and other programs share (vdir).
///
/// A card that the folder already has, under any file name, keeps that file, which is left alone if its lines are the
/// same, and replaced atomically otherwise. Files are never deleted. A file with several cards or none is not touched.
///
/// Files get their names in batches, so that the disk writes a batch while the next file is made.
public final class SplitExport {
  /// The number of files that were written.
  public private(set) var written = 0
  /// The number of files that had the same card already.
  public private(set) var unchanged = 0

  private static let suffix = ".vcf"
  /// The largest file that is read, in bytes; real cards are much smaller.
  private static let mostBytes = 64 << 20

  /// The number of files in a batch: all are open at once, and the number of open files is limited.
  private static let mostOpen = 128

  private let folder: String
  private var pending: [FileReplacement] = []
  /// The names of the files by the UID of their card.
  private var names: [String: String] = [:]
  /// All names in the folder, in lower case: some file systems ignore case.
  private var taken: Set<String> = []

  /// Reads which cards a folder has; a missing folder is created.
  /// - Throws: `FileFailure` if it cannot be created or read.
  public init(folder: String) throws(FileFailure) {
    self.folder = folder
    try PrivateFolder.make(folder)
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(folder, errno) }
    close(descriptor)
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
    if pending.count >= Self.mostOpen { try finish() }
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

  /// `UID.vcf` if that is valid on every file system and not in use; otherwise a random name.
  private func freeName(for card: Card) -> String {
    let uid = ContactCardReader().read(card).contact.uid
    let name = uid + Self.suffix
    if Self.isSafe(uid), !taken.contains(name.lowercased()) { return name }
    while true {
      let name = UniqueID.make() + Self.suffix
      if !taken.contains(name.lowercased()) { return name }
    }
  }

  /// True for names as vdirsyncer makes them, of at most 200 characters.
  private static func isSafe(_ uid: String) -> Bool {
    (1...200).contains(uid.utf8.count) && !uid.hasPrefix(".")
      && uid.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "_.+-".utf8.contains(byte)
        }
      }
  }

  private func path(of name: String) -> String { folder.hasSuffix("/") ? folder + name : folder + "/" + name }

  // MARK: - Cards

  /// The card of a file; nil unless it has exactly one.
  private func card(in name: String) throws(FileFailure) -> Card? {
    guard let bytes = try bytes(of: path(of: name)) else { return nil }
    let cards = VCardReader.read(bytes).cards
    return cards.count == 1 ? cards[0] : nil
  }

  /// The content of a file; nil if it is gone, not a regular file, or too large.
  private func bytes(of path: String) throws(FileFailure) -> [UInt8]? {
    // Without blocking, in case it is a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ELOOP || errno == ENXIO { return nil }
      throw FileFailure(path, errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFailure(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.mostBytes else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count) }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw FileFailure(path, errno) }
      if got == 0 { break }
      count += got
    }
    return Array(bytes[..<count])
  }

  private static func uid(of card: Card) -> String {
    CardIdentity.canonical(ContactCardReader().read(card).contact.uid)
  }

  /// True if two cards have the same lines in the same order, however they are folded.
  private static func isSame(_ one: Card, _ other: Card) -> Bool {
    one.version == other.version && one.lines.map(\.verbatim) == other.lines.map(\.verbatim)
  }
}
