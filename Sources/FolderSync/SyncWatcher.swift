import AddressBookModel
import Glibc
import SystemCalls

/// Shows other programs, by a locked file, that `sync --watch` is running for a book, as long as this object exists.
///
/// The file is in the state folder, and the lock is released when the process ends, however it ends.
public final class SyncWatcher {
  private let descriptor: Int32

  /// - Throws: `SyncError.inUse` if `sync --watch` is already running for the book, `SyncError.missing` for a book
  ///   without a file, `SyncError.noHome` without a state folder, `FileFailure` if the locked file or its folder cannot
  ///   be created.
  public init(
    book: AddressBook, environment: [String: String] = ProcessEnvironment.values(of: variables)
  ) throws {
    guard let file = book.location.path, let real = RealPath.of(file) else {
      throw SyncError(.missing, path: book.location.path ?? "")
    }
    guard let path = Self.path(ofBook: real, environment) else { throw SyncError(.noHome, path: "") }
    try PrivateFolder.make(Folder.split(path).folder)
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileFailure(path, errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw SyncError(.inUse, path: book.location.path ?? "") }
  }

  deinit { close(descriptor) }

  /// The environment variables that decide where the file is.
  public static let variables = ["HOME", "XDG_STATE_HOME"]

  /// Returns true if `sync --watch` is running for this book, in any process.
  public static func isRunning(
    book: AddressBook, environment: [String: String] = ProcessEnvironment.values(of: variables)
  ) -> Bool {
    guard let file = book.location.path, let real = RealPath.of(file), let path = path(ofBook: real, environment) else {
      return false
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  /// Returns the path of the locked file in the state folder, named after a checksum of the book's real path.
  private static func path(ofBook file: String, _ environment: [String: String]) -> String? {
    var bytes = Array(file.utf8)
    let digest = bytes.withUnsafeMutableBytes { Checksum.of(UnsafeRawBufferPointer($0)) }
    guard let state = HomeFolder.folder("XDG_STATE_HOME", ".local/state", in: environment) else { return nil }
    return state + "/addressbook/sync-" + String(digest, radix: 16) + ".lock"
  }
}
