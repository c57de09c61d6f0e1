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

/// The environment variables of this process, read one at a time.
///
/// Foundation copies all variables at each access, and looks up generic types to do so: a twelfth of the work until the
/// first screen.
public enum ProcessEnvironment {
  /// The value of a variable; nil if it is not set.
  public static subscript(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Returns the first of those variables whose value is not UTF-8; nil if there is none. A path from it would name
  /// another file.
  public static func firstWithoutText(of names: [String]) -> String? {
    names.first { name in getenv(name).map { String(validatingCString: $0) == nil } ?? false }
  }

  /// Returns the values of those variables that are set.
  public static func values(of names: [String]) -> [String: String] {
    var values: [String: String] = [:]
    for name in names { values[name] = self[name] }
    return values
  }
}

/// The user's home folder.
public enum HomeFolder {
  /// Returns the absolute path in `HOME`, or else the home folder of the user's account; nil if there is none.
  public static func path(in environment: [String: String]) -> String? {
    absolute(environment["HOME"]) ?? ofAccount()
  }

  /// Returns the absolute path in an `XDG_` variable, or else the folder in the home folder that stands for it; nil if
  /// there is none. A relative path is ignored, as the XDG Base Directory Specification requires.
  /// - Parameters:
  ///   - variable: its name, such as `XDG_STATE_HOME`.
  ///   - standard: the path in the home folder, such as `.local/state`.
  ///   - environment: the variables, with `HOME`.
  public static func folder(_ variable: String, _ standard: String, in environment: [String: String]) -> String? {
    absolute(environment[variable]) ?? path(in: environment).map { $0 + "/" + standard }
  }

  private static func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }

  private static func ofAccount() -> String? {
    var record = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    return buffer.withUnsafeMutableBufferPointer { space -> String? in
      guard let start = space.baseAddress, getpwuid_r(getuid(), &record, start, space.count, &found) == 0, found != nil,
        let directory = record.pw_dir
      else { return nil }
      let home = String(validatingCString: directory)
      return home != "/" ? absolute(home) : nil
    }
  }
}
