import AddressBookModel
import Messages
import SystemCalls

/// Why a sync failed. The book has what was done so far; each file is unchanged, or in a state that the next sync
/// expects.
public struct SyncError: Error, Hashable, Sendable {
  /// What happened.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// There is no such folder.
    case missing
    /// There is something other than a folder at the path.
    case notAFolder
    /// The folder cannot be read or watched; `detail` is the system's message.
    case unreadable
    /// A file of the folder, or the copy of one, cannot be written or removed; `detail` is the system's
    /// message.
    case unwritable
    /// There is no home folder for the file that shows that `sync --watch` is running.
    case noHome
    /// Another sync of this folder, or `sync --watch` for this book, is running.
    case inUse
    /// The disk of the book is full.
    case diskFull
    /// Another program was writing to the book for too long.
    case busy
    /// The user canceled.
    case cancelled
  }

  /// What happened.
  public let reason: Reason
  /// The folder, the file or the book.
  public let path: String
  /// The system's message; may be empty.
  public let detail: String

  init(_ reason: Reason, path: String, detail: String = "") {
    self.reason = reason
    self.path = path
    self.detail = detail
  }

  init(_ failure: FileFailure) {
    self.init(.unwritable, path: failure.path, detail: failure.message)
  }

  /// Returns a message that says what happened, where, and what to do.
  /// - Parameter localization: the language of the message.
  public func message(in localization: Localization) -> String {
    localization.text("ErrorString/sync.\(reason.rawValue)", path, detail)
  }
}

extension SyncError: CustomStringConvertible {
  /// The message in the user's language.
  public var description: String { message(in: .shared) }
}
