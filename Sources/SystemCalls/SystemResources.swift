import Glibc

/// System threads, for work that must know when none is available: libdispatch would wait for one.
public enum SystemThread {
  /// Runs work on a new thread.
  /// - Returns: false if the system has no thread available; the work is not run then.
  public static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(Work(work))
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      box.release()
      return false
    }
    return true
  }

  /// Whether the system has a thread for this process. One is started; libdispatch tries again if it comes before that
  /// one has ended.
  public static var isAvailable: Bool { start {} }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

/// What the limits of the system leave to this process. Swift, libdispatch and SQLite end the program or wait forever
/// when they get no descriptor, no memory or no stack for a thread, so these are asked for before the work starts.
public enum SystemLimits {
  /// Returns whether this many bytes more can be mapped. Without a limit (`ulimit -v`), the system always grants them.
  public static func hasAddresses(_ bytes: Int) -> Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur != .max else {
      return true
    }
    let pages = mmap(nil, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let pages, pages != MAP_FAILED else { return false }
    munmap(pages, bytes)
    return true
  }

  /// Returns whether this many more files can be open at once.
  public static func canOpen(_ count: Int) -> Bool {
    // If the process has enough free descriptors, opening one file shows that the system has room for more.
    opens(hasFreeDescriptors(count) ? 1 : count)
  }

  /// Returns true if at least this many of the first 64 descriptors are free. One call of `poll` examines them all.
  static func hasFreeDescriptors(_ count: Int) -> Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
    let examined = min(64, Int(clamping: limit.rlim_cur))
    return withUnsafeTemporaryAllocation(of: pollfd.self, capacity: examined) { descriptors in
      for number in 0..<examined {
        descriptors.initializeElement(at: number, to: pollfd(fd: Int32(number), events: 0, revents: 0))
      }
      guard poll(descriptors.baseAddress, nfds_t(examined), 0) >= 0 else { return false }
      return descriptors.count { $0.revents & Int16(POLLNVAL) != 0 } >= count
    }
  }

  private static func opens(_ count: Int) -> Bool {
    var files: [ReadableFile] = []
    while files.count < count {
      // Some containers have no devices.
      guard let file = ReadableFile("/dev/null") ?? (errno == ENOENT ? ReadableFile("/") : nil) else { return false }
      files.append(file)
    }
    return true
  }
}
