import GRDB
import Glibc

/// Why a book could not be opened, read or written: what happened, where, and (in the message) what to do.
public struct StoreError: Error, Hashable, Sendable {
  /// What happened.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// An SQLite file of another program (its `application_id` is not ours).
    case foreign
    /// Made by a newer version of this program.
    case newerSchema
    /// Made by an older version, and cannot be brought up to date because it cannot be written.
    case olderReadOnly
    /// SQLite finds the file malformed, or it is shorter than it says.
    case damaged
    /// Not an SQLite file at all.
    case notADatabase
    /// The file has no bytes though its journal or its backups say that it had.
    case emptied
    /// Another file stands where the book was opened, or something wrote over it.
    case replaced
    /// The book is no longer where it was opened: the file or its folder was moved or deleted.
    case removed
    /// The write-ahead log of the open book, or its index, was deleted or replaced.
    case logRemoved
    /// The file has several names (hard links), each of which would get a write-ahead log of its own.
    case severalNames
    /// The file or its folder cannot be written.
    case readOnly
    /// The file may not be read.
    case unreadable
    /// The file that was named does not exist.
    case missingFile
    /// The folder of the file does not exist.
    case missingFolder
    /// The folder could not be made.
    case cannotMakeFolder
    /// The path is a folder, a pipe, a device …
    case notAFile
    /// Neither HOME nor an account tells where the book should be.
    case noHome
    /// No space is left, or a quota or a limit of file size is reached.
    case diskFull
    /// Another process held the book longer than the waiting time.
    case busy
    /// The disk or the file system failed.
    case inputOutput
    /// The file system cannot share the file between processes (network or foreign file systems).
    case unsupportedFileSystem
    /// No memory, no threads or no file descriptors are left.
    case outOfResources
    /// A rule of the store was broken, for instance two groups of one name.
    case constraint
    /// The work was cancelled; nothing was written.
    case cancelled
    /// The book was closed before.
    case closed
    /// Anything else; `detail` says it in SQLite's words.
    case other
  }

  /// What happened.
  public let reason: Reason
  /// Path of the book, or the part of it that failed; empty for a book in memory.
  public let path: String
  /// More in the words of the system, for a bug report; may be empty.
  public let detail: String

  /// An error about a book.
  public init(_ reason: Reason, path: String, detail: String = "") {
    self.reason = reason
    self.path = path
    self.detail = detail
  }

  /// Any error that came out of the database layer, in the terms of this type.
  init(_ error: any Error, path: String) {
    switch error {
    case let own as StoreError:
      self = own
    case is CancellationError:
      self.init(.cancelled, path: path)
    case let failure as DatabaseError:
      self.init(
        Self.cause(of: failure, path: path) ?? Self.reason(of: failure), path: path, detail: failure.description)
    default:
      self.init(.other, path: path, detail: String(describing: error))
    }
  }

  /// What lies behind a file that could not be opened or enlarged. SQLite says only that.
  private static func cause(of error: DatabaseError, path: String) -> Reason? {
    guard error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_IOERR else { return nil }
    // The connection that failed has been closed: as many descriptors as it may have wanted.
    if !StoreFile.canOpen(6) { return .outOfResources }
    var space = statvfs()
    guard statvfs(path, &space) == 0 else { return nil }
    let isFull = space.f_bavail == 0 || (space.f_files > 0 && space.f_favail == 0)
    return isFull ? .diskFull : nil
  }

  private static func reason(of error: DatabaseError) -> Reason {
    switch error.resultCode {
    case .SQLITE_FULL: return .diskFull
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: return .busy
    case .SQLITE_CORRUPT: return .damaged
    case .SQLITE_NOTADB: return .notADatabase
    case .SQLITE_READONLY: return .readOnly
    case .SQLITE_PERM, .SQLITE_AUTH: return .unreadable
    case .SQLITE_CANTOPEN: return .unreadable
    case .SQLITE_NOMEM: return .outOfResources
    case .SQLITE_CONSTRAINT: return .constraint
    case .SQLITE_INTERRUPT: return .cancelled
    case .SQLITE_IOERR:
      switch error.extendedResultCode {
      // A write that the system cut short or refused: quota and RLIMIT_FSIZE end up here, not in SQLITE_FULL.
      case .SQLITE_IOERR_WRITE, .SQLITE_IOERR_TRUNCATE, .SQLITE_IOERR_SHMSIZE: return .diskFull
      case .SQLITE_IOERR_SHMMAP, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_LOCK: return .unsupportedFileSystem
      case .SQLITE_IOERR_NOMEM: return .outOfResources
      default: return .inputOutput
      }
    default:
      if error.message?.contains("could not activate WAL Mode") == true { return .unsupportedFileSystem }
      return .other
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// The message in the person's language.
  public var description: String { message(in: .shared) }

  /// What happened, where, and what to do, in one or two sentences.
  /// - Parameter localization: the words to use.
  public func message(in localization: Localization) -> String {
    let place = path.isEmpty ? localization.text("Store/inMemory") : path
    let message = localization.text("ErrorString/store.\(reason.rawValue)", place)
    return detail.isEmpty || !Self.showsDetail.contains(reason) ? message : message + " (" + detail + ")"
  }

  private static let showsDetail: Set<Reason> = [.other, .inputOutput, .cannotMakeFolder, .busy, .constraint]
}
