import Glibc
import Synchronization

/// Books that this process has open.
///
/// POSIX drops all locks that a process holds on a file as soon as it closes any descriptor of that file
/// (https://www.sqlite.org/howtocorrupt.html, 2.2), so a book that is open must not be opened apart from
/// SQLite, for whatever reason: another process would then take itself for the last one and remove the write-ahead log, and
/// what is written from then on would be lost. Its header was looked at when it was opened first.
enum OpenBooks {
  private struct Book {
    var count: Int
    /// Without symbolic links: SQLite puts the side files beside the file that is meant.
    let path: String
  }

  private static let books = Mutex<[FileIdentity: Book]>([:])
  /// The write-ahead log, its index, on which the locks are, and the rollback journal.
  private static let sideFiles = ["-wal", "-shm", "-journal"]

  /// Inspects the file unless this process has it open.
  /// - Returns: what the file is, or nil when it is open in this process already.
  /// - Throws: `StoreError.severalNames` when it is open under another name (a hard link), and what must not be opened.
  static func inspect(_ location: StoreLocation) throws(StoreError) -> StoreFile.State? {
    guard let path = location.path else { return .fresh(exists: false) }
    return try books.withLock { (books) throws(StoreError) -> StoreFile.State? in
      guard let identity = StoreFile.identity(of: path), let book = books[identity] else {
        return try StoreFile.inspect(location)
      }
      guard book.path == withoutLinks(path) else { throw StoreError(.severalNames, path: path) }
      return nil
    }
  }

  static func add(_ path: String?) -> FileIdentity? {
    guard let path, let identity = StoreFile.identity(of: path) else { return nil }
    let book = Book(count: 0, path: withoutLinks(path))
    books.withLock { $0[identity, default: book].count += 1 }
    return identity
  }

  private static func withoutLinks(_ path: String) -> String {
    let resolved = realpath(path, nil)
    defer { free(resolved) }
    return resolved.map { String(cString: $0) } ?? path
  }

  static func remove(_ identity: FileIdentity?) {
    guard let identity else { return }
    books.withLock { books in
      books[identity]?.count -= 1
      if let left = books[identity]?.count, left <= 0 { books[identity] = nil }
    }
  }

  /// True when a path, under whatever name, is a file of a book that is open here.
  static func own(_ path: UnsafePointer<CChar>) -> Bool {
    guard let identity = StoreFile.identity(of: path) else { return false }
    return books.withLock { books in
      books[identity] != nil
        || books.values.contains { book in
          sideFiles.contains { StoreFile.identity(of: book.path + $0) == identity }
        }
    }
  }
}
