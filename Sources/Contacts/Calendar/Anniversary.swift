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
