import Dispatch
import Synchronization
import TerminalKit

/// A loop that a test turns by hand: what other threads post waits until ``drain()``, and time passes by ``passTime()``.
public final class ManualLoop: ProgramLoop {
  private let works = Mutex<[@MainActor @Sendable () -> Void]>([])
  private let posted = DispatchSemaphore(value: 0)
  @MainActor private var timers: [(id: TimerID, work: @MainActor () -> Void)] = []
  @MainActor private var lastTimer = 0
  /// How often the program was to be stopped as by Ctrl-Z.
  @MainActor public private(set) var suspends = 0
  /// True when the program was to end.
  @MainActor public private(set) var isStopped = false

  /// A loop without work.
  public init() {}

  /// Keeps work for ``drain()``.
  public nonisolated func post(_ work: @escaping @MainActor @Sendable () -> Void) {
    works.withLock { $0.append(work) }
    posted.signal()
  }

  /// Keeps work for ``passTime()``.
  @MainActor @discardableResult
  public func schedule(after milliseconds: Int, _ work: @escaping @MainActor () -> Void) -> TimerID {
    lastTimer += 1
    let id = TimerID(number: lastTimer)
    timers.append((id, work))
    return id
  }

  /// Drops a timer.
  @MainActor public func cancel(_ timer: TimerID) { timers.removeAll { $0.id == timer } }

  /// Number of timers that wait.
  @MainActor public var timerCount: Int { timers.count }

  /// Lets the time pass that all scheduled work waits for; what that work schedules waits for the next call.
  @MainActor public func passTime() {
    let due = timers
    timers = []
    for timer in due { timer.work() }
  }

  /// Counts the call.
  @MainActor public func suspend() { suspends += 1 }
  /// Notes the call.
  @MainActor public func stop() { isStopped = true }

  /// Does the work that was posted so far, and what that work posts.
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

  /// Waits on this thread until something is posted.
  /// - Returns: false when nothing was posted until then.
  public func waitForPost(until deadline: DispatchTime) -> Bool { posted.wait(timeout: deadline) == .success }
}
