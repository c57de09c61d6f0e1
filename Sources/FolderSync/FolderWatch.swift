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
