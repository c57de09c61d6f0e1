import Foundation

/// The dates of the format language: `YYYY-MM-DDThh:mm:ss[.mmm]Z`, in UTC.
enum FormatDate {
  /// The date; nil if the text is not one.
  static func date(_ text: String) -> Date? {
    milliseconds(text).map { Date(timeIntervalSince1970: Double($0) / 1000) }
  }

  /// Milliseconds since 1970; nil if the text is not such a date, or no day of the Gregorian calendar.
  static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20 || bytes.count == 24 else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      var value: Int64 = 0
      for byte in bytes[range] {
        guard (48...57).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - 48)
      }
      return value
    }
    let signs: [(Int, Character)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (bytes.count - 1, "Z")]
    guard signs.allSatisfy({ bytes[$0.0] == $0.1.asciiValue }), bytes.count == 20 || bytes[19] == 46,
      let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      let milliseconds = bytes.count == 20 ? 0 : number(20..<23),
      (1...12).contains(month), day >= 1, day <= length(month: month, year: year), hour < 24, minute < 60, second < 60
    else { return nil }
    let days = days(year: year, month: month, day: day)
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + milliseconds
  }

  private static func length(month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01. Years begin in March, so that the leap day is the last.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 + 400 : year + 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468 - 146_097
  }
}
