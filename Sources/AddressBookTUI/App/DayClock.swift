import AddressBookModel
import Glibc

/// Which day it is, for screens that must not read the clock while they draw.
///
/// The day is looked up again with every event, and by a timer at midnight; the timer comes at least every hour, since it
/// stands still while the machine sleeps.
@MainActor
final class DayClock {
  private static let longestWait = 3600

  /// Seconds since 1970.
  private let now: @MainActor () -> Int
  private let loop: any ProgramLoop
  private var isTimed = false
  private var day: CalendarDay?

  init(loop: any ProgramLoop, now: @escaping @MainActor () -> Int = { Int(time(nil)) }) {
    self.loop = loop
    self.now = now
  }

  /// The day as it was looked up last; asking for the first time also sets the timer.
  var today: CalendarDay {
    if let day { return day }
    let day = CalendarDay(at: now())
    self.day = day
    wait()
    return day
  }

  /// Looks the day up again, where anybody has asked for it.
  func refresh() {
    guard day != nil else { return }
    day = CalendarDay(at: now())
  }

  private func wait() {
    guard !isTimed else { return }
    isTimed = true
    let seconds = min(Self.longestWait, CalendarDay.secondsToMidnight(from: now()))
    // A timer makes the loop draw again, which sends only what is different.
    loop.schedule(after: seconds * 1000) { [weak self] in
      self?.isTimed = false
      self?.refresh()
      self?.wait()
    }
  }
}
