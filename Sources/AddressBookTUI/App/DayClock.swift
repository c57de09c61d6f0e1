import AddressBookModel
import Contacts
import Glibc
import TerminalKit

/// The current date, for screens, which must not read the clock while they draw.
///
/// The clock is read with every event, and by a timer at midnight; the timer fires at least every hour, because it
/// stops while the machine sleeps. The date is computed again at midnight, every hour, and after the clock was set
/// back.
@MainActor
final class DayClock {
  private static let longestWait = 3600

  /// Seconds since 1970.
  private let now: @MainActor () -> Int
  private let loop: any ProgramLoop
  private var isTimed = false
  private var day: CalendarDay?
  /// The seconds for which `day` is valid: until midnight, but at most an hour, because the time zone may change.
  private var validity = 0..<0

  init(loop: any ProgramLoop, now: @escaping @MainActor () -> Int = { Int(time(nil)) }) {
    self.loop = loop
    self.now = now
  }

  /// The date as last determined; the first access also sets the timer.
  var today: CalendarDay {
    if let day { return day }
    let day = lookUp(at: now())
    wait()
    return day
  }

  /// Updates the date, if it has been used.
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
    // The timer also makes the loop redraw, which only sends differences.
    loop.schedule(after: seconds * 1000) { [weak self] in
      self?.isTimed = false
      self?.refresh()
      self?.wait()
    }
  }
}
