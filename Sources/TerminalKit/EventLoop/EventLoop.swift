import Glibc
import Synchronization
import SystemCalls

/// One `poll` for the keyboard, signals, work from other threads, watched descriptors and timers.
///
/// `run` occupies the main actor until it returns: tasks on the main actor do not run in the meantime. Other threads
/// and tasks reach the program with ``post(_:)``.
@MainActor
public final class EventLoop {
  private let terminal: any Terminal
  private let input: any InputSource
  private var decoder = InputDecoder()
  private var clickCounter = ClickCounter()
  private nonisolated let inbox = Inbox()
  private var timers = TimerQueue()
  private var watches: [Watch] = [] {
    didSet { descriptors.removeSubrange(Self.watchesStart...) }
  }
  /// The polled descriptors: keyboard, signals, inbox, then the watches, which are added again after a change.
  private var descriptors: [pollfd]
  private static let keyboard = 0
  private static let signals = 1
  private static let posted = 2
  private static let watchesStart = 3
  private var pendingSignals: [Int32] = []
  private var handle: ((Event) -> Void)?
  private var isStopped = false
  private var needsDraw = true
  // Allocated when the first key arrives: an allocation at the start would delay the first frame.
  private lazy var buffer = [UInt8](repeating: 0, count: 65_536)
  // When to flush the decoder; nil if there is nothing to flush.
  private var decoderDeadline: Int?

  /// If the last frame is at least this many milliseconds old, the next one is drawn even if more events are waiting.
  /// This shows progress during continuous input, and the effect of the first key after a pause at once.
  private static let maximumDrawDelay = 50

  /// Called to stop the process, as Ctrl-Z does: it must call `stop` once, when that is safe. A program should first
  /// release locks that it shares with other processes. If nil, the process stops at once.
  public var aroundStop: (@MainActor (_ stop: () -> Void) -> Void)?

  /// The signal that ended the loop, if any: after cleaning up, the program should die by this signal, to give its
  /// parent the right status. See ``TerminalGuard/die(bySignal:)``.
  public private(set) var terminationSignal: Int32?

  /// Creates a loop that is not running yet.
  public init(terminal: any Terminal, input: any InputSource) {
    self.terminal = terminal
    self.input = input
    descriptors = [input.keyboardDescriptor, input.signalDescriptor, inbox.descriptor].map(Self.readable)
  }

  private static func readable(_ descriptor: Int32) -> pollfd {
    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }

  /// Runs until ``stop()``, or until an ``Event/terminate(signal:)`` has been handled.
  ///
  /// - Parameters:
  ///   - draw: returns the next frame, or nil to keep the last one. Called at the start, and after events, timers and
  ///     other work: once no more are waiting, or if the previous call was at least 50 ms ago.
  ///   - handle: called with each event.
  public func run(draw: () -> Canvas?, handle: (Event) -> Void) {
    withoutActuallyEscaping(handle) { handle in
      self.handle = handle
      defer { self.handle = nil }
      loop(draw: draw)
    }
  }

  /// Ends ``run(draw:handle:)`` after the current event.
  public func stop() { isStopped = true }

  /// Runs work in the loop, in the order posted. Callable from any thread; the work is kept until the loop runs.
  public nonisolated func post(_ work: @escaping @MainActor @Sendable () -> Void) {
    TerminalGuard.coverThread()
    inbox.append(work)
  }

  /// Runs work once after that many milliseconds.
  @discardableResult
  public func schedule(after milliseconds: Int, _ work: @escaping @MainActor () -> Void) -> TimerID {
    timers.add(deadline: MonotonicClock.milliseconds + max(0, milliseconds), work)
  }

  /// Cancels a timer; ignored if it has already fired.
  public func cancel(_ timer: TimerID) { timers.remove(timer) }

  /// Calls the closure whenever the descriptor is readable; the closure must read from it. Replaces an earlier watch of
  /// the descriptor.
  ///
  /// If a descriptor fails or is closed, the closure is called once more and the watch ends. A socket that is closed by
  /// its peer stays readable: end its watch.
  public func watch(fileDescriptor: Int32, _ readable: @escaping @MainActor () -> Void) {
    stopWatching(fileDescriptor: fileDescriptor)
    watches.append(Watch(descriptor: fileDescriptor, readable: readable))
  }

  /// Ends a watch.
  public func stopWatching(fileDescriptor: Int32) { watches.removeAll { $0.descriptor == fileDescriptor } }

  /// Suspends as Ctrl-Z does: releases the terminal, stops all processes of this pipeline, and takes the terminal back
  /// when they are continued. It then sends ``Event/resize(_:)`` if the size changed, and ``Event/resumed``.
  public func suspend() { suspend(wholeGroup: true) }

  /// Lends the terminal to another program, such as an editor, and takes it back afterwards.
  public func withTerminalReleased<Result>(_ body: () throws -> Result) rethrows -> Result {
    let size = terminal.size
    terminal.leave()
    defer {
      // Keys of the other program, such as Ctrl-C, reach this one as signals.
      readSignals()
      pendingSignals.removeAll { [SIGINT, SIGQUIT, SIGCONT, SIGTSTP, SIGWINCH].contains($0) }
      terminal.enter()
      resume(from: size)
    }
    return try body()
  }

  /// Runs a program on the terminal; see ``ProgramLoop/runOnTerminal(_:)``.
  public func runOnTerminal(_ arguments: [String]) throws(DetachedProgram.Failure) {
    let code = withTerminalReleased { () -> Int32? in
      do throws(FileFailure) {
        // The shell continues both.
        _ = try ChildProcess(onTerminal: arguments).wait { stopProcess() }
        return nil
      } catch {
        return error.code
      }
    }
    if let code { throw DetachedProgram.Failure(code: code) }
  }

  private func stopProcess() {
    let stop = { [input] in input.stopProcess(wholeGroup: false) }
    if let aroundStop { aroundStop(stop) } else { stop() }
  }

  // MARK: The loop

  private func loop(draw: () -> Canvas?) {
    isStopped = false
    needsDraw = true
    var lastDraw = MonotonicClock.milliseconds
    while !isStopped {
      // `suspend` may have read signals.
      if !pendingSignals.isEmpty { handleSignals() }
      let now = MonotonicClock.milliseconds
      let isOverdue = needsDraw && now - lastDraw >= Self.maximumDrawDelay
      let isReady = !isOverdue && poll(timeout: needsDraw ? 0 : waitingTime(from: now))
      if isReady {
        serve()
      } else if needsDraw {
        // Stopped by SIGSTOP and continued in the background: the screen belongs to the shell.
        if !input.isInForeground {
          suspend(wholeGroup: false)
          continue
        }
        if let canvas = draw() { terminal.present(canvas) }
        needsDraw = false
        lastDraw = MonotonicClock.milliseconds
      }
      runTimers()
    }
  }

  private func waitingTime(from now: Int) -> Int {
    let next = min(timers.nextDeadline ?? .max, decoderDeadline ?? .max)
    return next == .max ? -1 : max(0, next - now)
  }

  // Waits for a descriptor; returns whether one is ready.
  private func poll(timeout: Int) -> Bool {
    if descriptors.count < Self.watchesStart + watches.count {
      descriptors += watches.map { Self.readable($0.descriptor) }
    }
    return Glibc.poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: timeout)) > 0
  }

  private func serve() {
    let (ready, polled) = (descriptors, watches)
    // Signals first: a request to terminate must not wait behind a flood of keys.
    if ready[Self.signals].revents != 0 { readSignals() }
    if !pendingSignals.isEmpty { handleSignals() }
    if ready[Self.keyboard].revents != 0, !isStopped { readKeyboard() }
    if ready[Self.posted].revents != 0, !isStopped {
      var works = inbox.takeAll()[...]
      while !isStopped, let work = works.popFirst() {
        work()
        needsDraw = true
      }
      inbox.putBack(works)
    }
    // Other work, and each closure, may end watches, and begin others with the same descriptor.
    for (item, watch) in zip(ready[Self.watchesStart...], polled) where item.revents != 0 && !isStopped {
      guard watches.contains(where: { $0 === watch }) else { continue }
      watch.readable()
      needsDraw = true
      if item.revents & Int16(POLLIN) == 0 { watches.removeAll { $0 === watch } }
    }
  }

  private func readKeyboard() {
    switch DescriptorRead(input.keyboardDescriptor, into: &buffer) {
    case .bytes(let count):
      deliver(decoder.feed(buffer[..<count]))
      decoderDeadline = decoder.timeout.map { MonotonicClock.milliseconds + $0 }
    case .nothing: break
    case .closed: terminate(signal: SIGHUP)
    }
  }

  private func deliver(_ events: [Event]) {
    for event in events where !isStopped {
      switch event {
      case .mouse(let mouse):
        terminal.setMouseHeld(mouse.action == .press || mouse.action == .drag)
        if let counted = clickCounter.counted(mouse, at: MonotonicClock.milliseconds) { send(.mouse(counted)) }
      case .focus(let isFocused):
        if isFocused { clickCounter.focused(at: MonotonicClock.milliseconds) }
        send(event)
      case .background(let isLight):
        terminal.setBackground(isLight: isLight)
        send(event)
      case .position(let position):
        terminal.setPosition(position)
        send(event)
      default: send(event)
      }
    }
  }

  private func send(_ event: Event) {
    needsDraw = true
    handle?(event)
  }

  private func runTimers() {
    let now = MonotonicClock.milliseconds
    if let deadline = decoderDeadline, deadline <= now {
      deliver(decoder.flush())
      decoderDeadline = decoder.timeout.map { now + $0 }
    }
    guard let next = timers.nextDeadline, next <= now else { return }
    // Timers added now wait for the next turn; otherwise a 0 ms timer that reschedules itself would run forever.
    let newest = timers.newest
    while !isStopped, let work = timers.takeDue(at: now, upTo: newest) {
      work()
      needsDraw = true
    }
  }

  // MARK: Signals

  private func readSignals() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while case .bytes(let count) = DescriptorRead(input.signalDescriptor, into: &bytes) {
      pendingSignals += bytes[..<count].map(Int32.init)
    }
  }

  private func handleSignals() {
    while !isStopped, !pendingSignals.isEmpty {
      let signals = pendingSignals
      pendingSignals = []
      if let end = signals.first(where: Self.isTermination) {
        terminate(signal: end)
        return
      }
      if signals.contains(SIGTSTP) {
        suspend(wholeGroup: false)
      } else if signals.contains(SIGCONT) {
        // Continued after SIGSTOP, which left no time to release the terminal: release it and take it back now.
        guard input.isInForeground else {
          suspend(wholeGroup: false)
          continue
        }
        let size = terminal.size
        terminal.leave()
        terminal.enter()
        resume(from: size)
      } else if signals.contains(SIGWINCH) {
        let size = terminal.size
        let newSize = terminal.updateSize()
        if newSize != size { send(.resize(newSize)) }
      }
    }
  }

  private static func isTermination(_ signal: Int32) -> Bool {
    signal != SIGTSTP && signal != SIGCONT && signal != SIGWINCH
  }

  private func terminate(signal: Int32) {
    terminationSignal = signal
    send(.terminate(signal: signal))
    isStopped = true
  }

  private func suspend(wholeGroup: Bool) {
    let size = terminal.size
    terminal.leave()
    repeat {
      if let aroundStop {
        aroundStop { input.stopProcess(wholeGroup: wholeGroup) }
      } else {
        input.stopProcess(wholeGroup: wholeGroup)
      }
      // The system does not stop a program whose shell is gone: wait instead of spinning.
      if !input.isInForeground { waitForSignal(atMost: 200) }
      readSignals()
      // Continued only to be terminated, perhaps in the background: leave the terminal to the shell.
      if pendingSignals.contains(where: Self.isTermination) { return }
    } while !input.isInForeground
    pendingSignals.removeAll { $0 == SIGCONT || $0 == SIGTSTP || $0 == SIGWINCH }
    terminal.enter()
    resume(from: size)
  }

  private func waitForSignal(atMost milliseconds: Int32) {
    var descriptor = Self.readable(input.signalDescriptor)
    _ = Glibc.poll(&descriptor, 1, milliseconds)
  }

  private func resume(from size: Size) {
    let newSize = terminal.updateSize()
    if newSize != size { send(.resize(newSize)) }
    send(.resumed)
  }
}

private final class Watch {
  let descriptor: Int32
  let readable: @MainActor () -> Void

  init(descriptor: Int32, readable: @escaping @MainActor () -> Void) {
    self.descriptor = descriptor
    self.readable = readable
  }
}
