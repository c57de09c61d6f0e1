import GRDB
import Glibc

/// The copy of a book that is kept before its schema is brought up to date: `book.db.v1` beside `book.db`, so that the program
/// that made the book can still open what was in it.
enum SchemaBackup {
  /// Where the copy of a version stands.
  static func path(of book: String, version: Int32) -> String { "\(book).v\(version)" }

  /// Makes the copy, unless there is one already. It has its name when it is whole and on the disk.
  /// - Throws: `StoreError` or the database's error; the book is as it was then, and no part of a copy is left.
  static func make(_ db: Database, of book: String, version: Int32) throws {
    let path = path(of: book, version: version)
    var status = stat()
    guard lstat(path, &status) != 0 else { return }
    let temporary = path + ".tmp"
    unlink(temporary)
    // `VACUUM INTO` takes an empty file, and leaves its mode as it is.
    let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(temporary) }
    defer { close(descriptor) }
    do {
      try db.execute(sql: "VACUUM INTO ?", arguments: [temporary])
      guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw failure(path) }
    } catch {
      unlink(temporary)
      throw error
    }
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw failure(folder) }
    defer { close(directory) }
    // Some file systems cannot do this and say EINVAL; the rename is then as safe as they make it.
    guard fsync(directory) == 0 || errno == EINVAL else { throw failure(folder) }
  }

  private static func failure(_ path: String) -> StoreError {
    let reason: StoreError.Reason =
      switch errno {
      case ENOSPC, EDQUOT, EFBIG: .diskFull
      case EACCES, EPERM, EROFS: .readOnly
      default: .inputOutput
      }
    return StoreError(reason, path: path, detail: String(cString: strerror(errno)))
  }
}
