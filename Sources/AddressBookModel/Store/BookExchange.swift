import GRDB
import Glibc
import SystemCalls

/// Replaces a book with another file while other processes may have it open.
///
/// While SQLite's locks are held, no process can write the book or open it (https://www.sqlite.org/lockingv3.html,
/// https://www.sqlite.org/walformat.html#locks). A process that has the book open notices the new file before its next
/// write (``OpenedFile``), and cannot write until it reopens the book. The write-ahead log is renamed with its file
/// before the new file gets the name, because its pages do not belong to the new file.
package struct BookExchange {
  /// The byte of the file that is locked to keep others from opening it (PENDING_BYTE).
  private static let pending: off_t = 0x4000_0000
  /// The first of the two bytes of the log's index that a writer and a checkpoint lock (WAL_WRITE_LOCK, WAL_CKPT_LOCK).
  private static let writer: off_t = 120
  /// How many times a lock is tried, a hundredth of a second apart.
  private static let maximumTries = 800

  private let path: String
  private var log: String { path + "-wal" }

  /// - Parameter path: the book, without symbolic links.
  package init(path: String) { self.path = path }

  private static let keptWords = ["replaced", "damaged"]

  /// Returns an unused name beside the book: `addressbook.db.replaced-2026-11-22-093000`.
  /// - Parameter moment: seconds since 1970 in UTC.
  package static func keptName(of path: String, _ word: String, at moment: Int = time(nil)) -> String {
    let digits = Timestamp.text(secondsSince1970: moment)
    let stem = "\(path).\(word)-\(digits.prefix(10))-\(digits.dropFirst(11).filter(\.isNumber))"
    var name = stem
    var number = 1
    while isTaken(name) || isTaken(name + "-wal") {
      number += 1
      name = "\(stem)-\(number)"
    }
    return name
  }

  /// Replaces the book with a file.
  /// - Parameters:
  ///   - file: the new book, flushed to the disk.
  ///   - kept: the new name of the previous book.
  /// - Returns: false when there was no book to keep.
  package func put(_ file: FileReplacement, keeping kept: String) throws -> Bool {
    for attempt in 0... {
      emptyLog()
      let locks = try Locks(path)
      defer { locks.release() }
      // Another process wrote in between, or still reads from the log.
      if FileBytes.count(of: log) > 0, attempt < 3 { continue }
      return try exchange(file, kept)
    }
    return false
  }

  /// Makes a new file from a book that SQLite cannot read, and replaces the book with it, while nobody can write or
  /// checkpoint the book.
  /// - Parameters:
  ///   - kept: the new name of the book.
  ///   - make: reads the book from its descriptor, which is negative if there is no file, and returns a file that is
  ///     flushed to the disk. It must not open the book itself: closing another descriptor would drop the locks.
  package func rebuild(keeping kept: String, _ make: (_ book: Int32) throws -> FileReplacement) throws {
    let locks = try Locks(path)
    defer { locks.release() }
    _ = try exchange(make(locks.book), kept)
  }

  private func exchange(_ file: FileReplacement, _ kept: String) throws -> Bool {
    let isWorthKeeping = FileBytes.count(of: path) > 0
    if isWorthKeeping, link(path, kept) != 0 {
      // The file system has no hard links: for a moment no file has the book's name.
      guard rename(path, kept) == 0 else { throw FileFailure(kept, errno) }
    }
    let hasLog = FileBytes.count(of: log) > 0
    do {
      // Otherwise a power failure after the exchange could leave the previous book without a name.
      try Folder.sync(Folder.split(path).folder)
      if hasLog {
        guard rename(log, kept + "-wal") == 0 else { throw FileFailure(log, errno) }
      } else {
        unlink(log)
      }
      unlink(path + "-shm")
      try file.commit()
    } catch {
      Self.restoreNames(kept, as: path)
      throw error
    }
    return isWorthKeeping || hasLog
  }

  private static func restoreNames(_ kept: String, as path: String) {
    if FileBytes.count(of: path + "-wal") == 0 { rename(kept + "-wal", path + "-wal") }
    // If both names refer to the same file, rename does nothing.
    if rename(kept, path) == 0 { unlink(kept) }
  }

  /// Undoes an exchange that was interrupted before the new file had its name, and left the book with two names.
  static func recoverInterrupted(path: String) throws {
    let locks = try Locks(path)
    defer { locks.release() }
    let (folder, name) = Folder.split(path)
    for other in Folder.names(in: folder) where keptWords.contains(where: { other.hasPrefix("\(name).\($0)-") }) {
      if isSame(path, "\(folder)/\(other)") { restoreNames("\(folder)/\(other)", as: path) }
    }
  }

  /// Calls `body` while no process can open the book.
  static func keepingOthersOut<Value>(of path: String, _ body: () throws -> Value) throws -> Value {
    let locks = try Locks(path, ofLog: false)
    defer { locks.release() }
    return try body()
  }

  private static func isSame(_ path: String, _ other: String) -> Bool {
    guard let one = stat(of: path, followsLinks: false), let two = stat(of: other, followsLinks: false) else {
      return false
    }
    return FileIdentity(one) == FileIdentity(two)
  }

  /// Checkpoints the log if possible, so that the kept file has the latest changes.
  private func emptyLog() {
    guard FileBytes.count(of: log) > 0, FileBytes.count(of: path) > 0 else { return }
    do {
      let queue = try DatabaseQueue(path: path, configuration: StoreConfiguration(busyTimeout: 2).connection())
      defer { try? queue.close() }
      try queue.writeWithoutTransaction { _ = try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    } catch {
      // A file that cannot be read keeps its log beside it.
    }
  }

  private static func isTaken(_ path: String) -> Bool { stat(of: path, followsLinks: false) != nil }

  /// The locks on the book, held until `release()`.
  private struct Locks {
    private var descriptors: [Int32] = []
    /// The descriptor of the book; negative when there is no such file.
    private(set) var book: Int32 = -1

    /// - Parameter ofLog: false to lock only against opening the book, not against writing it.
    init(_ path: String, ofLog: Bool = true) throws {
      do {
        book = try lock(path, pending, length: 1)
        if ofLog { _ = try lock(path + "-shm", writer, length: 2) }
      } catch {
        release()
        throw error
      }
    }

    func release() { for descriptor in descriptors { close(descriptor) } }

    /// Locks bytes of a file, if there is such a file.
    /// - Returns: its descriptor; -1 when there is none.
    private mutating func lock(_ file: String, _ byte: off_t, length: off_t) throws -> Int32 {
      let descriptor = open(file, O_RDWR | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else {
        if errno == ENOENT { return -1 }
        throw FileFailure(file, errno)
      }
      descriptors.append(descriptor)
      for _ in 0..<maximumTries {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = byte
        lock.l_len = length
        if fcntl(descriptor, F_SETLK, &lock) == 0 { return descriptor }
        guard errno == EAGAIN || errno == EACCES || errno == EINTR else { throw FileFailure(file, errno) }
        usleep(10_000)
      }
      throw StoreError(.busy, path: file)
    }
  }
}
