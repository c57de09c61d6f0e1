import GRDB
import Glibc
import Messages
import SystemCalls

/// Why a book could not be opened, read or written.
public struct StoreError: Error, Hashable, Sendable {
  /// The reasons for a failure.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// An SQLite file of another program (its `application_id` is not ours).
    case foreign
    /// The book was created or migrated by a newer version of this program.
    case newerSchema
    /// The book was created by an older version, and cannot be migrated because it cannot be written.
    case olderReadOnly
    /// The file is malformed, or shorter than its header says, or has values that this program never writes.
    case damaged
    /// Not an SQLite file at all.
    case notADatabase
    /// The book had contents, but the file is empty, with a write-ahead log or a backup beside it, or missing, with a
    /// log.
    case emptied
    /// Another file has replaced the book, or another program wrote over it.
    case replaced
    /// The book is no longer where it was opened: the file or its folder was moved or deleted.
    case removed
    /// The write-ahead log of the open book, or its index, was deleted or replaced.
    case logRemoved
    /// The file has several names (hard links), each of which would have its own write-ahead log.
    case severalNames
    /// The file or its folder cannot be written, or the book was opened only for reading.
    case readOnly
    /// The file cannot be opened, for lack of permission, for example.
    case unreadable
    /// The named file does not exist.
    case missingFile
    /// The folder of the file does not exist, or is not a folder.
    case missingFolder
    /// The folder could not be created.
    case cannotMakeFolder
    /// The path is not a regular file, but a folder, a pipe or a device, for example.
    case notAFile
    /// Neither the environment nor the user's account gives a location for the book.
    case noHome
    /// The path is relative, and the name of the current folder is not UTF-8.
    case currentFolderIsNotText
    /// No space is left, or a quota or a file size limit is reached.
    case diskFull
    /// Another process or thread held the book for longer than the timeout.
    case busy
    /// The disk or the file system failed.
    case inputOutput
    /// The file system cannot share the file between processes, as is the case for some network file systems.
    case unsupportedFileSystem
    /// No memory, threads or file descriptors are left.
    case outOfResources
    /// A constraint of the store was violated, for instance two groups with one name.
    case constraint
    /// The work was canceled; nothing was written.
    case cancelled
    /// The book is already closed.
    case closed
    /// Anything else; see `detail`.
    case other
  }

  /// The reason.
  public let reason: Reason
  /// Path of the book or of the affected file; empty for a book in memory, and for an error without a file.
  public let path: String
  /// Details from the system, for a bug report; may be empty.
  public let detail: String

  /// An error about a book.
  public init(_ reason: Reason, path: String, detail: String = "") {
    self.reason = reason
    self.path = path
    self.detail = detail
  }

  /// Converts any error of the database layer.
  package init(_ error: any Error, path: String) {
    switch error {
    case let own as StoreError:
      // Code that reads values does not know the file.
      self = own.path.isEmpty ? StoreError(own.reason, path: path, detail: own.detail) : own
    case is CancellationError:
      self.init(.cancelled, path: path)
    case let failure as DatabaseError:
      // Without the statement, which says nothing to the user.
      let detail = DatabaseError(resultCode: failure.extendedResultCode, message: failure.message).description
      self.init(Self.cause(of: failure, path: path) ?? Self.reason(of: failure), path: path, detail: detail)
    default:
      self.init(.other, path: path, detail: String(describing: error))
    }
  }

  /// Returns the cause behind SQLite's generic error for a file that could not be opened or enlarged.
  private static func cause(of error: DatabaseError, path: String) -> Reason? {
    guard error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_IOERR else { return nil }
    // The failed connection has been closed, so test as many descriptors as it may have needed.
    if !SystemLimits.canOpen(6) { return .outOfResources }
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
      // A write that the system truncated or refused: quota and RLIMIT_FSIZE cause these errors, not SQLITE_FULL.
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
  /// The message in the user's language.
  public var description: String { message(in: .shared) }

  /// Returns the message: what happened, where, and for most reasons what to do.
  /// - Parameter localization: the language of the message.
  public func message(in localization: Localization) -> String {
    let name = path.isEmpty ? localization.text("Store/inMemory") : path
    let message = localization.text("ErrorString/store.\(reason.rawValue)", name)
    return detail.isEmpty || !Self.showsDetail.contains(reason) ? message : localization.noted(message, detail)
  }

  private static let showsDetail: Set<Reason> = [.other, .inputOutput, .cannotMakeFolder, .busy, .constraint]
}

/// The locks on a book, according to the kernel's table of locks (`/proc/locks`).
package enum WriteLock {
  /// Offset of WAL_WRITE_LOCK in the shared-memory file (https://www.sqlite.org/walformat.html#walidxfmt).
  private static let offset = 120

  /// Returns the process that holds the write lock, for a message to a user who waited too long; nil if there is none
  /// or it is unknown.
  ///
  /// The file is not opened: closing it would drop this process's own locks.
  static func holder(ofBookAt path: String) -> Int? {
    locks(onBookAt: path)?.first { $0.isExclusive && $0.bytes.contains(offset) }?.process
  }

  /// Returns whether any process has the book open; true if the table cannot be read.
  package static func isOpen(bookAt path: String) -> Bool {
    locks(onBookAt: path).map { !$0.isEmpty } ?? true
  }

  private struct Lock {
    let process: Int
    let isExclusive: Bool
    let bytes: ClosedRange<Int>
  }

  private static func locks(onBookAt path: String) -> [Lock]? {
    guard let table = try? FileBytes.all(of: "/proc/locks") else { return nil }
    guard let identity = FileIdentity(of: RealPath.target(of: path) + "-shm") else { return [] }
    return String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap { line in
      // 1: POSIX  ADVISORY  WRITE 1234 08:01:1310722 120 120
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      guard fields.count >= 8, fields[1] == "POSIX", let process = Int(fields[4]),
        let inode = fields[5].split(separator: ":").last.flatMap({ UInt64($0) }), inode == identity.inode,
        let first = Int(fields[6])
      else { return nil }
      let last = Int(fields[7]) ?? Int.max
      return first <= last ? Lock(process: process, isExclusive: fields[3] == "WRITE", bytes: first...last) : nil
    }
  }
}
