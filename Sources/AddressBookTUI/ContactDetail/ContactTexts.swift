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

/// Phone numbers for display.
enum PhoneText {
  /// Inserts spaces into a number that was typed as digits alone or after `+`; one with separators is kept as typed.
  ///
  /// Chinese mobile numbers (11 digits that begin with 1) are split 3-4-4, after `+86` if it was given; numbers of 7, 8
  /// or 10 digits without `+` are split 3-4, 4-4 or 3-3-4. All others, including short codes, are not split.
  static func grouped(_ number: String) -> String {
    let digits = number.hasPrefix("+") ? number.dropFirst() : Substring(number)
    guard digits.count >= 7, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return number }
    let plus = number.hasPrefix("+")
    if plus, digits.hasPrefix("86"), digits.count == 13, digits.dropFirst(2).first == "1" {
      return "+86 " + split(digits.dropFirst(2), [3, 4, 4])
    }
    if plus { return number }
    switch digits.count {
    case 7: return split(digits, [3, 4])
    case 8: return split(digits, [4, 4])
    case 10: return split(digits, [3, 3, 4])
    case 11 where digits.first == "1": return split(digits, [3, 4, 4])
    default: return number
    }
  }

  /// Maps ranges of code points of a number to the same characters in its grouped form.
  static func ranges(_ ranges: [Range<Int>], of number: String, in grouped: String) -> [Range<Int>] {
    guard number != grouped, !ranges.isEmpty else { return ranges }
    // Grouping only adds spaces, so the n-th character that is not a space stays the n-th.
    let offsets = grouped.unicodeScalars.enumerated().filter { $0.element != " " }.map(\.offset)
    return ranges.compactMap { range in
      guard let last = range.last, offsets.indices.contains(last) else { return nil }
      return offsets[range.lowerBound]..<offsets[last] + 1
    }
  }

  private static func split(_ digits: Substring, _ groups: [Int]) -> String {
    var rest = digits
    return groups.map { length in
      defer { rest = rest.dropFirst(length) }
      return String(rest.prefix(length))
    }.joined(separator: " ")
  }
}
