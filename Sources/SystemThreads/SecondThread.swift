import Glibc
import Synchronization

/// A second thread that shares work with the calling one.
///
/// The second thread is new each time, and tied to the other processors. Some systems keep threads together on few
/// processors: they run a thread that is woken, and sometimes a new one, on the processor of the thread that wakes or
/// starts it. The thread may wait there for several milliseconds while another processor is idle.
public enum SecondThread {
  /// Calls the body for each part of the work, on this thread (0) or on a second one (1). Each takes the next part when
  /// it has finished one, because the second may start late. After a cancellation, no more parts are started.
  /// - Parameter isCancelled: only called on this thread, after each of its parts.
  public static func forEachPart(_ count: Int, isCancelled: () -> Bool, _ body: (_ part: Int, _ thread: Int) -> Void) {
    let next = Atomic(0)
    help { thread in
      while true {
        let part = next.add(1, ordering: .relaxed).oldValue
        guard part < count else { return }
        body(part, thread)
        if thread == 0, isCancelled() { next.store(count, ordering: .relaxed) }
      }
    }
  }

  /// Splits this many items into consecutive ranges, all of this size except perhaps the last, and calls the body for
  /// each until canceled. If requested, a second thread helps, if the system has one.
  /// - Parameter isCancelled: only called on this thread.
  public static func forEachRange(
    of count: Int, size: Int, inTwoThreads: Bool, isCancelled: () -> Bool = { false }, _ body: (Range<Int>) -> Void
  ) {
    let parts = (count + size - 1) / size
    func range(_ part: Int) -> Range<Int> { part * size..<min((part + 1) * size, count) }
    guard inTwoThreads, SystemThread.hasSecond else {
      for part in 0..<parts where !isCancelled() { body(range(part)) }
      return
    }
    forEachPart(parts, isCancelled: isCancelled) { part, _ in body(range(part)) }
  }

  /// Calls the body with 0 on this thread and, if a second thread starts before that call has ended, with 1 on it. The
  /// calls must share the work: each does what the other has not taken. Returns when both have ended.
  public static func help(_ body: (_ thread: Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      // A thread that starts too late must not have a reference to the body, so it gets a pointer.
      withUnsafePointer(to: body) { body in
        nonisolated(unsafe) let shared = body
        let visit = Visit()
        _ = SystemThread.startElsewhere {
          guard visit.begin() else { return }
          call(shared)
          visit.end()
        }
        body.pointee(0)
        visit.close()
      }
    }
  }

  // Not inlined: otherwise a reference to the body might be kept for longer.
  @inline(never)
  private static func call(_ body: UnsafePointer<(Int) -> Void>) { body.pointee(1) }

  /// Records whether the second thread has begun before the work ended.
  private final class Visit: Sendable {
    private static let waiting = 0
    private static let running = 1
    private static let closed = 2
    private let state = Atomic(Visit.waiting)
    private nonisolated(unsafe) let ended: UnsafeMutablePointer<sem_t>

    init() {
      ended = .allocate(capacity: 1)
      sem_init(ended, 0, 0)
    }

    deinit {
      sem_destroy(ended)
      ended.deallocate()
    }

    /// Returns false if the work has ended.
    func begin() -> Bool {
      state.compareExchange(expected: Visit.waiting, desired: Visit.running, ordering: .acquiringAndReleasing).exchanged
    }

    func end() { sem_post(ended) }

    /// Waits for the second thread if it has begun.
    func close() {
      let isLate = state.compareExchange(
        expected: Visit.waiting, desired: Visit.closed, ordering: .acquiringAndReleasing
      ).exchanged
      if isLate { return }
      // A signal may interrupt the wait.
      while sem_wait(ended) != 0, errno == EINTR {}
    }
  }
}
