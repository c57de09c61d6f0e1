import Dispatch
import Synchronization

/// Makes background work wait while the user presses keys: on two cores it would take one of them and fill the caches
/// of both, which slows down the response to a key.
final class KeyPause: Sendable {
  /// How long the work waits after a key, in nanoseconds.
  private let rest: UInt64
  /// The longest time that one run waits in total, in nanoseconds: the work must be done even if the user never pauses,
  /// and while the book is being copied, its log cannot be emptied.
  private let longest: UInt64
  private let now: @Sendable () -> UInt64
  /// The time of the last key; 0 for none.
  private let lastKey = Atomic<UInt64>(0)
  private let waited = Atomic<UInt64>(0)
  private let flag = CancellationFlag()
  private let wakeUp = DispatchSemaphore(value: 0)

  /// - Parameter now: a clock in nanoseconds that never goes back, such as `DispatchTime`.
  init(
    rest: UInt64 = 1_000_000_000, longest: UInt64 = 60_000_000_000,
    now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
  ) {
    self.rest = rest
    self.longest = longest
    self.now = now
  }

  /// Call this when a run of the work begins.
  func begin() { waited.store(0, ordering: .relaxed) }

  /// Call this for each event, such as a key.
  func recordEvent() { lastKey.store(now(), ordering: .relaxed) }

  /// Ends the work, even while it waits.
  func cancel() {
    flag.set()
    wakeUp.signal()
  }

  /// How long the work must still wait, in nanoseconds.
  var remaining: UInt64 {
    let key = lastKey.load(ordering: .relaxed)
    guard key > 0, waited.load(ordering: .relaxed) < longest else { return 0 }
    let time = now()
    return key + rest > time ? key + rest - time : 0
  }

  /// Called often by the work, on its own thread: waits while keys are pressed.
  /// - Returns: true when the work should end.
  func waitOrStop() -> Bool {
    while !flag.isSet, case let time = remaining, time > 0 {
      let start = now()
      _ = wakeUp.wait(timeout: .now() + .nanoseconds(Int(time)))
      waited.add(now() - start, ordering: .relaxed)
    }
    return flag.isSet
  }
}
