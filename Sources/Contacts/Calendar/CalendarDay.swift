/// A day of the proleptic Gregorian calendar, without time of day or time zone.
public struct CalendarDay: Hashable, Comparable, Sendable {
  /// 1 to 9999 for dates of a contact.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to the number of days of the month.
  public let day: Int

  /// Creates the day; nil if the calendar has no such day, or the year is not 1 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard let date = PartialDate(year: year, month: month, day: day) else { return nil }
    self.init(date, in: year)
  }

  /// Creates the day of a date in a year; 29 February becomes the 28th if the year is not a leap year.
  ///
  /// So a birthday stays in its month, as with the recurrence rule `BYMONTH=2;BYMONTHDAY=-1` of calendar programs.
  public init(_ date: PartialDate, in year: Int) {
    self.year = year
    month = date.month
    day = date.month == 2 && date.day == 29 && !Self.isLeap(year) ? 28 : date.day
  }

  /// Days since 1 January 1970; negative before.
  ///
  /// The year is counted from March, so that the leap day is its last, and days are counted in cycles of 400 years.
  public var number: Int {
    let shifted = month > 2 ? year : year - 1
    let cycle = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfCycle = shifted - cycle * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return cycle * 146_097 + yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear - 719_468
  }

  /// Returns whether `one` is before `other`.
  public static func < (one: CalendarDay, other: CalendarDay) -> Bool {
    (one.year, one.month, one.day) < (other.year, other.month, other.day)
  }

  static func isLeap(_ year: Int) -> Bool { (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 }
}

/// The next occurrence of a yearly date, such as a birthday, relative to today.
public struct Anniversary: Hashable, Sendable {
  /// The next occurrence: today or later, never before the date itself.
  public let next: CalendarDay
  /// Days from today to ``next``; 0 when it is today.
  public let daysUntilNext: Int
  /// Full years since the date: the age. Nil if the year is unknown or the date is in the future.
  public let years: Int?
  /// Full years at ``next``; nil if the year is unknown, 0 if ``next`` is the date itself.
  public let ageAtNext: Int?

  /// Finds the next occurrence of a date as seen on a day. 29 February counts as the 28th in years without one.
  public init(of date: PartialDate, on today: CalendarDay) {
    let thisYear = CalendarDay(date, in: today.year)
    var next = thisYear < today ? CalendarDay(date, in: today.year + 1) : thisYear
    if let year = date.year, next.year < year { next = CalendarDay(date, in: year) }
    self.next = next
    daysUntilNext = next.number - today.number
    ageAtNext = date.year.map { next.year - $0 }
    years = date.year.flatMap { year in
      let passed = today.year - year - (today < thisYear ? 1 : 0)
      return passed < 0 ? nil : passed
    }
  }
}

/// A date with or without a year: `1811-11-26` or `--11-26` (RFC 6350, 4.3.1; ISO 8601:2000 5.2.1.3).
public struct PartialDate: Hashable, Sendable {
  /// 1 to 9999, or nil if the year is unknown.
  public let year: Int?
  /// 1 to 12.
  public let month: Int
  /// 1 to the number of days of the month; 29 February is valid in leap years and without a year.
  public let day: Int

  /// Creates the date; nil if the calendar has no such day, or the year is not 1 to 9999.
  public init?(year: Int?, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= Self.length(ofMonth: month, year: year) else { return nil }
    if let year, !(1...9999).contains(year) { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Returns whether both are known and cannot be the same day; a missing year is ignored.
  func isOther(than other: PartialDate?) -> Bool {
    guard let other else { return false }
    if month != other.month || day != other.day { return true }
    guard let year, let otherYear = other.year else { return false }
    return year != otherYear
  }

  /// Parses `YYYY-MM-DD`, `YYYYMMDD`, `--MM-DD` or `--MMDD`; nil for anything else or a date that does not exist.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    let dash = UInt8(ascii: "-")
    let year: Int?
    let rest: Int
    if bytes.starts(with: [dash, dash]) {
      year = nil
      rest = 2
    } else {
      guard bytes.count >= 8, let parsed = number(0..<4) else { return nil }
      year = parsed
      rest = bytes[4] == dash ? 5 : 4
    }
    let dashed = bytes.count == rest + 5 && bytes[rest + 2] == dash && rest != 4
    guard dashed || (bytes.count == rest + 4 && rest != 5),
      let month = number(rest..<rest + 2), let day = number((rest + (dashed ? 3 : 2))..<bytes.count)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// `1811-11-26` or `--11-26`: the form in the store and in JSON.
  public var iso: String {
    func pad(_ value: Int, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let prefix = year.map { pad($0, 4) } ?? "-"
    return "\(prefix)-\(pad(month, 2))-\(pad(day, 2))"
  }

  private static func length(ofMonth month: Int, year: Int?) -> Int {
    switch month {
    case 4, 6, 9, 11: return 30
    case 2:
      guard let year else { return 29 }
      return CalendarDay.isLeap(year) ? 29 : 28
    default: return 31
    }
  }
}
