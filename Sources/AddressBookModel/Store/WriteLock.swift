import Glibc

/// Tells which process holds the write lock of a book, so that a person who waits in vain knows whom for.
enum WriteLock {
  /// Offset of WAL_WRITE_LOCK in the shared-memory file (https://www.sqlite.org/walformat.html#walidxfmt).
  private static let offset = 120

  /// Process that holds the lock, as the kernel's table of locks shows it; nil when nobody does or it cannot be known.
  ///
  /// The file is not opened: closing it would drop this process's own locks.
  static func holder(ofBookAt path: String) -> Int? {
    guard let identity = StoreFile.identity(of: path + "-shm") else { return nil }
    for line in lines(of: "/proc/locks") {
      // 1: POSIX  ADVISORY  WRITE 1234 08:01:1310722 120 120
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      guard fields.count >= 8, fields[1] == "POSIX", fields[3] == "WRITE", let process = Int(fields[4]),
        let inode = fields[5].split(separator: ":").last.flatMap({ UInt64($0) }), inode == identity.inode,
        let first = Int(fields[6]), first <= offset, (Int(fields[7]) ?? Int.max) >= offset
      else { continue }
      return process
    }
    return nil
  }

  private static func lines(of path: String) -> [Substring] {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { break }
      text += String(decoding: buffer[0..<count], as: UTF8.self)
    }
    return text.split(separator: "\n")
  }
}
