import AddressBookModel
import Foundation
import Glibc
import SystemCalls

/// A folder with one vCard in each file, as vdirsyncer and CardDAV programs keep it
/// (https://vdirsyncer.pimutils.org/en/stable/vdir.html).
///
/// A card is a regular file whose name ends in `.vcf`, or a link to one. Everything else is neither read nor touched,
/// apart from the files `displayname` and `color`.
final class CardFolder {
  /// The real path, which identifies the folder in a book.
  let path: String
  private let descriptor: Int32

  init(path given: String) throws(SyncError) {
    guard let real = RealPath.of(given) else {
      let code = errno
      guard code == ENOENT || code == ENOTDIR else { throw Self.unreadable(given, code) }
      throw SyncError(.missing, path: given)
    }
    path = real
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOTDIR { throw SyncError(.notAFolder, path: given) }
      throw Self.unreadable(given, errno)
    }
  }

  deinit { close(descriptor) }

  /// Keeps other syncs out until this object is released. The lock is on the folder itself, and nothing is written into
  /// the folder.
  /// - Throws: `SyncError` if another sync has the lock.
  func lock() throws(SyncError) {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      // A file system without locks: other syncs cannot be kept out.
      if errno == ENOTSUP || errno == ENOLCK || errno == EINVAL { return }
      throw SyncError(.inUse, path: path)
    }
  }

  // MARK: - Reading

  /// Returns the names of the cards, and the names ending in `.vcf` that are not valid UTF-8, both sorted.
  func names() throws(SyncError) -> (cards: [String], others: [String]) {
    var cards: [String] = []
    var others: [String] = []
    do throws(FileFailure) {
      try Folder.forEachName(in: path) { bytes in
        guard bytes.count > 4, bytes.suffix(4).elementsEqual(".vcf".utf8) else { return true }
        guard let name = String(validating: bytes, as: UTF8.self) else {
          others.append(String(decoding: bytes, as: UTF8.self))
          return true
        }
        if stat(of: filePath(name))?.isFile == true { cards.append(name) }
        return true
      }
    } catch {
      throw Self.unreadable(path, error.code)
    }
    return (cards.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }, others.sorted())
  }

  /// Returns the bytes of a file; nil if it does not exist or cannot be read.
  func read(_ name: String) -> [UInt8]? {
    do throws(FileFailure) { return try FileBytes.read(filePath(name)) } catch { return nil }
  }

  /// Returns the digest that shows whether a file has changed.
  static func digest(of bytes: [UInt8]) -> Int64 {
    Int64(bitPattern: bytes.withUnsafeBytes { Checksum.of($0) })
  }

  /// The first nonempty line of the file `displayname`, at most 100 characters; empty if there is none, or if the file
  /// is not UTF-8 or has 4 KiB or more.
  var displayName: String { String((text("displayname") ?? "").prefix(100)) }

  /// The color in the file `color`, `#RRGGBB`; empty if there is no valid one.
  var color: String {
    let color = text("color") ?? ""
    return ContactFolder.isColor(color) ? color : ""
  }

  private func text(_ name: String) -> String? {
    guard let bytes = read(name), bytes.count < 4096, let text = String(validating: bytes, as: UTF8.self) else {
      return nil
    }
    return text.split(whereSeparator: \.isNewline).first.map(String.init)
  }

  // MARK: - Writing

  /// Writes the text of a file, such as `displayname` or `color`; an empty text removes it.
  func setText(_ text: String, _ name: String) throws(SyncError) {
    guard !text.isEmpty else {
      guard unlink(filePath(name)) == 0 || errno == ENOENT else {
        throw SyncError(.unwritable, path: filePath(name), detail: String(cString: strerror(errno)))
      }
      return
    }
    do throws(FileFailure) {
      let target = RealPath.resolved(filePath(name))
      let file = try FileReplacement(path: target, mode: Self.mode(of: target))
      try file.write(Array(text.utf8))
      try file.commit()
    } catch {
      throw SyncError(error)
    }
  }

  /// A file that was written under a temporary name.
  struct Staged {
    fileprivate let file: FileReplacement
    fileprivate let name: String
    fileprivate let known: Int64?
  }

  /// Writes files under temporary names, and then waits until all of them are on the disk, which takes little longer
  /// than waiting for one.
  /// - Parameter files: their bytes and names, and the digest of the file that each replaces; nil if there is none.
  func stage(_ files: [(bytes: [UInt8], name: String, replacing: Int64?)]) throws(SyncError) -> [Staged] {
    do throws(FileFailure) {
      var staged: [Staged] = []
      for (bytes, name, known) in files {
        // The target of a link is replaced, and the link stays.
        let target = known == nil ? filePath(name) : RealPath.resolved(filePath(name))
        // `sync()` does not flush the folder of such a target.
        let isElsewhere = Folder.split(target).folder != path
        let file = try FileReplacement(
          path: target, isDurable: isElsewhere, mode: known == nil ? nil : Self.mode(of: target))
        try file.write(bytes)
        try file.flush()
        staged.append(Staged(file: file, name: name, known: known))
      }
      for item in staged { try item.file.sync() }
      return staged
    } catch {
      throw SyncError(error)
    }
  }

  /// Gives a file its name, unless another program created, changed or removed the file with that name. Call ``sync()``
  /// after the last one.
  /// - Returns: false if another program did; nothing is then written under that name.
  func commit(_ staged: Staged) throws(SyncError) -> Bool {
    guard has(staged.name, staged.known) else { return false }
    do throws(FileFailure) { try staged.file.commit() } catch { throw SyncError(error) }
    return true
  }

  /// Removes a file unless it has changed since it was read.
  /// - Returns: false if another program wrote or removed it in the meantime.
  func remove(_ name: String, known: Int64) throws(SyncError) -> Bool {
    guard has(name, known) else { return false }
    guard unlink(filePath(name)) == 0 || errno == ENOENT else {
      throw SyncError(.unwritable, path: filePath(name), detail: String(cString: strerror(errno)))
    }
    return true
  }

  /// Waits until the names in the folder are on the disk.
  func sync() throws(SyncError) {
    do throws(FileFailure) { try Folder.sync(path) } catch { throw SyncError(error) }
  }

  /// Returns whether a file has a digest; for nil, whether there is no file with this name.
  func has(_ name: String, _ digest: Int64?) -> Bool {
    guard let digest else { return stat(of: filePath(name), followsLinks: false) == nil && errno == ENOENT }
    return read(name).map(Self.digest) == digest
  }

  private func filePath(_ name: String) -> String { path + "/" + name }

  private static func mode(of path: String) -> mode_t? { stat(of: path).map { $0.st_mode & 0o7777 } }

  private static func unreadable(_ path: String, _ code: Int32) -> SyncError {
    SyncError(.unreadable, path: path, detail: String(cString: strerror(code)))
  }
}
