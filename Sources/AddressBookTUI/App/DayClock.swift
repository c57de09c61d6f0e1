import AddressBookModel
import Contacts
import Glibc
import TerminalKit

/// Which day it is, for screens that must not read the clock while they draw.
///
/// The clock is read with every event, and by a timer at midnight; the timer comes at least every hour, since it stands still
/// while the machine sleeps. The calendar is asked once an hour, and when the clock was set back.
@MainActor
final class DayClock {
  private static let longestWait = 3600

  /// Seconds since 1970.
  private let now: @MainActor () -> Int
  private let loop: any ProgramLoop
  private var isTimed = false
  private var day: CalendarDay?
  /// The seconds for which `day` holds: to the next midnight, and not for long, because a clock may be put to another time zone.
  private var validity = 0..<0

  init(loop: any ProgramLoop, now: @escaping @MainActor () -> Int = { Int(time(nil)) }) {
    self.loop = loop
    self.now = now
  }

  /// The day as it was looked up last; asking for the first time also sets the timer.
  var today: CalendarDay {
    if let day { return day }
    let day = lookUp(at: now())
    wait()
    return day
  }

  /// Sees to it that the day is still right, where anybody has asked for it.
  func refresh() {
    guard day != nil else { return }
    let moment = now()
    if !validity.contains(moment) { _ = lookUp(at: moment) }
  }

  private func lookUp(at moment: Int) -> CalendarDay {
    let day = CalendarDay(at: moment)
    self.day = day
    validity = moment..<moment + min(Self.longestWait, CalendarDay.secondsToMidnight(from: moment))
    return day
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
