/// A reader of dates as people write them: `29 Feb`, `Feb 29, 1992`, `1992-02-29`, `29.2.1992`, `2/29`, `1992年2月29日`,
/// `1992 年 2 月 29 日`, `--02-29`.
///
/// Numbers alone are only accepted if it is clear which one is the day: `3/4` is not accepted, and `3.4` is 3 April. In
/// a language that always puts the month before the day, both are 4 March.
public struct TypedDate: Sendable {
  /// The names of the months in lower case, January first, in each language.
  private let months: [[String]]
  /// Whether the language always puts the month before the day.
  private let isMonthFirst: Bool

  private static let englishMonths = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  /// The reader that knows English only.
  public static let english = TypedDate()

  /// Creates a reader that knows the English names of the months.
  /// - Parameters:
  ///   - months: twelve more names, January first.
  ///   - isMonthFirst: whether the month is before the day wherever both may be.
  public init(months: [String] = [], isMonthFirst: Bool = false) {
    self.isMonthFirst = isMonthFirst
    self.months = Self.englishMonths.enumerated().map { index, name in
      [name] + (months.indices.contains(index) ? [months[index].lowercased()] : [])
    }
  }

  /// Returns the date; nil if the text is not a date, or is ambiguous.
  public func day(_ text: String) -> PartialDate? {
    PartialDate(text) ?? Parts(text, months)?.day(isMonthFirst: isMonthFirst)
  }

  /// The parts of a text: the month and the year if the text names them, and the other numbers in order.
  private struct Parts {
    private var numbers: [(value: Int, digits: Int)] = []
    private var month: Int?
    private var year: Int?
    private var separators: Set<Character> = []

    /// Nil if there is anything other than numbers, months and the usual separators.
    init?(_ text: String, _ names: [[String]]) {
      var rest = text.lowercased()[...]
      while let character = rest.first {
        if Self.isDigit(character), numbers.count < 3 {
          let digits = rest.prefix(while: Self.isDigit)
          guard digits.count <= 4 else { return nil }
          numbers.append((digits.reduce(0) { $0 * 10 + ($1.wholeNumberValue ?? 0) }, digits.count))
          rest = rest.dropFirst(digits.count)
          guard takeCounter(&rest) else { return nil }
        } else if character.isLetter {
          let word = rest.prefix(while: \.isLetter)
          rest = rest.dropFirst(word.count)
          let found = names.indices.filter { names[$0].contains { word.count >= 3 && $0.hasPrefix(word) } }
          guard found.count == 1, month == nil else { return nil }
          month = found[0] + 1
        } else {
          guard " ,./-".contains(character) else { return nil }
          if character != " " { separators.insert(character) }
          rest = rest.dropFirst()
        }
      }
    }

    /// True for decimal digits of any width and script; not for `二`.
    private static func isDigit(_ character: Character) -> Bool {
      character.unicodeScalars.count == 1 && character.unicodeScalars.first?.properties.numericType == .decimal
    }

    /// Consumes a suffix after a number: `年` and `月`, perhaps after blanks, make it the year and the month, others such
    /// as `日` and `th` only end it. False if the text already has that part, or if the year does not have four digits.
    private mutating func takeCounter(_ rest: inout Substring) -> Bool {
      for ending in ["st", "nd", "rd", "th"] where rest.hasPrefix(ending) {
        rest = rest.dropFirst(ending.count)
        return true
      }
      let counter = rest.drop { $0 == " " }
      switch counter.first {
      case "年":
        guard year == nil, let number = numbers.popLast(), number.digits == 4 else { return false }
        year = number.value
      case "月":
        guard month == nil, let number = numbers.popLast() else { return false }
        month = number.value
      case "日", "号", "號": break
      default: return true
      }
      rest = counter.dropFirst()
      return true
    }

    func day(isMonthFirst: Bool) -> PartialDate? {
      var year = year
      var numbers = numbers
      // Only a year has four digits, and it comes first or last.
      if year == nil, let position = numbers.firstIndex(where: { $0.digits == 4 }) {
        guard position == 0 || position == numbers.count - 1 else { return nil }
        year = numbers.remove(at: position).value
        if position == 0, numbers.count == 2, month == nil {
          return PartialDate(year: year, month: numbers[0].value, day: numbers[1].value)
        }
      }
      guard numbers.allSatisfy({ $0.digits <= 2 }) else { return nil }
      if let month { return numbers.count == 1 ? PartialDate(year: year, month: month, day: numbers[0].value) : nil }
      guard numbers.count == 2 else { return nil }
      let dayFirst = PartialDate(year: year, month: numbers[1].value, day: numbers[0].value)
      let monthFirst = PartialDate(year: year, month: numbers[0].value, day: numbers[1].value)
      if isMonthFirst, year == nil, monthFirst != nil { return monthFirst }
      // With dots, the day comes first.
      if separators == ["."] || monthFirst == nil || monthFirst == dayFirst { return dayFirst }
      return dayFirst == nil ? monthFirst : nil
    }
  }
}
