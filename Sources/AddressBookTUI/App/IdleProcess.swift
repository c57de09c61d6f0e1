import Dispatch
import Foundation
import Glibc
import ResultsController
import Synchronization
import TerminalKit

/// Keeps the heap of a mostly idle program small, at the cost of a few system calls.
///
/// glibc gives each thread its own heap and keeps freed memory, more of it if the blocks were large: after some
/// searches, this is a third of the program's memory. The program's threads hardly ever allocate at the same time, so
/// one heap is enough.
public enum HeapLimits {
  private typealias Option = @convention(c) (Int32, Int32) -> Int32
  // From <malloc.h>, which Swift's Glibc module lacks.
  private static let trimThreshold: Int32 = -1
  private static let arenaMaximum: Int32 = -8

  /// Sets the limits if the address space is limited (`ulimit -v`): glibc reserves 64 MiB of address space for the heap
  /// of each thread, so whether the limit is enough would depend on how the threads happen to run.
  public static func setIfLimited() {
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < rlim_t.max { set() }
  }

  /// Limits the program to one heap, and makes glibc return free memory at the end of the heap to the system if it
  /// exceeds 64 KiB. Call this once, before starting other threads. Does nothing with another C library.
  static func set() {
    guard let symbol = dlsym(nil, "mallopt") else { return }
    let mallopt = unsafeBitCast(symbol, to: Option.self)
    _ = mallopt(arenaMaximum, 1)
    _ = mallopt(trimThreshold, 64 * 1024)
  }
}

/// Returns freed memory to the system: after a long list was read or rewritten, malloc keeps as much free memory as the
/// list itself needs, for allocations that never happen.
enum HeapTrimming {
  /// Lists with fewer rows free too little to be worth walking the heap.
  private static let minimumRows = 50_000
  /// Changes of fewer rows free too little as well.
  private static let minimumChangedRows = 4096

  private typealias Trim = @convention(c) (Int) -> Int32

  /// `malloc_trim`, which Swift's Glibc module lacks; nil with another C library.
  private static let mallocTrim = dlsym(nil, "malloc_trim").map { unsafeBitCast($0, to: Trim.self) }
  private static let queue = DispatchQueue(label: "HeapTrimming", qos: .utility)
  /// The number of large updates so far; only the newest one trims the heap.
  private static let newest = Atomic(0)
  /// The heap is not trimmed between the updates of a search that is being typed: other threads would wait for it, and
  /// need the memory again at once.
  private static let pause = DispatchTimeInterval.milliseconds(500)

  /// Call this after every update of a list. Half a second after the last large update of a long list, the heap is
  /// trimmed on another thread, which takes some milliseconds for a hundred megabytes.
  static func trim(after update: ResultsUpdate) {
    guard max(update.before.count, update.after.count) > minimumRows else { return }
    let isLarge =
      update.completesOpening || abs(update.before.count - update.after.count) > minimumChangedRows
      || (!update.keepsRows && update.changes.updates.count + update.changes.moves.count > minimumChangedRows)
    guard isLarge else { return }
    let turn = newest.add(1, ordering: .relaxed).newValue
    queue.asyncAfter(deadline: .now() + pause) {
      guard turn == newest.load(ordering: .relaxed) else { return }
      TerminalGuard.coverThread()
      _ = mallocTrim?(0)
    }
  }
}

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
