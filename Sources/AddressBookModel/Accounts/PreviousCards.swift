import Glibc
import VCard

/// The server's versions of the cards that a sync has replaced or removed. They are the base of a merge if the server's
/// card was also changed. There is one file per UID, until vdirsyncer has uploaded everything. Both cards of a conflict
/// that such a merge left open are kept in the same way.
public struct PreviousCards: Sendable {
  private let folder: String

  /// The folder, beside those of the address books, of the cards of open conflicts.
  public static let conflicts = ".conflicts"

  /// Uses a folder, which need not exist.
  public init(folder: String) { self.folder = folder }

  /// Keeps a card that is about to be replaced, unless it has no UID or an older version of it is already kept.
  func save(_ bytes: [UInt8]) throws(FileFailure) {
    guard let path = path(of: bytes), access(path, F_OK) != 0 else { return }
    try write(bytes, path)
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
    let file = try FileReplacement(path: path)
    try file.write(bytes)
    try file.commit()
  }

  /// Returns the kept card with the same UID as this one, of any address book; nil if there is none.
  /// - Parameter folder: the folder that the folders of the address books are in.
  public static func card(like bytes: [UInt8], in folder: String) throws(FileFailure) -> [UInt8]? {
    for name in Folder.names(in: folder).sorted() where !name.hasPrefix(".") {
      if let path = PreviousCards(folder: folder + "/" + name).path(of: bytes), let card = try FileBytes.read(path) {
        return card
      }
    }
    return nil
  }

  /// Removes all kept cards.
  public func clear() {
    for name in Folder.names(in: folder) where name.hasSuffix(".vcf") { unlink(folder + "/" + name) }
  }

  private func path(of bytes: [UInt8], _ suffix: String = ".vcf") -> String? {
    guard let uid = VCardReader.read(bytes).cards.first?.first("UID")?.text, !uid.isEmpty else { return nil }
    let digest = Array(CardIdentity.canonical(uid).utf8).withUnsafeBytes { Checksum.of($0) }
    return folder + "/" + String(digest, radix: 16) + suffix
  }
}
