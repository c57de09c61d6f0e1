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
