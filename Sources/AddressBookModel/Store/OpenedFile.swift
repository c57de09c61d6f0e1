import GRDB
import GRDBSQLite
import Glibc
import Synchronization
import SystemCalls

/// The files of an open book, and whether they are still the ones that were opened.
///
/// SQLite resolves a name only when it opens a file. If the book is moved, deleted or replaced, or a clean-up deletes
/// its write-ahead log, SQLite would continue to write to files that no longer have a name; if another file is copied
/// over the book, SQLite would mix the pages of both. So a store checks the files before each write and after each
/// commit. Once a problem is found, the book is not writable until it is opened again.
///
/// A file that was copied over keeps its inode, but its modification time changes: in WAL mode only a checkpoint writes
/// to the file, and each one leaves its mark in the index of the log (https://www.sqlite.org/walformat.html#walidxfmt).
/// If the file changes but the mark does not, another program wrote to it, unless only its times were set, as `touch`
/// does. The log, whose pages belong to the previous contents of the file, is then renamed, and this process does not
/// copy it into the file.
package final class OpenedFile: Sendable {
  private struct State {
    /// The state of the file when no checkpoint was running, with the mark of the last checkpoint.
    var lastStamp: (mark: CheckpointMark, stamp: FileStamp)?
    var loss: StoreError.Reason?
    /// True if another file was copied over the book.
    var isOverwritten = false
    var onLoss: (@Sendable (StoreError) -> Void)?
  }

  /// The name that was opened; if it is a symbolic link, its target may change.
  private let path: String
  /// The path without symbolic links.
  private let target: String
  /// The write-ahead log and its index. SQLite puts them next to the link's target.
  private let sidePaths: [String]
  private let identity: FileIdentity
  /// The files at `sidePaths` after SQLite had opened them.
  private let sideFiles: [FileIdentity?]
  /// The events of the file; nil if the system cannot watch it. A new modification time means that the file was written
  /// to, or that its times were set: the events distinguish the two.
  private let events: FileWatch?
  private let state = Mutex(State())

  /// Identifies the files that a connection has open.
  /// - Parameter db: a connection inside a read or write transaction.
  /// - Throws: `StoreError` if the files at the path are not the ones that the connection has open.
  init(path: String, _ db: Database) throws {
    guard let identity = FileIdentity(of: path) else { throw StoreError(.removed, path: path) }
    self.path = path
    self.identity = identity
    target = RealPath.target(of: path)
    sidePaths = [target + "-wal", target + "-shm"]
    sideFiles = sidePaths.map { FileIdentity(of: $0) }
    let watch = FileWatch()
    events = watch?.add(target, IN_MODIFY, IN_ATTRIB) == true ? watch : nil
    // The connection has the file with that name open, unless the file was replaced just now.
    if Self.hasMoved(db) { throw StoreError(.replaced, path: path) }
    try check(db)
  }

  /// Calls the closure once, from any thread, when a check finds that the files are no longer those that were opened;
  /// immediately, if one has found that before.
  func onLoss(_ body: @escaping @Sendable (StoreError) -> Void) {
    let known = state.withLock { state -> StoreError.Reason? in
      state.onLoss = body
      return state.loss
    }
    if let known { body(StoreError(known, path: path)) }
  }

  /// The first problem that a check found; nil if none did.
  var loss: StoreError.Reason? { state.withLock { $0.loss } }

  /// The path of the write-ahead log.
  var log: String { sidePaths[0] }

  /// The size of the write-ahead log in bytes.
  var logSize: Int { FileBytes.count(of: log) }

  /// Returns true if the next write begins a log, unless someone still reads this one: all of it is in the file.
  /// - Parameter db: a connection inside an IMMEDIATE transaction.
  func beginsLog(_ db: Database) -> Bool { CheckpointMark(db)?.isWholeLogCopied ?? false }

  // MARK: - Checking

  /// Checks the files. Takes a few microseconds.
  /// - Parameter db: a connection inside a transaction, or just after one.
  /// - Throws: `StoreError` with `replaced`, `removed` or `logRemoved`; the first one found is thrown from then on.
  func check(_ db: Database) throws {
    if let loss { throw StoreError(loss, path: path) }
    // Check this before the log: another process of ours may already have renamed the log.
    if hasForeignWrite(db) { throw overwrittenError() }
    try checkNames()
  }

  /// Returns true if the file has the inode of the opened one, but another program wrote to it.
  private func hasForeignWrite(_ db: Database) -> Bool {
    // Several connections may read at once, but events are reported only once.
    return state.withLock { state in
      guard let mark = CheckpointMark(db), mark.isSettled, let stamp = FileStamp(of: path), stamp.identity == identity
      else {
        return false
      }
      if let known = state.lastStamp, known == (mark, stamp) { return false }
      let changes = changes
      // A checkpoint may have begun since the mark was read; then the mark has changed, and the result is inconclusive.
      guard mark == CheckpointMark(db) else { return false }
      if let known = state.lastStamp, known.mark == mark {
        guard changes == [UInt32(IN_ATTRIB)], known.stamp.size == stamp.size else { return true }
      }
      state.lastStamp = (mark, stamp)
      return false
    }
  }

  /// The kinds of events since the last call. None were reported if a program writes through a mapping; `IN_ATTRIB` alone
  /// means that only times, owner, mode or number of links were changed.
  private var changes: Set<UInt32> { Set(events?.next().map(\.mask) ?? []) }

  func checkNames() throws {
    if let loss { throw StoreError(loss, path: path) }
    guard let present = FileIdentity(of: path) else { throw found(.removed) }
    guard present == identity else {
      // If this process has the new file open, too, it looked at the log before.
      if !AddressBook.isOpen(path: target) { setLogAside { try BookExchange.keepingOthersOut(of: target, $0) } }
      throw found(.replaced)
    }
    for (name, opened) in zip(sidePaths, sideFiles) where opened != nil {
      if FileIdentity(of: name) != opened { throw found(.logRemoved) }
    }
  }

  /// Checks that a new connection has the same file as the others.
  func checkConnection(_ db: Database) throws {
    try checkNames()
    if Self.hasMoved(db) { throw found(.replaced) }
  }

  /// True if the file was moved away without its log, which may have been renamed since, and nobody wrote to the file
  /// there.
  var isLogLeftBehind: Bool {
    guard loss == .replaced || loss == .removed, !isOverwritten, FileIdentity(of: path) != identity,
      let log = sideFiles[0], changes.isSubset(of: [UInt32(IN_ATTRIB)])
    else { return false }
    let (folder, name) = Folder.split(sidePaths[0])
    return Folder.names(in: folder).contains { $0.hasPrefix(name) && FileIdentity(of: folder + "/" + $0) == log }
  }

  /// True if another file was copied over the book: nothing must be copied into it from the log.
  var isOverwritten: Bool { state.withLock { $0.isOverwritten } }

  private func overwrittenError() -> StoreError {
    let isFirst = state.withLock { state in
      defer { state.isOverwritten = true }
      return !state.isOverwritten
    }
    // Others cannot be kept out of a file that is open here: closing another descriptor would drop SQLite's locks.
    if isFirst { setLogAside { try $0() } }
    return found(.replaced)
  }

  /// Renames the log, because a program that opens the file with this name now would apply it.
  /// - Parameter guarded: calls its argument while no process can open that file.
  private func setLogAside(_ guarded: (() throws -> Void) throws -> Void) {
    func isInPlace() -> Bool {
      sideFiles[0] != nil && FileIdentity(of: sidePaths[0]) == sideFiles[0] && logSize > 0
    }
    guard isInPlace() else { return }
    do {
      try guarded { if isInPlace() { _ = try ForeignLog.rename(logOf: target) } }
    } catch {
      // Whoever opens the new file tries again.
    }
  }

  private func found(_ reason: StoreError.Reason) -> StoreError {
    let (first, onLoss) = state.withLock { state -> (StoreError.Reason, (@Sendable (StoreError) -> Void)?) in
      if let known = state.loss { return (known, nil) }
      state.loss = reason
      return (reason, state.onLoss)
    }
    let error = StoreError(first, path: path)
    onLoss?(error)
    return error
  }

  /// Returns true if the file of a connection no longer has its name (SQLITE_FCNTL_HAS_MOVED).
  private static func hasMoved(_ db: Database) -> Bool {
    var answer: Int32 = 0
    let code = sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
    return code == SQLITE_OK && answer != 0
  }
}

/// How far the write-ahead log has been copied into the file, as seen by all connections of all processes.
private struct CheckpointMark: Equatable {
  /// Different each time the log restarts.
  private let salt: UInt64
  private let copied: UInt32
  private let attempted: UInt32
  private let frames: UInt32

  /// False while a checkpoint is writing, and after an interrupted one.
  var isSettled: Bool { copied == attempted }

  var isWholeLogCopied: Bool { copied == frames }

  static func == (left: Self, right: Self) -> Bool {
    (left.salt, left.copied, left.attempted) == (right.salt, right.copied, right.attempted)
  }

  /// Returns nil if the connection has no index of the log.
  init?(_ db: Database) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
      let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2, let map = methods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    guard map(file, 0, 32_768, 0, &region) == SQLITE_OK, let region else { return nil }
    frames = region.load(fromByteOffset: 16, as: UInt32.self)
    salt = region.load(fromByteOffset: 32, as: UInt64.self)
    copied = region.load(fromByteOffset: 96, as: UInt32.self)
    attempted = region.load(fromByteOffset: 128, as: UInt32.self)
  }
}
