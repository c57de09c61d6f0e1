import Glibc
import Synchronization

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

  // MARK: Checking whether threads are available

  /// Threads that were started early and wait: they prove that the system has them.
  private struct Reserve {
    /// All threads that were started and may still run.
    var threads: [pthread_t] = []
    /// How many of them have not been let through the gate.
    var waiting = 0
  }

  private static let reserve = Mutex(Reserve())
  private nonisolated(unsafe) static let gate: UnsafeMutablePointer<sem_t> = {
    let gate = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(gate, 0, 0)
    return gate
  }()

  /// Starts this many threads, besides those in reserve, and keeps them in reserve until ``releaseReserve()`` or
  /// ``canStart(_:)`` ends them. Returns whether the system had them; if not, the whole reserve is released.
  ///
  /// Waiting for a thread to end can take milliseconds on a busy machine. With a reserve, a program can draw its first
  /// screen before it waits.
  /// - Parameters:
  ///   - count: the number of threads.
  ///   - work: run by the first thread before it waits.
  public static func startReserve(_ count: Int, running work: (@Sendable () -> Void)? = nil) -> Bool {
    reserve.withLock { reserve in
      for number in 0..<count {
        let box = number == 0 ? work.map { Unmanaged.passRetained(Work($0)) } : nil
        var thread = pthread_t()
        let code = pthread_create(
          &thread, nil,
          { argument in
            if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
            // A signal may interrupt the wait.
            while sem_wait(SystemThread.gate) != 0, errno == EINTR {}
            return nil
          }, box?.toOpaque())
        guard code == 0 else {
          box?.release()
          release(&reserve)
          return false
        }
        reserve.threads.append(thread)
        reserve.waiting += 1
      }
      return true
    }
  }

  /// Ends the threads in reserve, and waits until they have ended: until then they count toward the system's limit.
  public static func releaseReserve() { reserve.withLock { release(&$0) } }

  private static func release(_ reserve: inout Reserve) {
    for _ in 0..<reserve.waiting { sem_post(gate) }
    for thread in reserve.threads { pthread_join(thread, nil) }
    reserve = Reserve()
  }

  /// Returns whether this many threads are available at once. If that many are in reserve, it tells them to end;
  /// otherwise it starts new ones, and waits until they and the reserve have ended.
  public static func canStart(_ count: Int) -> Bool {
    let usesReserve = reserve.withLock { reserve in
      guard reserve.waiting >= count else { return false }
      reserve.waiting -= count
      for _ in 0..<count { sem_post(gate) }
      return true
    }
    if usesReserve { return true }
    defer { releaseReserve() }
    return startReserve(count)
  }

  /// Whether a second thread is available to split long work; checked once.
  public static let hasSecond = canStart(1)

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
