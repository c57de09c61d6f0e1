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
