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
    guard lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFDIR else { return }
    do {
      let file = try FileReplacement(path: path)
      // `VACUUM INTO` takes an empty file, and leaves its mode as it is.
      try file.fill { try db.execute(sql: "VACUUM INTO ?", arguments: [$0]) }
      try file.commit()
    } catch let failure as FileFailure {
      let reason: StoreError.Reason =
        switch failure.code {
        case ENOSPC, EDQUOT, EFBIG: .diskFull
        case EACCES, EPERM, EROFS: .readOnly
        default: .inputOutput
        }
      throw StoreError(reason, path: failure.path, detail: failure.message)
    }
  }
}
