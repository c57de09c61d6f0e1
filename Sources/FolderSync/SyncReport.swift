import AddressBookModel
import Contacts
import Messages
import SystemCalls

/// What a sync did, or would do.
public struct SyncReport: Hashable, Sendable {
  /// How many contacts or files were added, changed and deleted on one side.
  public struct Counts: Hashable, Sendable, Codable {
    /// Those that were not there.
    public internal(set) var added = 0
    /// Those that were there and are different now.
    public internal(set) var changed = 0
    /// Those that are gone.
    public internal(set) var deleted = 0

    /// Creates counts of nothing.
    public init() {}

    /// All of them.
    public var total: Int { added + changed + deleted }

    static func + (left: Counts, right: Counts) -> Counts {
      var sum = left
      sum.added += right.added
      sum.changed += right.changed
      sum.deleted += right.deleted
      return sum
    }
  }

  /// A field that both sides changed, or a contact that one side changed and the other deleted.
  public struct Conflict: Hashable, Sendable {
    /// The UID of the contact.
    public let uid: String
    /// Its displayed name.
    public let name: String
    /// The name of the file.
    public let file: String
    /// Mine is the book's, theirs the folder's.
    public let conflict: MergeConflict
  }

  /// A file that was left alone, or a damaged contact without a file.
  public struct SkippedFile: Hashable, Sendable {
    /// Why.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
      /// It cannot be read, or is not one complete card; it may be half written.
      case unreadable
      /// It has several cards.
      case several
      /// Another file has the same UID, or is paired with its contact.
      case duplicate
      /// Its contact in the book is damaged, and must not be written to the file.
      case damaged
    }

    /// The name of the file; that of the contact if it has no file.
    public let file: String
    /// Why.
    public let reason: Reason
  }

  /// Why nothing was done: too many cards are missing on one side.
  public struct Refusal: Hashable, Sendable {
    /// One side of a sync.
    public enum Side: String, Hashable, Sendable {
      /// The address book.
      case book
      /// The folder.
      case folder
    }

    /// The side on which they are missing.
    public let side: Side
    /// How many are missing.
    public let missing: Int
    /// How many were there after the last sync.
    public let known: Int
  }

  /// The real path of the folder.
  public let folder: String
  /// True for a dry run, which writes nothing.
  public let isDryRun: Bool
  /// The changes to contacts of the book.
  public internal(set) var toBook = Counts()
  /// The changes to files of the folder.
  public internal(set) var toFolder = Counts()
  /// What both sides changed, sorted by file.
  public internal(set) var conflicts: [Conflict] = []
  /// Files that were left alone, sorted by name.
  public internal(set) var skipped: [SkippedFile] = []
  /// Why nothing was done; nil if the sync was done.
  public internal(set) var refused: Refusal?

  /// True if the user has something left to do: open conflicts, or files that were left alone.
  public var isIncomplete: Bool { !skipped.isEmpty || conflicts.contains(where: \.isOpen) }

  /// The report of this sync and of the next one of the folder.
  func followed(by next: SyncReport) -> SyncReport {
    var both = next
    both.toBook = toBook + next.toBook
    both.toFolder = toFolder + next.toFolder
    return both
  }

  init(folder: String, isDryRun: Bool) {
    self.folder = folder
    self.isDryRun = isDryRun
  }

  /// Adds a conflict, unless an earlier pass already added it.
  mutating func add(_ conflict: Conflict) {
    if !conflicts.contains(conflict) { conflicts.append(conflict) }
  }
}

/// The progress of a sync.
public struct SyncProgress: Hashable, Sendable {
  /// The number of cards that were compared.
  public let done: Int
  /// The number of cards that must be compared.
  public let total: Int
}

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
