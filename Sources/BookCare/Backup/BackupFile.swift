import AddressBookModel
import Contacts
import GRDB
import Glibc
import Messages
import SystemCalls

/// The contact count and state of a backup, which is a book that nobody writes to.
struct BackupFile {
  /// The number of contacts that are not deleted.
  let contactCount: Int
  /// The state, compared with the book's to see whether the book was changed since the backup.
  let state: BackupState

  /// Nil when the file is not a readable book.
  init?(_ path: String) {
    do {
      guard case .book = try StoreFile.inspect(.file(path), isCopy: true) else { return nil }
      let queue = try ImmutableFile.open(path)
      defer { try? queue.close() }
      (contactCount, state) = try queue.read { db in
        (try AddressBook.contactCount(db), try BackupState(db))
      }
    } catch {
      return nil
    }
  }
}

/// Identifies a state of what the user keeps in a book. Every write of a contact adds a line to the change log; the
/// other tables are small, and are compared as they are.
///
/// The state of syncs is left out: with an older one, the next sync merges contacts and files with the same result.
struct BackupState: Hashable {
  private let schema: Int
  private let line: Int64
  private let tables: [[Row]]

  init(_ db: Database) throws {
    schema = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    line = try ContactChecksums.line(db)
    // A backup made by an earlier version lacks some of these tables.
    tables = try ["contact_group", "group_card", "smart_group", "not_same"].filter { try db.tableExists($0) }.map {
      try Row.fetchAll(db, sql: "SELECT * FROM \($0)")
    }
  }
}

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
