import Dispatch
import Synchronization
import TerminalKit

/// A loop driven by a test: posted work waits until ``drain()``, and timers wait until ``advanceTime()`` or
/// ``advanceTime(by:)``.
public final class ManualLoop: ProgramLoop {
  private let works = Mutex<[@MainActor @Sendable () -> Void]>([])
  private let posted = DispatchSemaphore(value: 0)
  @MainActor private var timers: [(id: TimerID, deadline: Int, work: @MainActor () -> Void)] = []
  /// The time of this loop, in milliseconds.
  @MainActor private var now = 0
  @MainActor private var lastTimer = 0
  /// The number of requests to suspend, as by Ctrl-Z.
  @MainActor public private(set) var suspends = 0
  /// True after a request to stop.
  @MainActor public private(set) var isStopped = false

  /// Creates a loop without work.
  public init() {}

  /// Keeps work until ``drain()``.
  public nonisolated func post(_ work: @escaping @MainActor @Sendable () -> Void) {
    works.withLock { $0.append(work) }
    posted.signal()
  }

  /// Keeps work until the test advances the time.
  @MainActor @discardableResult
  public func schedule(after milliseconds: Int, _ work: @escaping @MainActor () -> Void) -> TimerID {
    lastTimer += 1
    let id = TimerID(number: lastTimer)
    timers.append((id, now + milliseconds, work))
    return id
  }

  /// Cancels a timer.
  @MainActor public func cancel(_ timer: TimerID) { timers.removeAll { $0.id == timer } }

  /// The number of pending timers.
  @MainActor public var timerCount: Int { timers.count }

  /// Fires all pending timers; those that they schedule wait for the next call.
  @MainActor public func advanceTime() {
    for due in timers.map(\.id) {
      // An earlier timer may have canceled it.
      guard let index = timers.firstIndex(where: { $0.id == due }) else { continue }
      timers.remove(at: index).work()
    }
  }

  /// Lets that much time pass, and fires the timers that become due in the meantime, in their order.
  @MainActor public func advanceTime(by milliseconds: Int) {
    let end = now + milliseconds
    while let next = timers.min(by: { $0.deadline < $1.deadline }), next.deadline <= end {
      now = max(now, next.deadline)
      cancel(next.id)
      next.work()
    }
    now = end
  }

  /// Counts the call.
  @MainActor public func suspend() { suspends += 1 }
  /// Records the call.
  @MainActor public func stop() { isStopped = true }

  /// Runs the work posted so far, and the work that it posts.
  @MainActor public func drain() {
    while true {
      let batch = works.withLock { works in
        defer { works = [] }
        return works
      }
      guard !batch.isEmpty else { return }
      for work in batch { work() }
    }
  }

  /// Waits on this thread until something is posted. Each call takes one post, which may be an earlier one.
  /// - Returns: false if nothing was posted before the deadline.
  public func waitForPost(until deadline: DispatchTime) -> Bool { posted.wait(timeout: deadline) == .success }
}
