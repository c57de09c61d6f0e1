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
    return "\(pad(Int(parts.tm_year) + 1900, 4))-\(pad(Int(parts.tm_mon) + 1, 2))-\(pad(Int(parts.tm_mday), 2))"
      + "T\(pad(Int(parts.tm_hour), 2)):\(pad(Int(parts.tm_min), 2)):\(pad(Int(parts.tm_sec), 2))Z"
  }

  /// Returns a timestamp in local time, such as `2026-03-01 10:30`. Text that is not a timestamp is returned unchanged.
  package static func local(_ text: String) -> String {
    let numbers = text.split { !("0"..."9").contains($0) }.compactMap { Int32($0) }
    guard numbers.count == 6, text.hasSuffix("Z") else { return text }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    parts = CalendarDay.local(timegm(&parts))
    return "\(pad(Int(parts.tm_year) + 1900, 4))-\(pad(Int(parts.tm_mon) + 1, 2))-\(pad(Int(parts.tm_mday), 2))"
      + " \(pad(Int(parts.tm_hour), 2)):\(pad(Int(parts.tm_min), 2))"
  }

  private static func pad(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
