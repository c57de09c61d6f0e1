import AddressBookModel
import GRDB
import Glibc
import SystemCalls

/// Replaces a book with a backup. The previous book is kept under another name.
public enum BookRestore {
  /// The result of a restore.
  public struct Result: Hashable, Sendable {
    /// The number of contacts in the restored book.
    public let contacts: Int
    /// The path of the previous book; nil when there was none.
    public let kept: String?
  }

  /// Checks a backup and replaces the book with it. A screen that has the book open notices this and offers to reopen
  /// the book.
  ///
  /// The backup itself is not changed, except that a write-ahead log beside it may be checkpointed into it.
  /// - Parameters:
  ///   - backup: the file.
  ///   - location: the book; this process must not have it open.
  ///   - isCancelled: called often until the book is replaced.
  /// - Throws: `BackupError`, `FileFailure`, `StoreError` (`cancelled` after a cancellation). The book is then
  ///   unchanged.
  public static func run(
    from backup: String, to location: StoreLocation, isCancelled: @escaping () -> Bool = { false }
  ) throws -> Result {
    guard let named = location.path, let folder = location.folder else { throw StoreError(.missingFile, path: "") }
    let path = RealPath.target(of: named)
    if let identity = FileIdentity(of: backup), identity == FileIdentity(of: path) {
      throw BackupError(.isBook, path: backup)
    }
    try ForeignLog.setAside(location)
    try inspect(backup)
    if !location.isExplicit { try PrivateFolder.make(folder) }
    do {
      return try replace(path, with: backup, isCancelled)
    } catch is CancellationError {
      throw StoreError(.cancelled, path: path)
    }
  }

  private static func inspect(_ backup: String) throws {
    let state: StoreFile.State
    do throws(StoreError) {
      state = try StoreFile.inspect(.file(backup), isCopy: true)
    } catch {
      switch error.reason {
      case .missingFolder: throw BackupError(.missing, path: backup)
      case .foreign, .notADatabase, .notAFile: throw BackupError(.notABook, path: backup)
      case .damaged: throw BackupError(.damaged, path: backup)
      default: throw error
      }
    }
    if case .fresh(let exists) = state { throw BackupError(exists ? .notABook : .missing, path: backup) }
  }

  private static func replace(
    _ path: String, with backup: String, _ isCancelled: @escaping () -> Bool
  ) throws -> Result {
    let file = try FileReplacement(path: path)
    try copy(backup, to: file, path: path, isCancelled)
    let contacts = try file.fill { temporary in
      guard try FileIntegrity.isIntact(temporary, isThorough: true, isCancelled: isCancelled),
        let copy = BackupFile(temporary)
      else { throw BackupError(.damaged, path: backup) }
      return copy.contactCount
    }
    try file.sync()
    let kept = BookExchange.keptName(of: path, "replaced")
    let isKept = try BookExchange(path: path).put(file, keeping: kept)
    return Result(contacts: contacts, kept: isKept ? kept : nil)
  }

  /// Copies a backup, including the contents of a write-ahead log beside it.
  private static func copy(
    _ backup: String, to file: FileReplacement, path: String, _ isCancelled: @escaping () -> Bool
  ) throws {
    do {
      let hasLog = StoreFile.hasOwnLog(backup)
      let queue =
        hasLog
        ? try DatabaseQueue(path: backup, configuration: StoreConfiguration().connection())
        : try ImmutableFile.open(backup)
      defer { try? queue.close() }
      try queue.read { try BookCopy.write($0, to: file, path: path, isCancelled: isCancelled) }
    } catch let error where error is FileFailure || error is CancellationError {
      throw error
    } catch {
      let error = StoreError(error, path: backup)
      throw error.reason == .damaged ? BackupError(.damaged, path: backup) : error
    }
  }
}
