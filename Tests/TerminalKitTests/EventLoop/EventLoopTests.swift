import Dispatch
import Glibc
import Synchronization
import TerminalKitTesting
import Testing

@testable import TerminalKit

private final class Order: Sendable {
  private let list = Mutex<[Int]>([])
  var numbers: [Int] { list.withLock { $0 } }
  func add(_ number: Int) { list.withLock { $0.append(number) } }
}

@MainActor @Suite struct EventLoopTests {
  private let terminal = RecordingTerminal(size: Size(rows: 4, columns: 20))
  private let input = PipeInput()

  // Runs the loop until it stops, for at most five seconds, and returns the events.
  private func run(_ loop: EventLoop, handle: (Event) -> Void = { _ in }) -> [Event] {
    run(loop, drawing: { nil }, handle: handle)
  }

  private func run(_ loop: EventLoop, drawing draw: () -> Canvas?, handle: (Event) -> Void = { _ in }) -> [Event] {
    var events: [Event] = []
    loop.schedule(after: 5000) {
      Issue.record("the loop did not end")
      loop.stop()
    }
    loop.run(draw: draw) { event in
      events.append(event)
      if event == .key(.character("q")) { loop.stop() }
      handle(event)
    }
    return events
  }

  private func canvas() -> Canvas { Canvas(size: terminal.size) }

  @Test func keysAreHandledAndDrawnOnce() {
    let loop = EventLoop(terminal: terminal, input: input)
    input.type("abc\u{1B}[A")
    var draws = 0
    let events = run(
      loop,
      drawing: {
        draws += 1
        if draws == 1 { input.type("q") }
        return canvas()
      })
    #expect(events.count == 5)
    #expect(draws == 1)
  }

  @Test func theFirstFrameNeedsNoEvent() {
    let loop = EventLoop(terminal: terminal, input: input)
    _ = run(
      loop,
      drawing: {
        input.type("q")
        return canvas()
      })
    #expect(terminal.presentCount == 1)
  }

  @Test func aLoneEscapeIsAKeyAfterAWhile() {
    let loop = EventLoop(terminal: terminal, input: input)
    input.type("\u{1B}")
    let start = MonotonicClock.milliseconds
    var waited = 0
    let events = run(loop) { event in
      waited = MonotonicClock.milliseconds - start
      loop.stop()
    }
    #expect(events == [.key(Key(.escape))])
    #expect(waited >= 35)
  }

  @Test func workOfOtherThreadsIsDoneInOrder() {
    let loop = EventLoop(terminal: terminal, input: input)
    let order = Order()
    // Not a task, because other tests may occupy all threads that run tasks.
    DispatchQueue.global().async {
      for number in 0..<1000 { loop.post { order.add(number) } }
      loop.post { loop.stop() }
    }
    _ = run(loop)
    #expect(order.numbers == Array(0..<1000))
  }

  @Test func workPostedBehindAStopWaitsForTheNextRun() {
    let loop = EventLoop(terminal: terminal, input: input)
    let order = Order()
    for number in 1...3 {
      loop.post {
        order.add(number)
        if number != 2 { loop.stop() }
        if number == 1 { loop.post { order.add(4) } }
      }
    }
    _ = run(loop)
    #expect(order.numbers == [1])
    _ = run(loop)
    #expect(order.numbers == [1, 2, 3])
    loop.post { loop.stop() }
    _ = run(loop)
    #expect(order.numbers == [1, 2, 3, 4])
  }

  @Test func timersComeInTheirOrder() {
    let loop = EventLoop(terminal: terminal, input: input)
    var order: [String] = []
    loop.schedule(after: 20) { order.append("late") }
    loop.schedule(after: 0) { order.append("first") }
    let dropped = loop.schedule(after: 5) { order.append("never") }
    loop.schedule(after: 5) { order.append("second") }
    loop.schedule(after: 30) { loop.stop() }
    loop.cancel(dropped)
    _ = run(loop)
    #expect(order == ["first", "second", "late"])
  }

  @Test func aTimerThatRenewsItselfDoesNotStarveTheKeys() {
    let loop = EventLoop(terminal: terminal, input: input)
    var count = 0
    func again() {
      count += 1
      if count == 10 { input.type("q") }
      loop.schedule(after: 0) { again() }
    }
    again()
    #expect(run(loop) == [.key(.character("q"))])
  }

  @Test func resizesAreCoalesced() {
    let loop = EventLoop(terminal: terminal, input: input)
    for _ in 0..<100 { input.signal(SIGWINCH) }
    terminal.pendingSize = Size(rows: 10, columns: 40)
    loop.schedule(after: 10) { input.type("q") }
    #expect(run(loop) == [.resize(Size(rows: 10, columns: 40)), .key(.character("q"))])
  }

  @Test func terminationIsHandledBeforeKeys() {
    let loop = EventLoop(terminal: terminal, input: input)
    input.type("abc")
    input.signal(SIGTERM)
    #expect(run(loop).first { if case .terminate = $0 { true } else { false } } == .terminate(signal: SIGTERM))
    #expect(loop.terminationSignal == SIGTERM)
  }

  @Test func aClosedTerminalEndsTheLoop() {
    let loop = EventLoop(terminal: terminal, input: input)
    input.type("a")
    input.hangUp()
    #expect(run(loop) == [.key(.character("a")), .terminate(signal: SIGHUP)])
  }

  @Test func suspendReleasesTheTerminal() {
    let loop = EventLoop(terminal: terminal, input: input)
    input.onStop = {
      #expect(terminal.leaves == 1 && terminal.enters == 0)
      terminal.pendingSize = Size(rows: 3, columns: 9)
      input.signal(SIGCONT)
    }
    input.type("\u{1A}")
    let events = run(loop) { event in
      if event == .key(.control("z")) { loop.suspend() }
      if event == .resumed { input.type("q") }
    }
    #expect(terminal.enters == 1)
    #expect(events.dropFirst() == [.resize(Size(rows: 3, columns: 9)), .resumed, .key(.character("q"))])
    #expect(events.first == .key(.control("z")))
    #expect(input.stops == 1)
  }

  @Test func terminationWhileStoppedFromOutsideEndsTheLoop() {
    let loop = EventLoop(terminal: terminal, input: input)
    input.onStop = {
      input.signal(SIGTERM)
      input.signal(SIGCONT)
    }
    input.signal(SIGTSTP)
    #expect(run(loop) == [.terminate(signal: SIGTERM)])
    #expect(terminal.leaves == 1 && terminal.enters == 0)
  }

  @Test func continuedAfterAStopThatCouldNotBeCaught() {
    let loop = EventLoop(terminal: terminal, input: input)
    input.signal(SIGCONT)
    let events = run(loop) { if $0 == .resumed { loop.stop() } }
    #expect(events == [.resumed])
    #expect(terminal.leaves == 1 && terminal.enters == 1)
  }

  /// SIGSTOP and then `bg`: the shell has the terminal.
  @Test func nothingIsDrawnInTheBackground() {
    let loop = EventLoop(terminal: terminal, input: input)
    input.isInForeground = false
    input.onStop = {
      // Twice in the background, then `fg`.
      if input.stops == 3 { input.isInForeground = true }
      input.signal(SIGCONT)
      #expect(terminal.presentCount == 0)
    }
    input.signal(SIGCONT)
    loop.post {}
    let events = run(loop, drawing: { canvas() }, handle: { if $0 == .resumed { input.type("q") } })
    #expect(events == [.resumed, .key(.character("q"))])
    #expect(input.stops == 3)
    #expect(terminal.leaves == 1 && terminal.enters == 1)
  }

  /// No signal tells the program that it is in the background.
  @Test func theForegroundIsCheckedBeforeDrawing() {
    let loop = EventLoop(terminal: terminal, input: input)
    input.isInForeground = false
    input.onStop = {
      input.isInForeground = true
      input.signal(SIGCONT)
    }
    let events = run(loop, drawing: { canvas() }, handle: { if $0 == .resumed { input.type("q") } })
    #expect(events == [.resumed, .key(.character("q"))])
    #expect(input.stops == 1)
  }

  @Test(arguments: [SIGUSR1, SIGUSR2, SIGPWR, SIGXCPU, SIGALRM, 40])
  func everySignalThatEndsAProgramEndsTheLoop(signal: Int32) {
    let loop = EventLoop(terminal: terminal, input: input)
    input.signal(signal)
    #expect(run(loop) == [.terminate(signal: signal)])
    #expect(loop.terminationSignal == signal)
  }

  @Test func terminationWhileSuspendedByAKeyEndsTheLoop() {
    let loop = EventLoop(terminal: terminal, input: input)
    input.onStop = { input.signal(SIGTERM) }
    input.type("z")
    let events = run(loop) { if $0 == .key(.character("z")) { loop.suspend() } }
    #expect(events == [.key(.character("z")), .terminate(signal: SIGTERM)])
  }

  @Test func watchedDescriptors() {
    let loop = EventLoop(terminal: terminal, input: input)
    let pipe = Pipe()
    var calls = 0
    loop.watch(fileDescriptor: pipe.readEnd) {
      var bytes = [UInt8](repeating: 0, count: 8)
      switch DescriptorRead(pipe.readEnd, into: &bytes) {
      case .bytes: pipe.closeWriteEnd()
      case .nothing: break
      case .closed: loop.schedule(after: 5) { loop.stop() }
      }
      calls += 1
    }
    pipe.write([1])
    _ = run(loop)
    // The handler of a closed descriptor is called once more, and then never again.
    #expect(calls == 2)
  }

  /// A closed descriptor's number is reused, for example by the next connection.
  @Test func aWatchThatReplacesAClosedOneStays() {
    let loop = EventLoop(terminal: terminal, input: input)
    let pipe = Pipe()
    pipe.closeWriteEnd()
    loop.watch(fileDescriptor: pipe.readEnd) {
      loop.watch(fileDescriptor: pipe.readEnd) { loop.stop() }
    }
    _ = run(loop)
  }

  @Test func aWatchIsNotToldWhatTheOneItReplacesMissed() {
    let loop = EventLoop(terminal: terminal, input: input)
    let (first, second) = (Pipe(), Pipe())
    var calls = 0
    loop.watch(fileDescriptor: first.readEnd) {
      var bytes = [UInt8](repeating: 0, count: 8)
      _ = DescriptorRead(first.readEnd, into: &bytes)
      _ = DescriptorRead(second.readEnd, into: &bytes)
      loop.watch(fileDescriptor: second.readEnd) { calls += 1 }
      loop.schedule(after: 5) { loop.stop() }
    }
    loop.watch(fileDescriptor: second.readEnd) { Issue.record("replaced") }
    first.write([1])
    second.write([1])
    _ = run(loop)
    #expect(calls == 0)
  }

  @Test func doubleClicks() {
    var counter = ClickCounter()
    let press = Mouse(.press, at: Point(row: 1, column: 1))
    let beside = Mouse(.press, at: Point(row: 1, column: 2))
    let release = Mouse(.release, at: press.position)
    let clicks = [(press, 0), (release, 50), (press, 400), (press, 500), (press, 1200), (beside, 1300)]
      .map { counter.counted($0, at: $1)?.clicks }
    #expect(clicks == [1, 1, 2, 1, 1, 1])
  }

  @Test func aClickThatBringsTheWindowForwardIsIgnored() {
    var counter = ClickCounter()
    let press = Mouse(.press, at: Point(row: 1, column: 1))
    let click = [press, Mouse(.drag, at: press.position), Mouse(.release, at: press.position)]
    counter.focused(at: 1000)
    #expect(click.compactMap { counter.counted($0, at: 1020) } == [])
    #expect(click.compactMap { counter.counted($0, at: 1090) } == click)
    // Focused with a key, and clicked later; the wheel is no click.
    counter.focused(at: 5000)
    #expect(counter.counted(Mouse(.wheelUp, at: press.position), at: 5010) != nil)
    #expect(click.compactMap { counter.counted($0, at: 5000 + ClickCounter.focusTime + 1) } == click)
  }

  @Test func theTerminalIsReleasedAndReacquired() {
    let loop = EventLoop(terminal: terminal, input: input)
    input.type("e")
    let events = run(loop) { event in
      if event == .key(.character("e")) {
        loop.withTerminalReleased { terminal.pendingSize = Size(rows: 2, columns: 2) }
      }
      if event == .resumed { loop.stop() }
    }
    #expect(events.contains(.resize(Size(rows: 2, columns: 2))))
    #expect(terminal.leaves == 1 && terminal.enters == 1)
  }

  @Test func aFrameThatIsDueIsDrawnBeforeFurtherKeys() {
    let loop = EventLoop(terminal: terminal, input: input)
    var order: [String] = []
    _ = run(
      loop,
      drawing: {
        if order.isEmpty { input.type("a") }
        order.append("draw")
        return canvas()
      },
      handle: { event in
        guard case .key(let key) = event else { return }
        order.append(key.notation)
        guard key != .character("q") else { return }
        if key == .character("b") { usleep(60_000) }
        input.type(key == .character("a") ? "b" : "q")
      })
    #expect(order == ["draw", "a", "b", "draw", "q"])
  }

  @Test func aFloodOfKeysIsDrawnAtIntervals() {
    let loop = EventLoop(terminal: terminal, input: input)
    input.type(String(repeating: "a", count: 60_000))
    var count = 0
    var draws = 0
    _ = run(
      loop,
      drawing: {
        draws += 1
        return nil
      },
      handle: { _ in
        count += 1
        if count == 60_000 { input.type("q") }
      })
    #expect(count == 60_001)
    #expect(draws < 200)
  }
}
