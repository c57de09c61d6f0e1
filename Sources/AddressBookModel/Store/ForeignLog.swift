import Glibc
import SystemCalls

/// A write-ahead log beside a file that it does not belong to, because that file took the name of another. It is renamed
/// before SQLite opens the file and applies the log to it.
enum ForeignLog {
  /// WAL's lock on the whole index of a log, which every connection holds (https://www.sqlite.org/walformat.html#locks).
  private static let indexLock: off_t = 128

  /// Renames the log of a book if it belongs to another file. Nothing is done if the book cannot be written, or if this
  /// process has it open.
  /// - Returns: the new name of the log; nil if it was not renamed.
  @discardableResult
  static func setAside(_ location: StoreLocation) throws(StoreError) -> String? {
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
