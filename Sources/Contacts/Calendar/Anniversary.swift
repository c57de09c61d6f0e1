/// How a day that comes back every year, such as a birthday, stands to today.
public struct Anniversary: Hashable, Sendable {
  /// When it comes next: today or later, never before the date itself.
  public let next: CalendarDay
  /// Days from today to ``next``; 0 when it is today.
  public let daysToGo: Int
  /// Full years that have passed since the date: the age. Nil when the year is not known or the date is still to come.
  public let years: Int?
  /// Full years that ``next`` completes; nil when the year is not known, 0 when ``next`` is the date itself.
  public let yearsAtNext: Int?

  /// How a date stands to a day. 29 February counts on the 28th in years without one.
  public init(of date: PartialDate, on today: CalendarDay) {
    let thisYear = CalendarDay(date, in: today.year)
    var next = thisYear < today ? CalendarDay(date, in: today.year + 1) : thisYear
    if let year = date.year, next.year < year { next = CalendarDay(date, in: year) }
    self.next = next
    daysToGo = next.number - today.number
    yearsAtNext = date.year.map { next.year - $0 }
    years = date.year.flatMap { year in
      let passed = today.year - year - (today < thisYear ? 1 : 0)
      return passed < 0 ? nil : passed
    }
  }
}
