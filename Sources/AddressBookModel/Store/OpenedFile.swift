import GRDB
import GRDBSQLite
import Glibc
import Synchronization

/// The files of an open book, and whether they are still the ones that were opened.
///
/// SQLite resolves a name only when it opens a file. When the book is moved, deleted or replaced, or a clean-up deletes its
/// write-ahead log, SQLite would go on writing into files that no longer have a name; when another file is
/// copied over the book, it would mix its pages with that file's. So a store asks here before each write and after each
/// commit. Once something was found the book stays unwritable until it is opened again.
///
/// A file that was copied over keeps its inode. Its modification time gives it away: in WAL mode only a checkpoint writes to
/// the file, and each one leaves its mark in the index of the log (https://www.sqlite.org/walformat.html#walidxfmt). If
/// the file changes but the mark does not, another program wrote it, unless only its times were set, as `touch` does.
/// The log, whose pages belong to what the file was, then gets another name, and no connection copies it into the file.
final class OpenedFile: Sendable {
  private struct State {
    /// The file as it was when no checkpoint was under way, with the mark of the last checkpoint.
    var lastStamp: (mark: CheckpointMark, stamp: FileStamp)?
    var loss: StoreError.Reason?
    /// True when another file was copied over the book.
    var isOverwritten = false
    var onLoss: (@Sendable (StoreError) -> Void)?
  }

  /// The name that the book was opened by; a symbolic link may be pointed elsewhere.
  private let path: String
  /// The write-ahead log and its index. SQLite puts them beside the file that a link means.
  private let sidePaths: [String]
  private let identity: FileIdentity
  /// What stood at `sidePaths` when SQLite had opened them.
  private let sideFiles: [FileIdentity?]
  /// Tells whether the file was written to or its times were set; nil where the system cannot.
  private let events: FileEvents?
  private let state = Mutex(State())

  /// The file that a connection has open.
  /// - Parameter db: a connection inside a read or write transaction.
  /// - Throws: `StoreError` when the file was moved away since it was opened.
  init(path: String, _ db: Database) throws {
    guard let identity = StoreFile.identity(of: path) else { throw StoreError(.removed, path: path) }
    self.path = path
    self.identity = identity
    let resolved = realpath(path, nil)
    defer { free(resolved) }
    let target = resolved.map { String(cString: $0) } ?? path
    sidePaths = [target + "-wal", target + "-shm"]
    sideFiles = sidePaths.map { StoreFile.identity(of: $0) }
    events = FileEvents(path: target)
    // The file of that name is the one that the connection has, or it was replaced just now.
    if Self.hasMoved(db) { throw StoreError(.replaced, path: path) }
    try check(db)
  }

  /// Called once, from any thread, when the files are found to be others.
  func onLoss(_ body: @escaping @Sendable (StoreError) -> Void) {
    let known = state.withLock { state -> StoreError.Reason? in
      state.onLoss = body
      return state.loss
    }
    if let known { body(StoreError(known, path: path)) }
  }

  /// What was found; nil while the files are those that were opened.
  var loss: StoreError.Reason? { state.withLock { $0.loss } }

  /// Bytes in the write-ahead log.
  var logSize: Int { StoreFile.size(of: sidePaths[0]) }

  // MARK: - Checking

  /// Looks at the files. Takes some microseconds.
  /// - Parameter db: a connection inside a transaction, or just after one.
  /// - Throws: `StoreError` with `replaced`, `removed` or `logRemoved` once one of them is so.
  func check(_ db: Database) throws {
    if let loss { throw StoreError(loss, path: path) }
    // Check this before the log: another process of ours may already have moved the log aside.
    if wasWrittenByAnother(db) { throw foundOverwritten() }
    try checkNames()
  }

  /// True when the file has the inode of the one that was opened, and somebody else wrote to it.
  private func wasWrittenByAnother(_ db: Database) -> Bool {
    // Several connections read at once, and the events are told only once.
    return state.withLock { state in
      guard let mark = CheckpointMark(db), mark.isSettled, let stamp = FileStamp(path), stamp.identity == identity
      else {
        return false
      }
      if let known = state.lastStamp, known == (mark, stamp) { return false }
      let change = events?.next()
      // A checkpoint may have begun since the mark was read; if so the mark has changed, and this tells nothing.
      guard mark == CheckpointMark(db) else { return false }
      if let known = state.lastStamp, known.mark == mark {
        guard change == .attributesOnly, known.stamp.hasSameSize(as: stamp) else { return true }
      }
      state.lastStamp = (mark, stamp)
      return false
    }
  }

  /// Looks at the names alone.
  func checkNames() throws {
    if let loss { throw StoreError(loss, path: path) }
    guard let present = StoreFile.identity(of: path) else { throw found(.removed) }
    guard present == identity else { throw found(.replaced) }
    for (name, opened) in zip(sidePaths, sideFiles) where opened != nil {
      if StoreFile.identity(of: name) != opened { throw found(.logRemoved) }
    }
  }

  /// A new connection must have the same file as the others.
  func checkConnection(_ db: Database) throws {
    try checkNames()
    if Self.hasMoved(db) { throw found(.replaced) }
  }

  /// True when the log under its name is the one that was opened, and the book's file is not: whoever opens the new file
  /// would take the log for its own.
  var leavesLogToAnother: Bool {
    guard loss == .replaced || loss == .removed, StoreFile.identity(of: path) != identity else { return false }
    return sideFiles[0] != nil && StoreFile.identity(of: sidePaths[0]) == sideFiles[0]
  }

  /// True when another file was copied over the book: nothing may be copied into it from the log.
  var isOverwritten: Bool { state.withLock { $0.isOverwritten } }

  private func foundOverwritten() -> StoreError {
    let isFirst = state.withLock { state in
      defer { state.isOverwritten = true }
      return !state.isOverwritten
    }
    if isFirst { setLogAside() }
    return found(.replaced)
  }

  /// A program that opens the new file would apply this log to it. It is kept: what it holds was acknowledged.
  private func setLogAside() {
    guard sideFiles[0] != nil, StoreFile.identity(of: sidePaths[0]) == sideFiles[0], logSize > 0 else { return }
    var name = sidePaths[0] + ".replaced"
    var number = 1
    while StoreFile.identity(of: name) != nil {
      number += 1
      name = sidePaths[0] + ".replaced\(number)"
    }
    guard rename(sidePaths[0], name) == 0 else { return }
    // The index belongs to the renamed log. Connections that have it keep it.
    if StoreFile.identity(of: sidePaths[1]) == sideFiles[1] { unlink(sidePaths[1]) }
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

  /// True when the file that a connection has open is not the one of its name (SQLITE_FCNTL_HAS_MOVED).
  private static func hasMoved(_ db: Database) -> Bool {
    var answer: Int32 = 0
    let code = sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
    return code == SQLITE_OK && answer != 0
  }
}

/// Which file it is, when it was last written, and its size.
private struct FileStamp: Equatable {
  let identity: FileIdentity
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  func hasSameSize(as other: Self) -> Bool { size == other.size }

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}

/// How far the write-ahead log has been copied into the file, as all connections of all processes see it.
private struct CheckpointMark: Equatable {
  /// Differs for each beginning of the log.
  private let salt: UInt64
  private let copied: UInt32
  private let attempted: UInt32

  /// False while a checkpoint writes, and after one that was interrupted.
  var isSettled: Bool { copied == attempted }

  /// Nil when the connection has no index of the log.
  init?(_ db: Database) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
      let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2, let map = methods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    guard map(file, 0, 32_768, 0, &region) == SQLITE_OK, let region else { return nil }
    salt = region.load(fromByteOffset: 32, as: UInt64.self)
    copied = region.load(fromByteOffset: 96, as: UInt32.self)
    attempted = region.load(fromByteOffset: 128, as: UInt32.self)
  }
}
