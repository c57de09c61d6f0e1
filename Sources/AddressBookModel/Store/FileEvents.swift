import Glibc

/// The events of a file since the last check.
///
/// A file's modification time shows that it was written to, or that its times were set. These events distinguish the
/// two: the kernel queues them during the system call itself, so that a later check always sees them.
final class FileEvents: Sendable {
  /// The changes since the last check.
  enum Change {
    /// None was reported. This does not prove that there was none: a program may write through a mapping.
    case none
    /// Only times, owner or mode were set.
    case attributesOnly
    /// The file was written or truncated, or events were lost.
    case contents
  }

  private let descriptor: Int32

  /// Nil if no watch is available.
  init?(path: String) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY | IN_ATTRIB)) >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The changes since the last call.
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
