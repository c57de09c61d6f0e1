import Contacts
import GRDB
import Glibc
import SystemCalls

/// Checks a book's file before SQLite opens it, so that no file of another program is written to.
///
/// SQLite's format: https://www.sqlite.org/fileformat2.html#the_database_header
package enum StoreFile {
  package enum State: Hashable {
    /// No file, an empty one that may become a book, or one whose very first write was interrupted.
    case fresh(exists: Bool)
    /// A book, with the schema version in its header. The write-ahead log may contain a later version.
    case book(schema: Int32)
  }

  private static let magic = Array("SQLite format 3\u{0}".utf8)
  private static let journalMagic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// Reads the header and determines the state of the file.
  /// - Parameter isCopy: true for a file that is only read, such as a backup: it may have several names.
  /// - Throws: `StoreError` for everything that must not be opened.
  package static func inspect(_ location: StoreLocation, isCopy: Bool = false) throws(StoreError) -> State {
    guard let path = location.path else { return .fresh(exists: false) }
    guard let status = stat(of: path) else {
      switch errno {
      case ENOENT:
        // For a new file, SQLite would delete the log, and all its contents.
        if logSize(of: path) > 0 { throw StoreError(.emptied, path: path) }
        return .fresh(exists: false)
      case ENOTDIR: throw StoreError(.missingFolder, path: location.folder ?? path)
      case EACCES, ELOOP, ENAMETOOLONG: throw StoreError(.unreadable, path: path, detail: reasonOfLastError())
      default: throw StoreError(.inputOutput, path: path, detail: reasonOfLastError())
      }
    }
    guard status.isFile else { throw StoreError(.notAFile, path: path) }
    // SQLite names the log after the file: with two names, a book could have two logs.
    if !isCopy, status.st_nlink > 1, !hasOneNameNow(path) { throw StoreError(.severalNames, path: path) }
    if status.st_size == 0 {
      // For an empty file, SQLite would delete the write-ahead log, and all its contents.
      if logSize(of: path) > 0 || hasBackups(location) { throw StoreError(.emptied, path: path) }
      return .fresh(exists: true)
    }
    if isUnfinishedFirstWrite(path) { return .fresh(exists: true) }
    let header = try read(path, count: 100)
    guard header.count == 100, Array(header[0..<16]) == magic else {
      throw StoreError(.notADatabase, path: path)
    }
    guard number(header, 68) == UInt32(bitPattern: Schema.applicationID) else { throw StoreError(.foreign, path: path) }
    let schema = Int32(bitPattern: number(header, 60))
    guard schema <= Schema.version else { throw StoreError(.newerSchema, path: path) }
    if isCutShort(header, size: Int(status.st_size), path: path) { throw StoreError(.damaged, path: path) }
    return .book(schema: schema)
  }

  /// Inspects the file unless this process has it open: its header was checked when it was first opened.
  /// - Returns: the state of the file; nil if this process has it open.
  /// - Throws: `StoreError.severalNames` if it is open under another name (a hard link), and errors for files that must
  ///   not be opened.
  static func inspectUnlessOpen(_ location: StoreLocation) throws(StoreError) -> State? {
    guard let path = location.path else { return .fresh(exists: false) }
    func check(_ opened: String) throws(StoreError) {
      guard opened == RealPath.target(of: path) else { throw StoreError(.severalNames, path: path) }
    }
    return try HeldFiles.ifClosed(path, orElse: check) { () throws(StoreError) in try inspect(location) }
  }

  /// Returns whether the other name was left by a restore that was killed, and could be removed.
  private static func hasOneNameNow(_ path: String) -> Bool {
    do {
      try BookExchange.recoverInterrupted(path: RealPath.target(of: path))
    } catch {
      return false
    }
    return stat(of: path).map { $0.st_nlink < 2 } ?? false
  }

  /// Returns true if this process can write to the file and its folder, where SQLite puts the additional files.
  static func isWritable(_ location: StoreLocation, exists: Bool) -> Bool {
    guard let path = location.path else { return true }
    let target = RealPath.target(of: path)
    return access(Folder.split(target).folder, W_OK) == 0 && (!exists || access(target, W_OK) == 0)
  }

  /// Creates the folder of the default book (0700) and an empty file (0600) if they are missing. The additional files
  /// get the mode of the file, so they are private whatever the umask is.
  static func prepare(_ location: StoreLocation) throws(StoreError) {
    guard let path = location.path, let folder = location.folder else { return }
    if let status = stat(of: folder) {
      guard status.isFolder else { throw StoreError(.missingFolder, path: folder) }
    } else {
      guard !location.isExplicit else { throw StoreError(.missingFolder, path: folder) }
      do {
        try PrivateFolder.make(folder)
      } catch {
        throw StoreError(.cannotMakeFolder, path: error.path, detail: error.message)
      }
    }
    let descriptor = open(RealPath.target(of: path), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      switch errno {
      case ENOSPC, EDQUOT, EFBIG: throw StoreError(.diskFull, path: path)
      case EACCES, EPERM, EROFS: throw StoreError(.readOnly, path: folder)
      default: throw StoreError(.unreadable, path: path, detail: reasonOfLastError())
      }
    }
  }

  /// Returns the size of a book's write-ahead log in bytes; 0 if there is none.
  package static func logSize(of path: String) -> Int { FileBytes.count(of: RealPath.target(of: path) + "-wal") }

  /// Returns true if a book has a write-ahead log with contents that belongs to it. This process must not have it open.
  package static func hasOwnLog(_ path: String) -> Bool {
    logSize(of: path) > 0 && !ForeignLog.isBeside(RealPath.target(of: path))
  }

  private static func read(_ path: String, count: Int) throws(StoreError) -> [UInt8] {
    // A pipe or a device created since `stat` must not make the program wait.
    guard let file = ReadableFile(path) else {
      throw StoreError(
        errno == EMFILE || errno == ENFILE ? .outOfResources : .unreadable, path: path, detail: reasonOfLastError())
    }
    let bytes = file.bytes(upTo: count)
    if bytes.count < count, errno != 0 { throw StoreError(.inputOutput, path: path, detail: reasonOfLastError()) }
    return bytes
  }

  /// Returns true after a crash during the very first write: the rollback journal will empty the file, whatever its
  /// state.
  private static func isUnfinishedFirstWrite(_ path: String) -> Bool {
    guard let journal = try? read(RealPath.target(of: path) + "-journal", count: 28), journal.count == 28 else {
      return false
    }
    return Array(journal[0..<8]) == journalMagic && number(journal, 16) == 0
  }

  /// Returns true for a truncated file: shorter than its header says, without a write-ahead log that could complete it.
  private static func isCutShort(_ header: [UInt8], size: Int, path: String) -> Bool {
    let stored = Int(header[16]) << 8 | Int(header[17])
    let pageSize = stored == 1 ? 65_536 : stored
    guard number(header, 24) == number(header, 92) else { return false }
    return size < Int(number(header, 28)) * pageSize && logSize(of: path) == 0
  }

  /// Returns true if there is a backup of the book, or a copy of an older schema (``SchemaBackup``).
  private static func hasBackups(_ location: StoreLocation) -> Bool {
    guard let path = location.path else { return false }
    return !SchemaBackup.existing(of: path).isEmpty || !BackupFolder(location).paths.isEmpty
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func reasonOfLastError() -> String { String(cString: strerror(errno)) }
}

/// A file that SQLite reads while nobody writes to it: without locks, and without files beside it
/// (https://www.sqlite.org/uri.html#uriimmutable).
package enum ImmutableFile {
  /// Returns the name to give to SQLite, a URI.
  static func name(of path: String) -> String {
    "file:" + PercentEncoding.encode(path.utf8, keeping: ##"!"$&'()*+,-./:;<=>@[\]^_`{|}~"##) + "?immutable=1"
  }

  /// Opens a connection to a file that nobody writes to. A write-ahead log beside it is ignored.
  /// - Parameter cache: the size of the page cache in KiB; nil for the small one of a read-only connection.
  package static func open(_ path: String, cache: Int? = nil) throws -> DatabaseQueue {
    var configuration = StoreConfiguration().connection(readonly: true)
    if let cache { configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(cache)") } }
    return try DatabaseQueue(path: name(of: path), configuration: configuration)
  }
}
