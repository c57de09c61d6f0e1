import AddressBookModel
import Contacts

/// Dates for display: `27 November 1940`, `1940年11月27日`, without the year if it is unknown.
struct DateText {
  let strings: Strings

  /// The occasion of a date: the language may count the years of a person differently from those of an event.
  enum Occasion: String {
    case birthday
    case event
  }

  func text(of date: PartialDate) -> String {
    let month = strings("month.\(date.month)")
    guard let year = date.year else { return strings("date.day", String(date.day), month) }
    return strings("date.full", String(date.day), month, String(year))
  }

  /// Returns the day of the next birthday and the age on it: `27 November, turns 86`; only the day if the year is
  /// unknown.
  func upcoming(_ birthday: PartialDate, from today: CalendarDay) -> String {
    let day = strings("date.day", String(birthday.day), strings("month.\(birthday.month)"))
    guard let age = Anniversary(of: birthday, on: today).ageAtNext, age > 0 else { return day }
    return strings("date.upcoming", day, strings.count("date.next.birthday", age))
  }

  /// Returns the years since, and the time until the next occurrence: `85 years old, turns 86 in 6 days`; `5 years ago,
  /// 6-year anniversary in 20 days`; `turns 86 today`; `in 6 days` if the year is unknown or the date is not in the
  /// past.
  func distance(of date: PartialDate, _ occasion: Occasion, from today: CalendarDay) -> String {
    let anniversary = Anniversary(of: date, on: today)
    let next =
      switch anniversary.daysUntilNext {
      case 0: strings("date.today")
      case 1: strings("date.tomorrow")
      default: strings.count("date.inDays", anniversary.daysUntilNext)
      }
    guard let atNext = anniversary.ageAtNext, atNext > 0, let years = anniversary.years else { return next }
    let reached = strings.count("date.next." + occasion.rawValue, atNext)
    // In the first year and on an anniversary, there is only one number to show.
    if years == 0 || years == atNext {
      return strings("date.reached", reached, next)
    }
    return strings("date.reaching", strings.count("date.years." + occasion.rawValue, years), reached, next)
  }
}
