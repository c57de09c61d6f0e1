import AddressBookModel
import BookSearching
import CSystem
import GRDB
import Glibc
import SystemCalls

/// Checks a book's file and the files beside it, but not their contents.
struct FileCheck {
  private let location: StoreLocation
  private let path: String
  /// The free space in bytes that is needed in addition to the space for a copy of the book.
  private static let reserve = 64 << 20

  /// - Parameter path: the book, without symbolic links.
  init(_ location: StoreLocation, path: String) {
    self.location = location
    self.path = path
  }

  var findings: [Finding] { permissions + owner + log + leftovers + space + backups }

  /// Returns the files and folders of the book that other users can access, with the modes that they should have. Only
  /// those that this program keeps private are checked.
  func openFiles() -> [(path: String, mode: mode_t)] {
    var expected = ["", "-wal", "-shm", "-journal"].map { (path + $0, mode_t(0o600)) }
    expected += (BackupFolder(location).paths + SchemaBackup.existing(of: path)).map { ($0, 0o600) }
    if !location.isExplicit {
      expected += [location.folder, location.backupFolder].compactMap(\.self).map { ($0, 0o700) }
    }
    return expected.filter { file, mode in stat(of: file).map { $0.st_mode & 0o077 & ~mode != 0 } ?? false }
  }

  private var permissions: [Finding] {
    let files = openFiles().map(\.path)
    return files.isEmpty
      ? [] : [Finding(.permissions, .warning, count: files.count, details: files, isRepairable: true)]
  }

  private var owner: [Finding] {
    guard let status = stat(of: path), status.st_uid != geteuid(), geteuid() != 0 else { return [] }
    return [Finding(.owner, .warning, count: Int(status.st_uid), details: [path])]
  }

  /// A log that no program uses: the program that wrote it ended without closing the book. The log of an empty or missing
  /// file is reported as ``Finding/Kind/emptied``.
  private var log: [Finding] {
    let size = FileBytes.count(of: path + "-wal")
    guard size > 0, FileBytes.count(of: path) > 0, !WriteLock.isOpen(bookAt: path) else { return [] }
    return [Finding(.log, .note, count: size, details: [path + "-wal"])]
  }

  private var leftovers: [Finding] {
    let (folder, name) = Folder.split(path)
    let marks = ["-wal.replaced", ".replaced-", ".damaged-"].map { name + $0 }
    let named = Folder.names(in: folder).filter { file in marks.contains(where: file.hasPrefix) }
    let files = named.map { folder + "/" + $0 } + SchemaBackup.existing(of: path)
    return files.isEmpty ? [] : [Finding(.leftovers, .note, count: files.count, details: files.sorted())]
  }

  private var space: [Finding] {
    var space = statvfs()
    guard let folder = location.folder, statvfs(folder, &space) == 0 else { return [] }
    let needed = FileBytes.count(of: path) + FileBytes.count(of: path + "-wal") + Self.reserve
    let free = Int(space.f_bavail) * Int(space.f_frsize)
    return free < needed ? [Finding(.space, .warning, count: free >> 20, details: [folder])] : []
  }

  private var backups: [Finding] {
    guard FileBytes.count(of: path) > 0, BackupFolder(location).paths.isEmpty else { return [] }
    return [Finding(.noBackup, .note, details: [location.backupFolder ?? ""])]
  }
}

/// Checks the cache files of a book. The program ignores and rebuilds an invalid file.
struct CacheCheck {
  private let paths: [String]

  init(_ location: StoreLocation, path: String) {
    guard let folder = location.cacheFolder, let file = FileIdentity(of: path) else {
      paths = []
      return
    }
    paths = ["index", "lines"].map { "\(folder)/\(file.device)-\(file.inode).\($0)" }
  }

  /// The existing files that are not valid.
  var damaged: [String] { paths.filter { FileIdentity(of: $0) != nil && CacheFile.read($0) == nil } }

  var findings: [Finding] {
    let files = damaged
    return files.isEmpty ? [] : [Finding(.cache, .note, count: files.count, details: files, isRepairable: true)]
  }
}

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
