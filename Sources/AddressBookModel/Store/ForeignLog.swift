import GRDB
import Glibc
import SystemCalls

/// A write-ahead log beside a file that it does not belong to, because that file took the name of another. It is renamed
/// before SQLite opens the file and applies the log to it.
package enum ForeignLog {
  /// WAL's lock on the whole index of a log, which every connection holds (https://www.sqlite.org/walformat.html#locks).
  private static let indexLock: off_t = 128

  /// Renames the log of a book if it belongs to another file. Nothing is done if the book cannot be written, or if this
  /// process has it open.
  /// - Returns: the new name of the log; nil if it was not renamed.
  @discardableResult
  package static func setAside(_ location: StoreLocation) throws(StoreError) -> String? {
    guard let named = location.path, StoreFile.logSize(of: named) > 0, !AddressBook.isOpen(path: named) else {
      return nil
    }
    let path = RealPath.target(of: named)
    guard isBeside(path), StoreFile.isWritable(location, exists: true) else { return nil }
    do {
      // Another process may have done it meanwhile, and begun a log of its own.
      return try BookExchange.keepingOthersOut(of: path) { isBeside(path) ? try rename(logOf: path) : nil }
    } catch let failure as FileFailure {
      throw StoreError(.inputOutput, path: failure.path, detail: failure.message)
    } catch {
      throw StoreError(error, path: named)
    }
  }

  /// Returns true if the log beside a file certainly belongs to another file. This process must not have the file open.
  /// - Parameter path: the file, without symbolic links.
  static func isBeside(_ path: String) -> Bool {
    FileBytes.count(of: path + "-wal") > 0 && (hasOtherMark(path) || isInUse(withoutFile: path))
  }

  /// Renames a log to an unused name. Its writes were acknowledged, so it is kept.
  /// - Returns: the new name.
  static func rename(logOf path: String) throws(FileFailure) -> String {
    let log = path + "-wal"
    var name = log + ".replaced"
    var number = 1
    while FileIdentity(of: name) != nil {
      number += 1
      name = log + ".replaced\(number)"
    }
    guard Glibc.rename(log, name) == 0 else { throw FileFailure(log, errno) }
    // The index belongs to the renamed log. Connections that have it open keep it.
    unlink(path + "-shm")
    try Folder.sync(Folder.split(path).folder)
    return name
  }

  private static func hasOtherMark(_ path: String) -> Bool {
    var number: UInt64?
    var isOther = false
    let isSameLog = LogMark.forEach(inLog: path + "-wal") { mark in
      number = number ?? LogMark.number(inFile: path)
      isOther = number != nil && number != mark.previous && number != mark.current
      return isOther
    }
    return isOther && isSameLog
  }

  /// Returns true if a process has the log open, but not the file: it opened the log with a file that had this name
  /// before.
  private static func isInUse(withoutFile path: String) -> Bool {
    let names = [path, path + "-wal", path + "-shm"]
    let files = names.compactMap { FileIdentity(of: $0) }
    // Closing a descriptor of the index would drop the locks of this process.
    guard files.count == names.count, !AddressBook.isOpen(path: names[2]),
      let process = holder(ofIndex: names[2])
    else { return false }
    let folder = "/proc/\(process)/fd"
    let opened = Set(Folder.names(in: folder).compactMap { FileIdentity(of: "\(folder)/\($0)") })
    // A process that is closing the book closes the log first.
    return opened.isSuperset(of: files[1...]) && !opened.contains(files[0]) && holder(ofIndex: names[2]) == process
  }

  /// Returns a process that has the log open; nil if there is none, or it cannot be seen from here.
  private static func holder(ofIndex path: String) -> pid_t? {
    guard let file = ReadableFile(path) else { return nil }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = indexLock
    lock.l_len = 1
    let code = withExtendedLifetime(file) { fcntl(file.descriptor, F_GETLK, &lock) }
    guard code == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 0 else { return nil }
    return lock.l_pid
  }
}

/// Two random numbers in a book that tell to which file a write-ahead log belongs: nothing else in a log does, and SQLite
/// applies any log that has the name of a file.
///
/// The first transaction of each log stores a new number, and the previous one beside it. So the file that the log
/// belongs to has the previous number, or the new one once a checkpoint copied it, whatever its name and inode are: a
/// book may be moved or copied together with its log.
struct LogMark: Hashable, Sendable {
  let previous: UInt64
  let current: UInt64

  private static let key = "log"
  /// A key that every book has.
  private static let otherKey = "collation"
  /// How many rows `store_info` has at most.
  private static let maximumRows = 32

  /// Stores a new number. Call it in a transaction that begins a log.
  /// - Returns: false in a file without the tables of a book.
  @discardableResult
  static func renew(_ db: Database) throws -> Bool {
    guard try db.tableExists("store_info") else { return false }
    let stored = try StoreInfo.value(key, db)
    let mark = LogMark(previous: stored.flatMap(LogMark.init)?.current ?? 0, current: .random(in: 1 ... .max))
    try StoreInfo.set(key, to: mark.text, db)
    return true
  }

  /// Returns the number in a file, whatever its log says: 0 if it never had one, nil if that is not certain, because a
  /// checkpoint that was interrupted may have left the page half written.
  static func number(inFile path: String) -> UInt64? {
    do {
      let queue = try ImmutableFile.open(path)
      defer { try? queue.close() }
      let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT key, value FROM store_info") }
      let keys = rows.map { $0.text(0) }
      guard keys.contains(otherKey), zip(keys, keys.dropFirst()).allSatisfy(<) else { return nil }
      guard let row = rows.first(where: { $0.text(0) == key }) else { return 0 }
      return LogMark(row.text(1))?.current
    } catch {
      return nil
    }
  }

  /// Calls `body` with the marks in the frames of a log, until it returns false.
  /// - Returns: false if another log was begun meanwhile.
  static func forEach(inLog path: String, _ body: (LogMark) -> Bool) -> Bool {
    guard let file = ReadableFile(path), let header = file.bytes(32, at: 0), let status = file.status else {
      return false
    }
    let size = header[8..<12].reduce(0) { $0 << 8 | Int($1) }
    guard (512...65_536).contains(size) else { return false }
    var isWanted = true
    let reader = PageReader(pageSize: size, fileSize: .max) { _ in nil }
    var offset = 32
    // Frames of an earlier log have other salts.
    while isWanted, let frame = file.bytes(24 + size, at: offset), frame[8..<16] == header[16..<24] {
      offset += 24 + size
      let page = Array(frame[24...])
      // A page with the few rows of `store_info`.
      guard reader.kind(page, 2) == .indexLeaf, page[3] == 0, page[4] <= maximumRows else { continue }
      let records = reader.records(page, 2).compactMap(\.self).filter { $0.values.count == 2 }
      guard let text = records.first(where: { $0.values[0].text == key })?.values[1].text else { continue }
      if let mark = LogMark(text) { isWanted = body(mark) }
    }
    return file.bytes(32, at: 0) == header && FileIdentity(of: path) == FileIdentity(status)
  }

  private init(previous: UInt64, current: UInt64) { (self.previous, self.current) = (previous, current) }

  /// Returns nil unless the third number confirms the others.
  private init?(_ text: String) {
    let numbers = text.split(separator: " ").compactMap { UInt64($0, radix: 16) }
    guard numbers.count == 3, numbers[2] == numbers[0] ^ numbers[1] else { return nil }
    self.init(previous: numbers[0], current: numbers[1])
  }

  /// Always of the same length, so that the row stays in its place in the page.
  private var text: String {
    [previous, current, previous ^ current].map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined(separator: " ")
  }
}
