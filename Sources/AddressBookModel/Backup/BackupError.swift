/// Why a backup was not made, or not restored. Nothing was changed.
public struct BackupError: Error, Hashable, Sendable {
  /// What happened.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// A file of this name already exists.
    case exists
    /// The file is a book with a write-ahead log beside it: a program may have it open.
    case inUse
    /// The file belongs to an open book, or is the book itself.
    case isBook
    /// There is no such file.
    case missing
    /// The file is not a book.
    case notABook
    /// The file, or a copy of the book, is damaged.
    case damaged
    /// There is not enough space for another backup.
    case noSpace
  }

  /// What happened.
  public let reason: Reason
  /// The file; for `noSpace`, the folder of the backups.
  public let path: String

  init(_ reason: Reason, path: String) {
    self.reason = reason
    self.path = path
  }

  /// Returns a message that says what happened, where, and what to do.
  /// - Parameter localization: the language of the message.
  public func message(in localization: Localization) -> String {
    localization.text("ErrorString/backup.\(reason.rawValue)", path)
  }
}

extension BackupError: CustomStringConvertible {
  /// The message in the user's language.
  public var description: String { message(in: .shared) }
}
