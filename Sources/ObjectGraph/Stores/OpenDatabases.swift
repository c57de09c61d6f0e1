import Glibc
import SystemCalls

/// The database files that this process has open through this library.
enum OpenDatabases {
  /// Counts a file as open during its lifetime.
  final class Registration: Sendable {
    private let identity: FileIdentity

    fileprivate init(_ identity: FileIdentity) { self.identity = identity }

    deinit { HeldFiles.remove(identity) }
  }

  /// Prepares a file for SQLite, and counts it as open. A missing file is created, accessible only to its owner. A file
  /// that is not a database is refused, because SQLite would take a short one for an empty database and overwrite it.
  static func register(_ path: String) throws -> Registration {
    if FileIdentity(of: path) == nil { try createPrivateFile(path) }
    try HeldFiles.ifClosed(path, orElse: { _ in }) { try checkHeader(path) }
    guard let identity = HeldFiles.add(path) else { throw StoreFailure.file(path) }
    return Registration(identity)
  }

  /// Creates an empty file that only its owner can read and write, unless the file exists. SQLite gives its journal
  /// files the same mode.
  static func createPrivateFile(_ path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 || errno == EEXIST else { throw StoreFailure.file(path) }
    if file >= 0 { close(file) }
  }

  private static func checkHeader(_ path: String) throws {
    guard let header = ReadableFile(path)?.bytes(upTo: 16) else { throw StoreFailure.file(path) }
    // A power failure during creation may leave zeros at the beginning, and a journal that says that the file was
    // empty.
    let isInterrupted = header.allSatisfy { $0 == 0 } && FileIdentity(of: "\(path)-journal") != nil
    guard header.isEmpty || isInterrupted || header == Array("SQLite format 3\u{0}".utf8) else {
      throw StoreFailure(reason: .unreadable, description: "the file is not a database")
    }
  }
}
