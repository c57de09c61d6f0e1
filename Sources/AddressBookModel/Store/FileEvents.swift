import Glibc

/// The events of a file since the last check.
///
/// A new modification time means that the file was written to, or that its times were set. These events distinguish the
/// two. The kernel queues them during the system call itself, so a later check sees them.
final class FileEvents: Sendable {
  enum Change {
    /// None was reported. There may still be one: a program may write through a mapping.
    case none
    /// Only times, owner, mode or number of links were changed.
    case attributesOnly
    /// The file was written or truncated, its last name and descriptor are gone, or events were lost.
    case contents
  }

  private let descriptor: Int32

  init?(path: String) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY | IN_ATTRIB)) >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Returns the changes since the last call.
  func next() -> Change {
    var masks: UInt32 = 0
    // Events of a watched file have no names.
    withUnsafeTemporaryAllocation(of: inotify_event.self, capacity: 64) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count * MemoryLayout<inotify_event>.stride)
        guard count > 0 else { return }
        for event in buffer.prefix(count / MemoryLayout<inotify_event>.stride) { masks |= event.mask }
      }
    }
    if masks == 0 { return .none }
    return masks == UInt32(IN_ATTRIB) ? .attributesOnly : .contents
  }
}
