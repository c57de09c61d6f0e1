import AddressBookModel
import CSystem
import GRDB
import Glibc
import SystemCalls

/// The file of a book that is being examined. Neither the file nor its write-ahead log is written.
struct ExaminedFile {
  /// The path without symbolic links.
  let path: String
  private var log: String { path + "-wal" }

  init(path: String) { self.path = RealPath.target(of: path) }

  /// Identifies a state of the book and its log. If it changes during an examination, the findings may be wrong.
  struct Stamp: Hashable {
    private let files: [FileStamp?]

    init(_ paths: [String]) { files = paths.map { FileStamp(of: $0) } }
  }

  var stamp: Stamp { Stamp([path, log]) }

  /// Opens the file for reading.
  ///
  /// If there is no write-ahead log, only the file is read. If the log has no index, no other program uses the book: an
  /// exclusive connection reads both, needs no index, and keeps the log when it is closed. If the log has an index, an
  /// ordinary reader opens the book.
  /// - Throws: the database's error.
  func open() throws -> DatabaseQueue {
    if !StoreFile.hasOwnLog(path) { return try ImmutableFile.open(path, cache: Self.cache) }
    let hasIndex = FileIdentity(of: path + "-shm") != nil
    do {
      return try hasIndex ? openShared() : openAlone()
    } catch let error as DatabaseError where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) {
      // The folder is not writable: the contents of the log cannot be read.
      return try ImmutableFile.open(path, cache: Self.cache)
    }
  }

  /// The size of the page cache in KiB. It is large because indexes lead to the pages of tables in random order.
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
