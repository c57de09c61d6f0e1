import Glibc
import Synchronization

/// The books that this process has open.
///
/// POSIX drops all locks that a process holds on a file as soon as it closes any descriptor of that file
/// (https://www.sqlite.org/howtocorrupt.html, 2.2), so only SQLite may open the file of an open book: otherwise another
/// process could consider itself the last one and remove the write-ahead log, and later writes would be lost. The
/// header need not be read again: it was checked when the book was first opened.
enum OpenBooks {
  private struct Book {
    var count: Int
    /// Without symbolic links: SQLite puts the additional files next to the link's target.
    let path: String
  }

  private static let books = Mutex<[FileIdentity: Book]>([:])
  /// The write-ahead log, its index, which holds the locks, and the rollback journal.
  private static let sideFiles = ["-wal", "-shm", "-journal"]

  /// Inspects the file unless this process has it open.
  /// - Returns: the state of the file; nil if it is already open in this process.
  /// - Throws: `StoreError.severalNames` if it is open under another name (a hard link), and errors for files that must
  ///   not be opened.
  static func inspect(_ location: StoreLocation) throws(StoreError) -> StoreFile.State? {
    guard let path = location.path else { return .fresh(exists: false) }
    return try books.withLock { (books) throws(StoreError) -> StoreFile.State? in
      guard let identity = StoreFile.identity(of: path), let book = books[identity] else {
        return try StoreFile.inspect(location)
      }
      guard book.path == RealPath.target(of: path) else { throw StoreError(.severalNames, path: path) }
      return nil
    }
  }

  static func add(_ path: String?) -> FileIdentity? {
    guard let path, let identity = StoreFile.identity(of: path) else { return nil }
    let book = Book(count: 0, path: RealPath.target(of: path))
    books.withLock { $0[identity, default: book].count += 1 }
    return identity
  }

  static func remove(_ identity: FileIdentity?) {
    guard let identity else { return }
    books.withLock { books in
      books[identity]?.count -= 1
      if let left = books[identity]?.count, left <= 0 { books[identity] = nil }
    }
  }

  /// Returns true if the file at a path, under this or another name, belongs to a book that is open in this process.
  static func contain(_ path: UnsafePointer<CChar>) -> Bool {
    guard let identity = StoreFile.identity(of: path) else { return false }
    return books.withLock { books in
      books[identity] != nil
        || books.values.contains { book in
          sideFiles.contains { StoreFile.identity(of: book.path + $0) == identity }
        }
    }
  }
}
