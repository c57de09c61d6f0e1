import SystemCalls

/// The locks on a book, according to the kernel's table of locks (`/proc/locks`).
package enum WriteLock {
  /// Offset of WAL_WRITE_LOCK in the shared-memory file (https://www.sqlite.org/walformat.html#walidxfmt).
  private static let offset = 120

  /// Returns the process that holds the write lock, for a message to a user who waited too long; nil if there is none
  /// or it is unknown.
  ///
  /// The file is not opened: closing it would drop this process's own locks.
  static func holder(ofBookAt path: String) -> Int? {
    locks(onBookAt: path)?.first { $0.isExclusive && $0.bytes.contains(offset) }?.process
  }

  /// Returns whether any process has the book open; true if the table cannot be read.
  package static func isOpen(bookAt path: String) -> Bool {
    locks(onBookAt: path).map { !$0.isEmpty } ?? true
  }

  private struct Lock {
    let process: Int
    let isExclusive: Bool
    let bytes: ClosedRange<Int>
  }

  private static func locks(onBookAt path: String) -> [Lock]? {
    guard let table = try? FileBytes.all(of: "/proc/locks") else { return nil }
    guard let identity = FileIdentity(of: RealPath.target(of: path) + "-shm") else { return [] }
    return String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap { line in
      // 1: POSIX  ADVISORY  WRITE 1234 08:01:1310722 120 120
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      guard fields.count >= 8, fields[1] == "POSIX", let process = Int(fields[4]),
        let inode = fields[5].split(separator: ":").last.flatMap({ UInt64($0) }), inode == identity.inode,
        let first = Int(fields[6])
      else { return nil }
      let last = Int(fields[7]) ?? Int.max
      return first <= last ? Lock(process: process, isExclusive: fields[3] == "WRITE", bytes: first...last) : nil
    }
  }
}
