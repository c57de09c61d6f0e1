import AddressBookModel
import Contacts
import GRDB
import Glibc
import SystemCalls

/// The automatic backup of a book: one per day, if the book was changed since the last one. Each is checked before it
/// gets its name and before an older one is removed, so that a file that SQLite reports as damaged does not replace a
/// good backup.
public struct AutomaticBackup: Sendable {
  private let book: AddressBook
  private let folder: BackupFolder
  private let count: Int
  /// The space that a backup leaves free on the disk, in bytes.
  private static let reserve = 64 << 20
  /// The largest book that a command backs up before it exits, in bytes.
  private static let fastSize = 4 << 20

  /// - Parameters:
  ///   - book: the book.
  ///   - count: how many backups are kept; 0 makes no backups.
  public init(of book: AddressBook, keeping count: Int) {
    self.book = book
    self.count = count
    folder = BackupFolder(book.location)
  }

  /// True when a backup is too fast for the user to notice.
  public var isFast: Bool { book.location.path.map { FileBytes.count(of: $0) <= Self.fastSize } ?? false }

  /// Makes the backup of a day, if it is due.
  /// - Parameters:
  ///   - day: today.
  ///   - isThorough: true to compare all contacts with their checksums too. If some differ, they are added to the
  ///     book's `DamageLog`, and no older backup is removed.
  ///   - isCancelled: called often; true ends the work with `CancellationError` or `StoreError.cancelled`.
  /// - Returns: the file that was made; nil when none was due, the book is read-only or no backups are kept.
  /// - Throws: `BackupError`, `FileFailure`, `StoreError`, `CancellationError`. The backups are then unchanged, unless
  ///   only the folder could not be flushed or an old backup could not be removed.
  @discardableResult
  public func run(
    on day: CalendarDay, isThorough: Bool = false, isCancelled: @escaping () -> Bool = { false }
  ) throws -> String? {
    guard count > 0, !book.isReadOnly, let path = folder.path(of: day), let parent = folder.path else { return nil }
    guard FileIdentity(of: path) == nil, try isChanged() else { return nil }
    try PrivateFolder.make(parent)
    try checkSpace(parent)
    let file = try FileReplacement(path: path)
    try book.copy(to: file, path: path, isCancelled: isCancelled)
    let damaged = try file.fill { temporary in
      // Check the indexes too: checksums do not reveal that a damaged index leaves out contacts.
      if try !FileIntegrity.isIntact(temporary, isThorough: true, isCancelled: isCancelled) {
        throw BackupError(.damaged, path: book.location.path ?? "")
      }
      return isThorough ? try FileIntegrity.damagedContacts(temporary, isCancelled: isCancelled) : []
    }
    if isCancelled() { throw CancellationError() }
    try file.commit()
    for id in damaged { book.damage.note(id, .whole, isDamaged: true) }
    if damaged.isEmpty { try folder.prune(keeping: count, and: path) }
    return path
  }

  /// Returns whether the book has contacts or groups, and changes that the newest backup lacks.
  private func isChanged() throws -> Bool {
    let (isEmpty, state) = try book.store.read { db in
      (try Self.isEmpty(db), try BackupState(db))
    }
    if isEmpty { return false }
    guard let newest = folder.paths.first, let backup = BackupFile(newest) else { return true }
    return backup.state != state
  }

  private static func isEmpty(_ db: Database) throws -> Bool {
    try ["contact", "contact_group", "smart_group"].allSatisfy { table in
      try Int.fetchOne(db, sql: "SELECT 1 FROM \(table) LIMIT 1") == nil
    }
  }

  private func checkSpace(_ parent: String) throws {
    var space = statvfs()
    guard statvfs(parent, &space) == 0, let path = book.location.path else { return }
    let needed = FileBytes.count(of: path) + StoreFile.logSize(of: path) + Self.reserve
    if Int(space.f_bavail) * Int(space.f_frsize) < needed { throw BackupError(.noSpace, path: parent) }
  }
}

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
