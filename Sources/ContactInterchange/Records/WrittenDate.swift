import Contacts

/// A date as spreadsheets and other programs write it.
struct WrittenDate {
  /// The date; nil if the text says that there is none (`0/0/00`).
  let day: PartialDate?
  /// Whether the text is also another date, with day and month swapped.
  let isAmbiguous: Bool

  /// Reads `1990-04-03`, `19900403`, `--04-03`, `1990/4/3`, `1990年4月3日`, `4月3日`, `3.4.1990` (the day first),
  /// `4/3/1990`, and any of these followed by a time, which is left out.
  /// - Parameter isDayFirst: whether the day is the first number of `4/3/1990` where both are possible.
  /// - Returns: nil if the text is not a date.
  init?(_ text: String, isDayFirst: Bool) {
    let date = text.trimmedBlanks.prefix { $0 != " " && $0 != "T" && $0 != "\u{A0}" }
    if let day = PartialDate(String(date)) {
      self.init(day: day)
      return
    }
    let separators: Set<Character> = ["/", ".", "-", "年", "月", "日"]
    let parts = date.split(whereSeparator: separators.contains)
    let numbers = parts.compactMap { part in part.allSatisfy { ("0"..."9").contains($0) } ? Int(part) : nil }
    guard numbers.count == parts.count else { return nil }
    if numbers.count == 3, numbers.allSatisfy({ $0 == 0 }) {
      self.init(day: nil)
      return
    }
    switch numbers.count {
    case 2 where date.contains("月"): self.init(nil, numbers[0], numbers[1])
    case 3 where parts[0].count == 4: self.init(numbers[0], numbers[1], numbers[2])
    case 3 where parts[2].count == 4 && date.contains("."): self.init(numbers[2], numbers[1], numbers[0])
    case 3 where parts[2].count == 4 && date.contains("/"):
      self.init(year: numbers[2], numbers[0], numbers[1], isDayFirst: isDayFirst)
    default: return nil
    }
  }

  private init(day: PartialDate?, isAmbiguous: Bool = false) {
    self.day = day
    self.isAmbiguous = isAmbiguous
  }

  private init?(_ year: Int?, _ month: Int, _ day: Int) {
    guard let date = PartialDate(year: year, month: month, day: day) else { return nil }
    self.init(day: date)
  }

  private init?(year: Int, _ first: Int, _ second: Int, isDayFirst: Bool) {
    let monthFirst = PartialDate(year: year, month: first, day: second)
    let dayFirst = PartialDate(year: year, month: second, day: first)
    guard let date = isDayFirst ? dayFirst ?? monthFirst : monthFirst ?? dayFirst else { return nil }
    self.init(day: date, isAmbiguous: monthFirst != nil && dayFirst != nil && first != second)
  }
}
