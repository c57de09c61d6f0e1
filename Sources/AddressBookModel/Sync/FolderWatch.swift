import Glibc

/// A watch on folders, for `sync --watch`.
public final class FolderWatch {
  private let descriptor: Int32

  /// Creates a watch on no folder.
  /// - Throws: `SyncError` if the system cannot create it.
  public init() throws(SyncError) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    if descriptor < 0 { throw SyncError(.unreadable, path: "inotify", detail: String(cString: strerror(errno))) }
  }

  deinit { close(descriptor) }

  /// Watches another folder. A folder that does not exist is ignored; call this again when it exists.
  public func add(_ path: String) {
    let events = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY)
    _ = inotify_add_watch(descriptor, path, events)
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
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while read(descriptor, &buffer, buffer.count) > 0 {}
    return true
  }
}
