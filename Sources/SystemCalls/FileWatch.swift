import Glibc

/// What happens to files and folders, as the kernel reports it (inotify). It queues an event during the system call that
/// causes it, so a later check sees it.
public final class FileWatch: Sendable {
  /// Events of one kind.
  public struct Event: Hashable, Sendable {
    /// The kinds, as in `IN_MODIFY`; `IN_Q_OVERFLOW` if events were lost.
    public let mask: UInt32
    /// The name in the watched folder; empty for a watched file.
    public let name: String
  }

  /// The descriptor, which is readable while events wait.
  public let descriptor: Int32

  /// Watches nothing yet; nil, with the reason in `errno`, if the system has no more watches for this user.
  public init?() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    if descriptor < 0 { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches a file or the names in a folder for these kinds of events; false if that is not possible.
  public func add(_ path: String, _ kinds: Int32...) -> Bool {
    inotify_add_watch(descriptor, path, kinds.reduce(0) { $0 | UInt32($1) }) >= 0
  }

  /// Returns the events that wait, and forgets them.
  public func next() -> [Event] {
    var events: [Event] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return events }
      buffer.withUnsafeBytes { bytes in
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= count {
          let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
          let name = bytes[(offset + header)..<min(offset + header + length, count)].prefix { $0 != 0 }
          events.append(Event(mask: mask, name: String(decoding: name, as: UTF8.self)))
          offset += header + length
        }
      }
    }
  }
}
