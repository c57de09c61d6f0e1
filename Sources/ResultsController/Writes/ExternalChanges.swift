@preconcurrency import Dispatch
import Glibc

/// Wakes when any process writes the database's files, with an inotify watch on their folder.
///
/// A wake only means that something may have been committed. A writer's frames reach the WAL before its commit becomes
/// visible, which happens in shared memory, where inotify sees nothing; so after a wake the engine checks again at
/// growing intervals for about eight seconds.
///
/// If no watch can be created, a timer wakes instead: the system limits inotify instances per user
/// (`fs.inotify.max_user_instances`).
final class ExternalChanges: Sendable {
  // Created once and canceled once; Dispatch sources may be used from any thread.
  private nonisolated(unsafe) let source: any DispatchSourceProtocol
  /// The polling interval without a watch, so that writes of others are seen within half a second.
  private static let pollingInterval = DispatchTimeInterval.milliseconds(400)

  /// Watches the files of a database. Nil if it has no file; then only commits of its own connection are seen.
  init?(path: String, queue: DispatchQueue, onWake: @escaping @Sendable () -> Void) {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    let file = String(cString: resolved)
    guard let slash = file.lastIndex(of: "/") else { return nil }
    let folder = slash == file.startIndex ? "/" : String(file[..<slash])
    let name = String(file[file.index(after: slash)...])
    let names: Set<String> = [name, name + "-wal", name + "-journal"]

    guard let descriptor = Self.watch(folder) else {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + Self.pollingInterval, repeating: Self.pollingInterval)
      timer.setEventHandler(handler: onWake)
      timer.resume()
      source = timer
      return
    }
    let reader = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    reader.setEventHandler {
      if Self.drain(descriptor, names) { onWake() }
    }
    reader.setCancelHandler { close(descriptor) }
    reader.resume()
    source = reader
  }

  /// A descriptor that becomes readable when something happens in the folder; nil if the folder cannot be watched.
  private static func watch(_ folder: String) -> Int32? {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let events = UInt32(IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_CLOSE_WRITE)
    guard inotify_add_watch(descriptor, folder, events) >= 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  deinit { source.cancel() }

  /// Reads all waiting events. True if one concerns the database's files, or some were lost.
  private static func drain(_ descriptor: Int32, _ names: Set<String>) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    var isOurs = false
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return isOurs }
      buffer.withUnsafeBytes { bytes in
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= count {
          let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
          if mask & UInt32(IN_Q_OVERFLOW) != 0 { isOurs = true }
          let name = bytes[(offset + header)..<min(offset + header + length, count)].prefix { $0 != 0 }
          if names.contains(String(decoding: name, as: UTF8.self)) { isOurs = true }
          offset += header + length
        }
      }
    }
  }
}
