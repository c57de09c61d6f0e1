import Glibc

/// What the system has seen happen to one file since it was last asked.
///
/// A file's time of modification says that it was written to, or that somebody set its times. These events tell the two
/// apart: they are queued by the call that does it, so whoever asks afterwards is told.
final class FileEvents: Sendable {
  /// What happened since the last answer.
  enum Change {
    /// Nothing that is known of, which is no proof: a program may write through a mapping.
    case none
    /// Times, owner or mode were set.
    case attributesOnly
    /// Something was written or cut off, or events were lost.
    case contents
  }

  private let descriptor: Int32

  /// Nil when the system has no watch to give.
  init?(path: String) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY | IN_ATTRIB)) >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// What happened since it was last asked.
  func next() -> Change {
    var masks: UInt32 = 0
    // The events of a file have no names.
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
