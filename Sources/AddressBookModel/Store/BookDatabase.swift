import CSystem
import GRDB
import GRDBSQLite
import Glibc
import Synchronization

/// The connections to the file of a book: one for the thread that opened it, and a pool for the others, opened
/// on first use.
///
/// The thread that opens a book is usually the one that displays it. Its connection reads the first rows without
/// waiting for a writer to be set up, and later does not wait for another thread's long read. Writes go through the
/// pool. While the pool cannot be opened, the first connection, which can also write, does all the work serially.
final class BookDatabase: DatabaseWriter {
  private let first: DatabaseQueue
  private let file: OpenedFile?
  private let owner = pthread_self()
  private let openPool: @Sendable () throws -> DatabasePool
  private let pool = Mutex<State>(.unopened)

  private enum State {
    case unopened
    case open(DatabasePool)
    case closed
  }

  /// - Parameters:
  ///   - first: a connection that can read and write.
  ///   - file: the opened file, which each synchronous `read` checks; nil for no checks.
  ///   - openPool: opens the connections for other threads and for writes.
  init(first: DatabaseQueue, file: OpenedFile? = nil, openPool: @escaping @Sendable () throws -> DatabasePool) {
    self.first = first
    self.file = file
    self.openPool = openPool
  }

  /// Returns the reader for the calling thread. Another thread may still try to read after the book was closed.
  private func reader() throws -> any DatabaseWriter {
    let isClosed = pool.withLock { state in
      if case .closed = state { return true }
      return false
    }
    if isClosed { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "The book is closed.") }
    return pthread_equal(pthread_self(), owner) != 0 ? first : writer
  }

  private var writer: any DatabaseWriter {
    pool.withLock { state -> any DatabaseWriter in
      switch state {
      case .open(let pool): return pool
      case .closed:
        // GRDB's connections must no longer be used. This new database is empty, so statements fail; it accepts
        // observers, but never calls them.
        return (try? DatabaseQueue()) ?? first
      case .unopened:
        guard let pool = try? openPool() else {
          // If this fails, writes fail too, and report why.
          try? first.inDatabase { try $0.execute(sql: "PRAGMA query_only = 0") }
          return first
        }
        state = .open(pool)
        return pool
      }
    }
  }

  /// Closes the pool's read connections, each of which caches the schema and pages, and limits the caches of the
  /// others. Without a pool, it does nothing.
  func releaseMemory() {
    let pool = self.pool.withLock { state -> DatabasePool? in
      if case .open(let pool) = state { pool } else { nil }
    }
    guard let pool else { return }
    pool.releaseMemoryEventually()
    // A failure only costs memory.
    try? first.inDatabase(StoreConfiguration.limitPageCache)
    try? pool.writeWithoutTransaction(StoreConfiguration.limitPageCache)
  }

  /// Returns a reader that sees one snapshot of the file during its lifetime; without a pool, the first connection.
  func makeSnapshot() throws -> any DatabaseReader {
    guard let pool = writer as? DatabasePool else { return first }
    return try pool.makeSnapshot()
  }
}

extension BookDatabase: DatabaseReader {
  var configuration: Configuration { first.configuration }
  var path: String { first.path }

  /// Checks again whether the file is the one that was opened.
  func checkFile() {
    // Only what `watch` finds matters: a connection that cannot be read is closed like any other.
    try? first.read { watch($0) }
  }

  /// Closes all connections, the writer last. The last one to close checkpoints and removes the log, unless another
  /// file was copied over the book.
  func close() throws {
    let pool = self.pool.withLock { state -> DatabasePool? in
      defer { state = .closed }
      if case .open(let pool) = state { return pool }
      return nil
    }
    if file?.isOverwritten == true {
      try first.writeWithoutTransaction(Self.keepLog)
      try pool?.writeWithoutTransaction(Self.keepLog)
    }
    guard let pool else { return try first.close() }
    pool.invalidateReadOnlyConnections()
    // A statement that is running on another thread keeps its connection open; the log then stays beside the file.
    let failure = Result { try first.close() }
    try pool.close()
    try failure.get()
  }

  private static func keepLog(_ db: Database) throws {
    let code = sqlite_keep_log_when_closing(db.sqliteConnection)
    if code != SQLITE_OK { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  func interrupt() {
    first.interrupt()
    let pool = self.pool.withLock { state -> DatabasePool? in
      if case .open(let pool) = state { return pool }
      return nil
    }
    pool?.interrupt()
  }

  @_disfavoredOverload
  func read<T>(_ value: (Database) throws -> T) throws -> T {
    func body(_ db: Database) throws -> T {
      let result = try value(db)
      watch(db)
      return result
    }
    let reader = try reader()
    guard reader as? DatabaseQueue === first else { return try reader.read(body) }
    return try first.unsafeRead { db in try db.reading { try body(db) } }
  }

  /// Detects early that the file was replaced or copied over. The read does not fail.
  private func watch(_ db: Database) {
    do {
      try file?.check(db)
    } catch {
      // Observers are notified by `OpenedFile.onLoss`, and every write fails with this error.
    }
  }

  func read<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T {
    try await writer.read(value)
  }

  func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) { writer.asyncRead(value) }

  @_disfavoredOverload
  func unsafeRead<T>(_ value: (Database) throws -> T) throws -> T { try reader().unsafeRead(value) }

  func unsafeRead<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T {
    try await writer.unsafeRead(value)
  }

  func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    writer.asyncUnsafeRead(value)
  }

  func unsafeReentrantRead<T>(_ value: (Database) throws -> T) throws -> T { try reader().unsafeReentrantRead(value) }

  func _add<Reducer: ValueReducer>(
    observation: ValueObservation<Reducer>, scheduling scheduler: some ValueObservationScheduler,
    onChange: @escaping @Sendable (Reducer.Value) -> Void
  ) -> AnyDatabaseCancellable {
    writer._add(observation: observation, scheduling: scheduler, onChange: onChange)
  }
}

extension BookDatabase {
  @_disfavoredOverload
  func writeWithoutTransaction<T>(_ updates: (Database) throws -> T) rethrows -> T {
    try writer.writeWithoutTransaction(updates)
  }

  func writeWithoutTransaction<T: Sendable>(_ updates: @Sendable (Database) throws -> T) async throws -> T {
    try await writer.writeWithoutTransaction(updates)
  }

  @_disfavoredOverload
  func barrierWriteWithoutTransaction<T>(_ updates: (Database) throws -> T) throws -> T {
    try writer.barrierWriteWithoutTransaction(updates)
  }

  func barrierWriteWithoutTransaction<T: Sendable>(_ updates: @Sendable (Database) throws -> T) async throws -> T {
    try await writer.barrierWriteWithoutTransaction(updates)
  }

  func asyncBarrierWriteWithoutTransaction(_ updates: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    writer.asyncBarrierWriteWithoutTransaction(updates)
  }

  func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void) {
    writer.asyncWriteWithoutTransaction(updates)
  }

  func unsafeReentrantWrite<T>(_ updates: (Database) throws -> T) rethrows -> T {
    try writer.unsafeReentrantWrite(updates)
  }

  func spawnConcurrentRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    writer.spawnConcurrentRead(value)
  }
}

extension Database {
  /// Calls `body` in a transaction, without setting `query_only` as GRDB does: SQLite would prepare every statement again.
  func reading<Value>(_ body: () throws -> Value) throws -> Value {
    try execute(sql: "BEGIN DEFERRED TRANSACTION")
    do {
      let value = try body()
      try execute(sql: "COMMIT TRANSACTION")
      return value
    } catch {
      // The first error counts. Some errors have ended the transaction already.
      if isInsideTransaction { try? execute(sql: "ROLLBACK TRANSACTION") }
      throw error
    }
  }
}
