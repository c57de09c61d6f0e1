import Glibc
import SystemCalls
import VCard

/// The server's versions of the cards that a sync has replaced or removed. They are the base of a merge if the server's
/// card was also changed. There is one file per UID, until vdirsyncer has uploaded everything. Then they are kept
/// elsewhere (``earlier``) until the book has seen all files: vdirsyncer may have fetched the same card into another folder.
/// Both cards of a conflict that such a merge left open are kept in the same way.
public struct PreviousCards: Sendable {
  private let folder: String

  /// The folder, beside those of the address books, of the cards of open conflicts.
  public static let conflicts = ".conflicts"
  /// The folder, beside those of the address books, of the versions that vdirsyncer has replaced on the server.
  public static let earlier = ".earlier"

  private static let new = ".new.vcf"

  /// Uses a folder, which need not exist.
  public init(folder: String) { self.folder = folder }

  /// Keeps a card that is about to be replaced, unless it has no UID or an older version of it is already kept.
  /// - Parameter isNew: true if the book has not seen the card: no version of the contact came from it.
  func save(_ bytes: [UInt8], isNew: Bool) throws(FileFailure) {
    guard let uid = Self.uid(of: bytes) else { return }
    let (seen, new) = (path(uid: uid), path(uid: uid, Self.new))
    guard access(seen, F_OK) != 0, access(new, F_OK) != 0 else { return }
    try write(bytes, isNew ? new : seen)
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

  /// Returns the kept card with the same UID as this one, of any address book; nil if there is none.
  /// - Parameter folder: the folder that the folders of the address books are in.
  public static func card(like bytes: [UInt8], in folder: String) throws(FileFailure) -> [UInt8]? {
    guard let uid = uid(of: bytes) else { return nil }
    return try card(uid: uid, in: folder)
  }

  private static func card(uid: String, in folder: String, isNew: Bool = true) throws(FileFailure) -> [UInt8]? {
    for name in Folder.names(in: folder).sorted() where !name.hasPrefix(".") {
      let cards = PreviousCards(folder: folder + "/" + name)
      for suffix in isNew ? [".vcf", new] : [".vcf"] {
        if let card = try FileBytes.read(cards.path(uid: uid, suffix)) { return card }
      }
    }
    return nil
  }

  /// Returns the card that the book and the server had before a card with this UID came into another folder; nil if none
  /// was kept.
  func card(uid: String) throws(FileFailure) -> [UInt8]? {
    let root = Folder.split(folder).folder
    if let card = try FileBytes.read(PreviousCards(folder: root + "/" + Self.earlier).path(uid: uid)) { return card }
    return try Self.card(uid: uid, in: root, isNew: false)
  }

  /// Moves the kept cards to the earlier ones, of which the oldest is kept.
  public func retire() {
    let earlier = Folder.split(folder).folder + "/" + Self.earlier
    mkdir(earlier, 0o700)
    for name in Folder.names(in: folder) where name.hasSuffix(".vcf") {
      let target = earlier + "/" + name
      if name.hasSuffix(Self.new) || access(target, F_OK) == 0 || rename(folder + "/" + name, target) != 0 {
        unlink(folder + "/" + name)
      }
    }
  }

  /// Removes all kept cards.
  public func clear() {
    for name in Folder.names(in: folder) where name.hasSuffix(".vcf") { unlink(folder + "/" + name) }
  }

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
