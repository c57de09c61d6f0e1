import Contacts
import Glibc

extension CalendarDay {
  /// Creates the local date at a point in time, in the time zone of `TZ` or, if it is not set, the system's.
  /// - Parameter moment: seconds since 1970 in UTC.
  public init(at moment: Int) {
    let time = Self.local(moment)
    guard let date = PartialDate(year: nil, month: Int(time.tm_mon) + 1, day: Int(time.tm_mday)) else {
      preconditionFailure("localtime_r gave no day of the calendar")
    }
    self.init(date, in: Int(time.tm_year) + 1900)
  }

  /// Returns the seconds until the next local midnight: 1 to 86,400. If the clocks change before then, the result is
  /// off by that change.
  /// - Parameter moment: seconds since 1970 in UTC.
  public static func secondsToMidnight(from moment: Int) -> Int {
    let time = local(moment)
    return max(1, 86_400 - Int(time.tm_hour) * 3600 - Int(time.tm_min) * 60 - Int(time.tm_sec))
  }

  static func local(_ moment: Int) -> tm {
    var seconds = time_t(moment)
    var time = tm()
    localtime_r(&seconds, &time)
    return time
  }
}
