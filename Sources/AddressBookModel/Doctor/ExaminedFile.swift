import CSQLiteClosing
import GRDB
import Glibc

/// A book's file as it is examined: nothing is written, neither to the file nor beside it.
struct ExaminedFile {
  /// Without symbolic links.
  let path: String
  private var log: String { path + "-wal" }

  init(path: String) { self.path = BookExchange.target(of: path) }

  /// What changes when somebody writes meanwhile: then what was found may be wrong.
  struct Stamp: Hashable {
    private let values: [Int]

    init(_ paths: [String]) {
      values = paths.flatMap { path -> [Int] in
        var status = stat()
        guard stat(path, &status) == 0 else { return [-1] }
        return [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_ino)]
      }
    }
  }

  var stamp: Stamp { Stamp([path, log]) }

  /// Opens the file to read.
  ///
  /// Without a write-ahead log it is read as it is. A log that nobody uses is read by a connection that excludes others, which needs
  /// no index beside it, and leaves it alone. While others use the book, it is read as any reader does.
  /// - Throws: the database's error.
  func open() throws -> DatabaseQueue {
    if StoreFile.size(of: log) == 0 { return try ImmutableFile.open(path, cache: Self.cache) }
    let hasIndex = StoreFile.identity(of: path + "-shm") != nil
    do {
      return try hasIndex ? openShared() : openAlone()
    } catch let error as DatabaseError where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) {
      // A folder that may not be written: what the log holds is not seen.
      return try ImmutableFile.open(path, cache: Self.cache)
    }
  }

  /// Pages are compared with indexes in random order: 128 MiB.
  private static let cache = 131_072

  private func openShared() throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path, configuration: StoreConfiguration().connection(readonly: true))
    try queue.read { try $0.execute(sql: "PRAGMA cache_size = -\(Self.cache)") }
    return queue
  }

  private func openAlone() throws -> DatabaseQueue {
    var configuration = StoreConfiguration().connection(isExclusive: true)
    configuration.prepareDatabase { db in
      let code = sqlite_keep_log_when_closing(db.sqliteConnection)
      if code != 0 { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
      try db.execute(sql: "PRAGMA query_only = ON; PRAGMA cache_size = -\(Self.cache)")
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}
