import AddressBookModel
import Contacts
import GRDB
import Glibc
import SystemCalls

extension AddressBook {
  /// Writes the whole book, as it is now, to one file (mode 0600). Others may write to the book in the meantime.
  /// - Parameters:
  ///   - path: the file; it gets its name when it is complete and flushed.
  ///   - isReplacing: true to replace an existing file.
  ///   - isCancelled: called often, on this thread; true ends the work with `StoreError.cancelled`.
  ///   - onProgress: called from time to time with the completed fraction, 0 to 1.
  /// - Throws: `BackupError`, `FileFailure`, `StoreError`. Any existing file is then unchanged, unless only the folder
  ///   could not be flushed.
  public func backUp(
    to path: String, isReplacing: Bool = false, isCancelled: @escaping () -> Bool = { false },
    onProgress: @escaping (Double) -> Void = { _ in }
  ) throws {
    if Self.isOpen(path: path) { throw BackupError(.isBook, path: path) }
    if !isReplacing, stat(of: path, followsLinks: false)?.isFolder == false {
      throw BackupError(.exists, path: path)
    }
    // If the file is a book that others have open, its log would not belong to the new file.
    if FileBytes.count(of: path + "-wal") > 0 { throw BackupError(.inUse, path: path) }
    let file = try FileReplacement(path: path)
    try copy(to: file, path: path, isCancelled: isCancelled, onProgress: onProgress)
    try file.commit()
  }

  /// Writes the book into a file that is not committed yet.
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

  /// Returns the automatic backups of a book, the newest day first.
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
  /// When it was made, ISO 8601 in UTC; empty if the file is missing.
  public let made: String
  /// The number of contacts in it; nil when it cannot be read.
  public let contacts: Int?

  init(path: String) {
    self.path = path
    let status = stat(of: path)
    bytes = status.map { Int($0.st_size) } ?? 0
    made = status.map { Timestamp.text(secondsSince1970: $0.st_mtim.tv_sec) } ?? ""
    contacts = BackupFile(path)?.contactCount
  }
}
