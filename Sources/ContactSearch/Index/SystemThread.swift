import Glibc

/// System threads, for work that must know if none is available: libdispatch would wait for one.
public enum SystemThread {
  /// Runs work in a new thread.
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

  /// Whether this many threads are available at once. It starts them and lets them end, which takes about 50
  /// microseconds each.
  public static func canStart(_ count: Int) -> Bool {
    var threads: [pthread_t] = []
    let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(gate, nil)
    pthread_mutex_lock(gate)
    while threads.count < count {
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { argument in
          if let gate = argument?.assumingMemoryBound(to: pthread_mutex_t.self) {
            pthread_mutex_lock(gate)
            pthread_mutex_unlock(gate)
          }
          return nil
        }, gate)
      guard code == 0 else { break }
      threads.append(thread)
    }
    pthread_mutex_unlock(gate)
    for thread in threads { pthread_join(thread, nil) }
    pthread_mutex_destroy(gate)
    gate.deallocate()
    return threads.count == count
  }

  /// Whether a second thread is available to split long work; checked once.
  public static let hasSecond = canStart(1)

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
