import Dispatch
import GRDB
import Synchronization
import SystemCalls

/// One SQLite file (or a book in memory) and its connections: opened with checks, read in snapshots, written in
/// IMMEDIATE transactions, checkpointed when closed.
package final class Store: Sendable {
  enum Access: Sendable {
    /// For reading and writing, with several readers at once; falls back to reading if the file cannot be written.
    case readWrite
    /// For reading, with one connection. An outdated schema and outdated derived columns are updated first.
    case readOnly
  }

  /// How long a write waits for other writers.
  package enum Waiting: Sendable {
    /// ``StoreConfiguration/busyTimeout`` for another process; without limit for another thread of this process.
    case usual
    /// A fifth of a second for another process, and for another thread. For threads that must not block for long.
    case briefly
  }

  package let location: StoreLocation
  /// Why the book cannot be changed; nil if it can.
  package let readOnlyReason: StoreError.Reason?
  var isReadOnly: Bool { readOnlyReason != nil }
  package let database: any DatabaseWriter
  /// Contacts that were read and do not match their checksums.
  package let damage = DamageLog()
  /// The number of writes of so many contacts that they left the checksums to
  /// ``AddressBook/completeChecksums(isCancelled:)``, since that was last done.
  let uncheckedWrites = Mutex(0)
  /// The identity of the file; nil if there is none.
  package let identity: FileIdentity?
  /// The files of a writable book; nil for a book in memory and for one that is only read.
  private let file: OpenedFile?
  /// The new name of a log of another file, which was beside the book when it was opened.
  let renamedLog = Mutex<String?>(nil)
  private let isClosed = Mutex(false)
  /// Held by the thread that writes. Unlike GRDB's queue, it can be waited for with a timeout.
  private let writer = DispatchSemaphore(value: 1)
  private static let shortTimeout = 200

  init(
    location: StoreLocation, readOnlyReason: StoreError.Reason?, database: any DatabaseWriter, file: OpenedFile? = nil
  ) {
    self.location = location
    self.readOnlyReason = readOnlyReason
    self.database = database
    self.file = file
    self.identity = location.path.flatMap(HeldFiles.add)
  }

  deinit { close() }

  // MARK: - Reading and writing

  /// Reads in one snapshot of the book.
  package func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      try checkOpen()
      return try database.read(body)
    } catch {
      throw storeError(error)
    }
  }

  /// Reads the values of a query with one column.
  package func values<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ sql: String, _ arguments: StatementArguments = []
  ) throws(StoreError) -> [Value] {
    try read { try Value.fetchAll($0, sql: sql, arguments: arguments) }
  }

  /// Writes in one IMMEDIATE transaction: all of it or nothing.
  package func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try transaction(body)
    } catch {
      throw storeError(error)
    }
  }

  /// Like ``write(_:)``, but does not convert errors, so that the caller's own pass through.
  /// - Parameters:
  ///   - isBulk: true for a write of many contacts. It caches up to 64 MiB of pages: with a small cache, writes in
  ///     random order would write the same pages to the log again and again.
  ///   - isTrial: true to roll everything back at the end, for a dry run.
  ///   - raisesVersions: true if the body increments the version of every contact that it writes, or whose parts it
  ///     writes; otherwise triggers do.
  ///   - waiting: how long to wait for other writers in any process.
  package func transaction<Value>(
    isBulk: Bool = false, isTrial: Bool = false, raisesVersions: Bool = false, waiting: Waiting = .usual,
    _ body: (Database) throws -> Value
  ) throws -> Value {
    try checkWritable()
    return try taking(waiting) { db in
      if isBulk { try db.execute(sql: "PRAGMA cache_size = -65536") }
      defer {
        if isBulk {
          // A failure only costs memory, and must not hide the result of the write.
          try? StoreConfiguration.limitPageCache(db)
        }
      }
      return try commit(db, isTrial: isTrial) { db in
        let line = try ContactChecksums.line(db)
        if raisesVersions { try OwnVersions.begin(db) }
        let value = try body(db)
        if !isTrial, try !ContactChecksums.set(db, writtenSince: line) { uncheckedWrites.withLock { $0 += 1 } }
        if raisesVersions { try OwnVersions.end(db) }
        return value
      }
    }
  }

  /// Runs one IMMEDIATE transaction on the files that were opened, in the schema that this program knows.
  /// - Throws: `StoreError` if the schema is another one or the files are different, even if they changed during the
  ///   commit: the write is then in files that no one will open.
  private func commit<Value>(
    _ db: Database, isTrial: Bool = false, _ body: (Database) throws -> Value
  ) throws -> Value {
    var value: Value?
    try db.inTransaction(.immediate) {
      try file?.check(db)
      let version = try Int32.fetchOne(db.cachedStatement(sql: "PRAGMA user_version")) ?? 0
      guard version == Schema.version else { throw StoreError(.newerSchema, path: location.path ?? "") }
      if file?.beginsLog(db) == true { try LogMark.renew(db) }
      try CardReading.learn(db)
      value = try body(db)
      return isTrial ? .rollback : .commit
    }
    try file?.check(db)
    guard let value else { throw StoreError(.other, path: location.path ?? "") }
    return value
  }

  /// Writes something small that can be postponed, such as the number that identifies a cache: throws `StoreError.busy`
  /// if other writers take long (``Waiting/briefly``). It is as durable as any other write.
  package func writeUnlessBusy<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      try checkOpen()
      return try taking(.briefly) { db in try commit(db, body) }
    } catch {
      throw storeError(error)
    }
  }

  /// Takes the writing connection, for one thread at a time.
  private func taking<Value>(_ waiting: Waiting, _ body: (Database) throws -> Value) throws -> Value {
    let deadline: DispatchTime = waiting == .usual ? .distantFuture : .now() + .milliseconds(Self.shortTimeout)
    guard writer.wait(timeout: deadline) == .success else { throw StoreError(.busy, path: location.path ?? "") }
    defer { writer.signal() }
    return try database.writeWithoutTransaction { db in
      guard waiting == .briefly else { return try body(db) }
      return try withBusyTimeout(milliseconds: Self.shortTimeout, db) { try body(db) }
    }
  }

  /// Calls `body` when no other thread is writing, and prevents writes during the call. After the timeout it calls
  /// `body` although a thread is still writing.
  func betweenWrites(atMost milliseconds: Int, _ body: () -> Void) {
    let isFree = writer.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
    defer { if isFree { writer.signal() } }
    body()
  }

  private func withBusyTimeout<Value>(milliseconds: Int, _ db: Database, _ body: () throws -> Value) throws -> Value {
    let usual = try Int.fetchOne(db, sql: "PRAGMA busy_timeout") ?? 0
    _ = try Int.fetchOne(db, sql: "PRAGMA busy_timeout = \(milliseconds)")
    let result = Result { try body() }
    _ = try Int.fetchOne(db, sql: "PRAGMA busy_timeout = \(usual)")
    return try result.get()
  }

  /// Converts an error of the database layer; a busy error names the process that holds the lock, if it is known.
  package func storeError(_ error: any Error) -> StoreError {
    let path = location.path ?? ""
    let error = StoreError(error, path: path)
    guard error.reason == .busy, let process = WriteLock.holder(ofBookAt: path) else { return error }
    return StoreError(.busy, path: path, detail: "pid \(process)")
  }

  /// Calls `body` with a reader that sees one snapshot of the book in all its reads, unless the book is in memory and can
  /// be written. If the store has only one connection, `body` sees that snapshot in its other reads too.
  package func withSnapshot<Value>(_ body: (any DatabaseReader) throws -> Value) throws -> Value {
    try checkOpen()
    if let connections = database as? BookDatabase { return try body(connections.makeSnapshot()) }
    guard isReadOnly else { return try body(database) }
    let isNested = try database.writeWithoutTransaction { db in
      let isNested = db.isInsideTransaction
      if !isNested { try db.execute(sql: "BEGIN DEFERRED TRANSACTION") }
      return isNested
    }
    defer {
      // An error may have ended the transaction. It wrote nothing.
      if !isNested {
        try? database.writeWithoutTransaction { if $0.isInsideTransaction { try $0.execute(sql: "ROLLBACK") } }
      }
    }
    return try body(database)
  }

  /// Calls the closure once, from any thread, when a read or a write finds that the book's files are not those that
  /// were opened.
  func onFileLoss(_ body: @escaping @Sendable (StoreError) -> Void) { file?.onLoss(body) }

  /// Checkpoints and truncates the write-ahead log, unless there are writers, or readers of an older snapshot.
  func shortenLog() {
    guard let file, file.loss == nil, file.logSize > 0 else { return }
    do {
      try checkOpen()
      try taking(.briefly) { db in
        try file.check(db)
        // Do most of the work without the write lock.
        let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")
        guard let row, row[0] == 0, row[1] as Int == row[2] as Int else { return }
        _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
    } catch {
      // The log stays as it is until the next time, or until the book is closed.
    }
  }

  /// Releases memory of the book's connections. Call it when the work of opening is done.
  package func releaseMemory() { (database as? BookDatabase)?.releaseMemory() }

  /// Checkpoints the write-ahead log and closes the book. It may be called more than once, and does not wait for
  /// readers elsewhere.
  func close() {
    let first = isClosed.withLock { closed in
      defer { closed = true }
      return !closed
    }
    guard first else { return }
    // What happens to the log depends on the file that has the name now.
    (database as? BookDatabase)?.checkFile()
    if let file, file.isLogLeftBehind { moveLogIntoFile(keepingLog: file.loss == .replaced) }
    do {
      try database.close()
    } catch {
      // A statement is still running on another thread. The complete log stays beside the file, and the next start
      // reads it.
    }
    identity.map(HeldFiles.remove)
  }

  /// Checkpoints the write-ahead log into the file that was opened, wherever it is now. SQLite does this on closing, but
  /// not for a file that was moved.
  private func moveLogIntoFile(keepingLog: Bool) {
    let mode = keepingLog ? "PASSIVE" : "TRUNCATE"
    do {
      try database.writeWithoutTransaction { db in
        try withBusyTimeout(milliseconds: 100, db) { _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(\(mode))") }
      }
    } catch {
      // The log stays where it is, as it does if there is still a reader.
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
