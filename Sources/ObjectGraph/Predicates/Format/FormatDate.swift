import Foundation

/// The dates of the format language: `YYYY-MM-DDThh:mm:ss[.mmm]Z`, in UTC.
enum FormatDate {
  /// Returns the date; nil if the text is not one.
  static func date(_ text: String) -> Date? {
    // Relative to 2001, as dates are stored, so that nothing is rounded twice.
    milliseconds(text).map { Date(timeIntervalSinceReferenceDate: Double($0 - 978_307_200_000) / 1000) }
  }

  /// Returns the milliseconds since 1970; nil if the text is not such a date, or not a day of the Gregorian calendar.
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

  /// Returns the text of a date, with milliseconds if it has any; nil outside the years 0 to 9999.
  static func text(_ date: Date) -> String? {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard milliseconds >= -62_167_219_200_000, milliseconds < 253_402_300_800_000 else { return nil }
    let whole = Int64(milliseconds)
    let (days, rest) = whole.floored(by: 86_400_000)
    // Counts days from 0000-03-01, in eras of 400 years; the inverse of `days`.
    let (era, dayOfEra) = (days + 719_468).floored(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    let time = "\(pad(rest / 3_600_000, 2)):\(pad(rest / 60_000 % 60, 2)):\(pad(rest / 1000 % 60, 2))"
    let fraction = rest % 1000 == 0 ? "" : ".\(pad(rest % 1000, 3))"
    return "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))T\(time)\(fraction)Z"
  }

  private static func pad(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func length(month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the days since 1970-01-01. It counts years from March, so the leap day comes last.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 + 400 : year + 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468 - 146_097
  }
}

extension Int64 {
  /// Returns the quotient, rounded down, and the remainder, which is not negative.
  fileprivate func floored(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let rest = self % divisor
    return rest < 0 ? (self / divisor - 1, rest + divisor) : (self / divisor, rest)
  }
}
