import Dispatch
import Glibc
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
  /// The programs that were run on the terminal, with their arguments.
  @MainActor public private(set) var programs: [[String]] = []
  /// Does what a program would do, such as changing a file.
  @MainActor public var program: (([String]) -> Void)?
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
  /// Records the program, which is not started, and calls ``program``.
  @MainActor public func runOnTerminal(_ arguments: [String]) {
    programs.append(arguments)
    program?(arguments)
  }
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

/// Keys and signals from pipes, for tests.
@MainActor
public final class PipeInput: InputSource {
  private let keyboard = TestPipe()
  private let signals = TestPipe()
  /// The number of requests to stop the process.
  public private(set) var stops = 0
  /// The closure that is called instead of stopping.
  public var onStop: (() -> Void)?
  /// Whether the program is in the foreground; settable, initially true.
  public var isInForeground = true

  /// Creates an input without any data yet.
  public init() {}

  /// The pipe that `type` fills.
  public var keyboardDescriptor: Int32 { keyboard.readEnd }
  /// The pipe that ``signal(_:)`` fills.
  public var signalDescriptor: Int32 { signals.readEnd }

  /// Counts the request, and calls ``onStop``.
  public func stopProcess(wholeGroup: Bool) {
    stops += 1
    onStop?()
  }

  /// Types bytes as a terminal would send them. The pipe holds at most 64 KiB until the loop reads.
  public func type(_ bytes: some Sequence<UInt8>) { keyboard.write(Array(bytes)) }
  /// Types text.
  public func type(_ text: String) { type(text.utf8) }
  /// Delivers a signal.
  public func signal(_ number: Int32) { signals.write([UInt8(truncatingIfNeeded: number)]) }
  /// Closes the terminal's other end.
  public func hangUp() { keyboard.closeWriteEnd() }
}

/// A non-blocking pipe that is closed on exec.
private final class TestPipe {
  let readEnd: Int32
  private var writeEnd: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "no descriptors are left")
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    _ = close(readEnd)
    closeWriteEnd()
  }

  /// Writes as much as fits.
  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(writeEnd, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func closeWriteEnd() {
    if writeEnd >= 0 { _ = close(writeEnd) }
    writeEnd = -1
  }
}
