import Foundation
import Synchronization

/// The database files that this process has open through this library.
///
/// A process that closes any descriptor of a file loses all its locks on it, including SQLite's. So a file is inspected
/// only while it is not open here.
enum OpenDatabases {
  fileprivate struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// Counts a file as open during its lifetime.
  final class Registration: Sendable {
    private let identity: Identity

    fileprivate init(_ identity: Identity) { self.identity = identity }

    deinit {
      counts.withLock { counts in
        let count = counts[identity] ?? 0
        counts[identity] = count > 1 ? count - 1 : nil
      }
    }
  }

  fileprivate static let counts = Mutex<[Identity: Int]>([:])

  /// Prepares a file for SQLite, and counts it as open. A missing file is created, accessible only to its owner. A file
  /// that is not a database is refused, because SQLite would take a short one for an empty database and overwrite it.
  static func register(_ path: String) throws -> Registration {
    try counts.withLock { counts in
      if identity(path) == nil { try createPrivateFile(path) }
      guard let identity = identity(path) else { throw StoreFailure.file(path) }
      if counts[identity] == nil { try checkHeader(path) }
      counts[identity, default: 0] += 1
      return Registration(identity)
    }
  }

  /// Creates an empty file that only its owner can read and write, unless the file exists. SQLite gives its journal
  /// files the same mode.
  static func createPrivateFile(_ path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 || errno == EEXIST else { throw StoreFailure.file(path) }
    if file >= 0 { close(file) }
  }

  private static func checkHeader(_ path: String) throws {
    guard let file = FileHandle(forReadingAtPath: path) else { throw StoreFailure.file(path) }
    defer { try? file.close() }
    let header = try file.read(upToCount: 16) ?? Data()
    // A power failure during creation may leave zeros at the beginning, and a journal that says that the file was
    // empty.
    let isInterrupted = header.allSatisfy { $0 == 0 } && FileManager.default.fileExists(atPath: "\(path)-journal")
    guard header.isEmpty || isInterrupted || header == Data("SQLite format 3\u{0}".utf8) else {
      throw StoreFailure(reason: .unreadable, description: "the file is not a database")
    }
  }

  private static func identity(_ path: String) -> Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}
