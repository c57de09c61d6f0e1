import Dispatch
import Synchronization
import SystemThreads
import Testing

@Suite struct SecondThreadTests {
  @Test(.enabled(if: SystemThread.hasSecond)) func aSecondThreadHelps() {
    let hasCome = DispatchSemaphore(value: 0)
    SecondThread.help { thread in
      if thread == 0 { #expect(hasCome.wait(timeout: .now() + 10) == .success) } else { hasCome.signal() }
    }
  }

  /// The body runs once on this thread and at most once on another, and all work is done when the call returns.
  @Test func allWorkIsDoneOnce() {
    final class Counts: Sendable {
      let next = Atomic(0)
      let done = Atomic(0)
      let calls = Atomic(0)
      let first = Atomic(0)
    }
    for turn in 0..<2000 {
      let counts = Counts()
      let parts = turn % 7 == 0 ? 0 : turn % 40
      SecondThread.help { thread in
        counts.calls.add(1, ordering: .relaxed)
        if thread == 0 { counts.first.add(1, ordering: .relaxed) }
        while counts.next.add(1, ordering: .relaxed).oldValue < parts { counts.done.add(1, ordering: .relaxed) }
      }
      let calls = counts.calls.load(ordering: .relaxed)
      #expect(counts.first.load(ordering: .relaxed) == 1 && (1...2).contains(calls))
      #expect(counts.done.load(ordering: .relaxed) == parts)
    }
  }
}
