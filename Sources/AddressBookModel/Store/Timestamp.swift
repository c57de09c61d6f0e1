import Contacts
import Glibc

/// Times in the store's format: ISO 8601 in UTC to the second, such as `2026-03-01T09:30:00Z`.
package enum Timestamp {
  package static func now() -> String {
    text(secondsSince1970: time(nil))
  }

  /// Returns the present time in seconds since 1970-01-01T00:00:00Z, with fractions.
  static func seconds() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  static func daysAgo(_ days: Int) -> String { text(secondsSince1970: time(nil) - days * 86_400) }

  package static func text(secondsSince1970 seconds: Int) -> String {
    var moment = seconds
    var parts = tm()
    gmtime_r(&moment, &parts)
    return "\(minute(parts, "T")):\(pad(Int(parts.tm_sec), 2))Z"
  }

  /// Returns a timestamp in local time, such as `2026-03-01 10:30`. Text that is not a timestamp is returned unchanged.
  package static func local(_ text: String) -> String {
    let numbers = text.split { !("0"..."9").contains($0) }.compactMap { Int32($0) }
    guard numbers.count == 6, text.hasSuffix("Z") else { return text }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    return minute(CalendarDay.local(timegm(&parts)), " ")
  }

  private static func minute(_ parts: tm, _ separator: String) -> String {
    "\(pad(Int(parts.tm_year) + 1900, 4))-\(pad(Int(parts.tm_mon) + 1, 2))-\(pad(Int(parts.tm_mday), 2))\(separator)"
      + "\(pad(Int(parts.tm_hour), 2)):\(pad(Int(parts.tm_min), 2))"
  }

  private static func pad(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

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

  fileprivate static func local(_ moment: Int) -> tm {
    var seconds = time_t(moment)
    var time = tm()
    localtime_r(&seconds, &time)
    return time
  }
}
