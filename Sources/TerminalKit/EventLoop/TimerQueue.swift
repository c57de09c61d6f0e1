import Glibc

/// Work scheduled by time. A screen has a handful of timers, so a sorted array is enough.
struct TimerQueue {
  private struct Entry {
    let id: TimerID
    let deadline: Int
    let work: @MainActor () -> Void
  }

  private var entries: [Entry] = []
  private var lastNumber = 0

  /// When the next timer is due, in milliseconds of the monotonic clock; nil if there is none.
  var nextDeadline: Int? { entries.first?.deadline }

  mutating func add(deadline: Int, _ work: @escaping @MainActor () -> Void) -> TimerID {
    lastNumber += 1
    let entry = Entry(id: TimerID(number: lastNumber), deadline: deadline, work: work)
    // After those with the same deadline, to keep their order.
    let index = entries.firstIndex { $0.deadline > deadline } ?? entries.endIndex
    entries.insert(entry, at: index)
    return entry.id
  }

  mutating func remove(_ id: TimerID) { entries.removeAll { $0.id == id } }

  var newest: TimerID { TimerID(number: lastNumber) }

  /// Removes the first timer that is due and no newer than the given one, and returns its work; nil if there is none.
  mutating func takeDue(at now: Int, upTo newest: TimerID) -> (@MainActor () -> Void)? {
    let index = entries.firstIndex { $0.deadline <= now && $0.id.number <= newest.number }
    return index.map { entries.remove(at: $0).work }
  }
}

/// A clock that never jumps.
enum MonotonicClock {
  /// Milliseconds since an arbitrary point in the past.
  static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
