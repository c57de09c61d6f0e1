import AddressBookModel
import Glibc
import SystemCalls

/// A watch on folders, for `sync --watch`.
public final class FolderWatch {
  private let files: FileWatch

  /// Creates a watch on no folder.
  /// - Throws: `SyncError` if the system cannot create it.
  public init() throws(SyncError) {
    guard let files = FileWatch() else {
      throw SyncError(.unreadable, path: "inotify", detail: String(cString: strerror(errno)))
    }
    self.files = files
  }

  /// Watches another folder. A folder that does not exist is ignored; call this again when it exists.
  public func add(_ path: String) {
    _ = files.add(path, IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_CLOSE_WRITE, IN_MODIFY)
  }

  /// Waits for a change, and then, for up to 3 seconds, until nothing has changed for 0.3 seconds.
  /// - Parameters:
  ///   - timeout: the longest time to wait for a change, in milliseconds.
  ///   - isCancelled: called often; true ends the wait.
  /// - Returns: true if something changed.
  public func wait(timeout: Int, isCancelled: () -> Bool) -> Bool {
    var waited = 0
    while waited < timeout, !isCancelled() {
      if hasEvents(within: 100) {
        let end = ContinuousClock.now + .seconds(3)
        while ContinuousClock.now < end, hasEvents(within: 300), !isCancelled() {}
        return true
      }
      waited += 100
    }
    return false
  }

  /// Waits for events and reads all of them; false if there are none in time.
  private func hasEvents(within milliseconds: Int32) -> Bool {
    var ready = pollfd(fd: files.descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, milliseconds) > 0 else { return false }
    _ = files.next()
    return true
  }
}

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
    folder(environment).map { $0 + "/sync-" + digest(of: file) + ".lock" }
  }

  /// The program's state folder; nil without a home.
  static func folder(_ environment: [String: String]) -> String? {
    HomeFolder.folder("XDG_STATE_HOME", ".local/state", in: environment).map { $0 + "/addressbook" }
  }

  /// Returns a checksum for the name of a file.
  static func digest(of text: String) -> String {
    var bytes = Array(text.utf8)
    return String(bytes.withUnsafeMutableBytes { Checksum.of(UnsafeRawBufferPointer($0)) }, radix: 16)
  }
}
