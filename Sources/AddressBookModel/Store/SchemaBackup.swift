import GRDB
import Glibc
import SystemCalls

/// A copy of a book made before its schema is migrated: `book.db.v1` next to `book.db`. The older program can still
/// open it.
enum SchemaBackup {
  static func path(of book: String, version: Int32) -> String { "\(book).v\(version)" }

  /// Returns the copies of a book that exist.
  static func existing(of book: String) -> [String] {
    (1..<Schema.version).map { path(of: book, version: $0) }.filter { FileBytes.count(of: $0) > 0 }
  }

  /// Makes the copy, unless there is one already. It gets its name once it is complete and on disk.
  /// - Throws: `StoreError` or the database's error; the book is then unchanged, and no part of a copy remains.
  static func make(_ db: Database, of book: String, version: Int32) throws {
    let path = path(of: book, version: version)
    var status = stat()
    guard lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFDIR else { return }
    do {
      let file = try FileReplacement(path: path)
      // `VACUUM INTO` accepts an empty file, and keeps its mode.
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
