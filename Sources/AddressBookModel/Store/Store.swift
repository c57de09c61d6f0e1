import Dispatch
import GRDB
import Synchronization

/// One SQLite file (or a book in memory) and its connections: opened carefully, read in snapshots, written in IMMEDIATE
/// transactions, checkpointed when closed.
final class Store: Sendable {
  /// What the opener wants to do.
  enum Access: Sendable {
    /// Read and write, several readers at once; falls back to reading when the file cannot be written.
    case readWrite
    /// Read with one connection and change nothing, unless the schema or the derived columns are out of date.
    case readOnly
  }

  /// How long a write waits for other writers.
  enum Waiting: Sendable {
    /// As long as ``StoreConfiguration/busyTimeout``.
    case usual
    /// A fifth of a second: for a thread that must not stand still.
    case briefly
  }

  let location: StoreLocation
  /// Why the book cannot be changed; nil when it can.
  let readOnlyReason: StoreError.Reason?
  var isReadOnly: Bool { readOnlyReason != nil }
  let database: any DatabaseWriter
  /// Contacts that were read and do not fit their checksums.
  let damage = DamageLog()
  /// Which file it is; nil for a book in memory.
  let identity: FileIdentity?
  /// Watches over the files of a book that can be written; nil for one in memory or one that is only read.
  private let file: OpenedFile?
  private let isClosed = Mutex(false)
  /// Taken by the thread that writes, so that another can give up waiting for it.
  private let writer = DispatchSemaphore(value: 1)
  private static let briefWait = 200

  init(
    location: StoreLocation, readOnlyReason: StoreError.Reason?, database: any DatabaseWriter, file: OpenedFile? = nil
  ) {
    self.location = location
    self.readOnlyReason = readOnlyReason
    self.database = database
    self.file = file
    self.identity = OpenBooks.add(location.path)
  }

  deinit { close() }

  // MARK: - Reading and writing

  /// Reads in one snapshot of the book.
  func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      try checkOpen()
      return try database.read(body)
    } catch {
      throw storeError(error)
    }
  }

  /// Writes in one IMMEDIATE transaction: all of it or nothing.
  func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try transaction(body)
    } catch {
      throw storeError(error)
    }
  }

  /// The same, for a caller that has errors of its own to hear of.
  /// - Parameters:
  ///   - isBulk: true for a write of many contacts. It has 64 MiB for pages instead of a quarter of one: in random order it
  ///     would otherwise write the same pages to the log again and again.
  ///   - raisesVersions: true when the body raises the version of every contact that it writes, or whose parts it writes;
  ///     else triggers do.
  ///   - waiting: for a writer in this process or another; then the error is `StoreError.busy`.
  func transaction<Value>(
    isBulk: Bool = false, raisesVersions: Bool = false, waiting: Waiting = .usual, _ body: (Database) throws -> Value
  ) throws -> Value {
    try checkWritable()
    return try taking(waiting) { db in
      if isBulk { try db.execute(sql: "PRAGMA cache_size = -65536") }
      defer {
        if isBulk {
          // Only memory is at stake: a failure here must not hide what became of the write.
          try? StoreConfiguration.limitPageCache(db)
        }
      }
      return try commit(db) { db in
        let line = try ContactChecksums.line(db)
        if raisesVersions { try VersionSchema.beginOwnVersions(db) }
        let value = try body(db)
        try ContactChecksums.set(db, writtenSince: line, damage: damage)
        if raisesVersions { try VersionSchema.endOwnVersions(db) }
        return value
      }
    }
  }

  /// One IMMEDIATE transaction on the files that were opened, in the schema that this program knows.
  /// - Throws: `StoreError` when the files are others, also when they became so during the commit: what was written then
  ///   is in none that anybody will open.
  private func commit<Value>(_ db: Database, _ body: (Database) throws -> Value) throws -> Value {
    var value: Value?
    try db.inTransaction(.immediate) {
      try file?.check(db)
      let version = try Int32.fetchOne(db.cachedStatement(sql: "PRAGMA user_version")) ?? 0
      guard version == Schema.version else { throw StoreError(.newerSchema, path: location.path ?? "") }
      value = try body(db)
      return .commit
    }
    try file?.check(db)
    guard let value else { throw StoreError(.other, path: location.path ?? "") }
    return value
  }

  /// Writes something small that can wait for another time, such as the number that a cache is known by: gives up with
  /// `StoreError.busy` after a fifth of a second. It is as durable as any other write.
  func writeUnlessBusy<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      try checkOpen()
      return try taking(.briefly) { db in try commit(db, body) }
    } catch {
      throw storeError(error)
    }
  }

  /// The writing connection, for one thread at a time.
  private func taking<Value>(_ waiting: Waiting, _ body: (Database) throws -> Value) throws -> Value {
    let deadline: DispatchTime = waiting == .usual ? .distantFuture : .now() + .milliseconds(Self.briefWait)
    guard writer.wait(timeout: deadline) == .success else { throw StoreError(.busy, path: location.path ?? "") }
    defer { writer.signal() }
    return try database.writeWithoutTransaction { db in
      guard waiting == .briefly else { return try body(db) }
      return try withBusyTimeout(milliseconds: Self.briefWait, db) { try body(db) }
    }
  }

  /// Calls `body` when no other thread writes, and keeps them from writing meanwhile; sooner when that takes too long.
  func betweenWrites(atMost milliseconds: Int, _ body: () -> Void) {
    let isFree = writer.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
    defer { if isFree { writer.signal() } }
    body()
  }

  /// Runs `body` while the connection waits for other processes no longer than this.
  private func withBusyTimeout<Value>(milliseconds: Int, _ db: Database, _ body: () throws -> Value) throws -> Value {
    let usual = try Int.fetchOne(db, sql: "PRAGMA busy_timeout") ?? 0
    _ = try Int.fetchOne(db, sql: "PRAGMA busy_timeout = \(milliseconds)")
    let result = Result { try body() }
    _ = try Int.fetchOne(db, sql: "PRAGMA busy_timeout = \(usual)")
    return try result.get()
  }

  /// An error of the database layer in terms of this book; a busy one names the process that holds the lock.
  func storeError(_ error: any Error) -> StoreError {
    let path = location.path ?? ""
    let error = StoreError(error, path: path)
    guard error.reason == .busy, let process = WriteLock.holder(ofBookAt: path) else { return error }
    return StoreError(.busy, path: path, detail: "pid \(process)")
  }

  /// A reader that sees one state of the book for as long as it lives, where the store can give one.
  func snapshotReader() throws(StoreError) -> any DatabaseReader {
    guard let connections = database as? BookDatabase else { return database }
    do {
      try checkOpen()
      return try connections.makeSnapshot()
    } catch {
      throw storeError(error)
    }
  }

  /// Called once, from any thread, when a reading or a write finds that the book's files are not those that were opened.
  func onFileLoss(_ body: @escaping @Sendable (StoreError) -> Void) { file?.onLoss(body) }

  /// Moves the write-ahead log into the file and empties it, unless somebody reads an older state or writes.
  func shortenLog() {
    guard let file, file.loss == nil, file.logSize > 0 else { return }
    do {
      try checkOpen()
      try taking(.briefly) { db in
        try file.check(db)
        // Most of it without the write lock.
        let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")
        guard let row, row[0] == 0, row[1] as Int == row[2] as Int else { return }
        _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
    } catch {
      // The log stays as it is until the next time, or until the book is closed.
    }
  }

  /// Gives back what the connections of a book hold that was opened a while ago.
  func giveBackMemory() { (database as? BookDatabase)?.giveBackMemory() }

  /// Moves the write-ahead log into the file and closes. Closing twice is harmless; a reader elsewhere is not waited for.
  func close() {
    let first = isClosed.withLock { closed in
      defer { closed = true }
      return !closed
    }
    guard first else { return }
    // What becomes of the log depends on what stands there now.
    (database as? BookDatabase)?.look()
    if file?.leavesLogToAnother == true { moveLogIntoFile() }
    do {
      try database.close()
    } catch {
      // A statement still runs in another thread. The log stays beside the file, whole, and the next start reads it.
    }
    OpenBooks.remove(identity)
  }

  /// Moves the write-ahead log into the file that was opened, wherever that is now, so that a file which took its name does
  /// not come by the log too. SQLite does it when it closes, but not for a file that was moved.
  private func moveLogIntoFile() {
    do {
      try database.writeWithoutTransaction { db in
        try withBusyTimeout(milliseconds: 100, db) { _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
      }
    } catch {
      // Somebody still reads. The log stays where it is.
    }
  }

  private func checkOpen() throws(StoreError) {
    if isClosed.withLock({ $0 }) { throw StoreError(.closed, path: location.path ?? "") }
  }

  private func checkWritable() throws(StoreError) {
    try checkOpen()
    if let readOnlyReason { throw StoreError(readOnlyReason, path: location.path ?? "") }
  }
}
