import Contacts
import GRDB
import Glibc

extension AddressBook {
  /// Writes the whole book, as it is at this moment, into one file (mode 0600). Others may write the book meanwhile.
  /// - Parameters:
  ///   - path: the file; it has its name when it is whole and on the disk.
  ///   - isReplacing: true to replace a file that is there.
  ///   - isCancelled: asked often, from this thread.
  ///   - onProgress: called now and then with the share that is done, 0 to 1.
  /// - Throws: `BackupError`, `FileFailure`, `StoreError`. What was at the path is as it was then.
  public func backUp(
    to path: String, isReplacing: Bool = false, isCancelled: @escaping () -> Bool = { false },
    onProgress: @escaping (Double) -> Void = { _ in }
  ) throws {
    if Self.isOpen(path: path) { throw BackupError(.isBook, path: path) }
    var status = stat()
    if lstat(path, &status) == 0, !isReplacing, status.st_mode & S_IFMT != S_IFDIR {
      throw BackupError(.exists, path: path)
    }
    // A book that others have open would come by a file whose log it is not.
    if StoreFile.size(of: path + "-wal") > 0 { throw BackupError(.inUse, path: path) }
    let file = try FileReplacement(path: path)
    try copy(to: file, path: path, isCancelled: isCancelled, onProgress: onProgress)
    try file.commit()
  }

  /// Writes the book into a file that has no name yet.
  func copy(
    to file: FileReplacement, path: String, isCancelled: @escaping () -> Bool,
    onProgress: @escaping (Double) -> Void = { _ in }
  ) throws {
    do {
      try store.database.read { db in
        try BookCopy.write(db, to: file, path: path, isCancelled: isCancelled, onProgress: onProgress)
      }
    } catch let failure as FileFailure {
      throw failure
    } catch {
      throw store.storeError(error)
    }
  }

  /// The automatic backups of a book, the newest day first.
  public static func backups(of location: StoreLocation) -> [BackupSummary] {
    BackupFolder(location).paths.map(BackupSummary.init)
  }
}

/// An automatic backup.
public struct BackupSummary: Hashable, Sendable {
  /// The file.
  public let path: String
  /// Its size in bytes.
  public let bytes: Int
  /// When it was made, ISO 8601 in UTC.
  public let made: String
  /// Contacts in it; nil when it cannot be read.
  public let contacts: Int?

  init(path: String) {
    self.path = path
    var status = stat()
    let isThere = stat(path, &status) == 0
    bytes = isThere ? Int(status.st_size) : 0
    made = isThere ? Timestamp.text(secondsSince1970: status.st_mtim.tv_sec) : ""
    contacts = BackupFile(path)?.contactCount
  }
}
