import Contacts
import VCard

/// A date as spreadsheets and other programs write it.
struct WrittenDate {
  /// The date; nil if the text says that there is none (`0/0/00`).
  let day: PartialDate?
  /// Whether the text is also another date, with day and month swapped.
  let isAmbiguous: Bool
  /// Whether the day is first in a date such as `13/4/1990` or `4/13/1990`, which can only be read in one order; nil for
  /// any other text.
  private(set) var isDayFirst: Bool?

  /// Reads `1990-04-03`, `19900403`, `--04-03`, `1990/4/3`, `1990年4月3日`, `4月3日`, `3.4.1990` (the day first),
  /// `4/3/1990`, any of these followed by a time, which is left out, and `3 Apr 1990` (``TypedDate``).
  /// - Parameter isDayFirst: whether the day is the first number of `4/3/1990` where both are possible.
  /// - Returns: nil if the text is not a date.
  init?(_ text: String, isDayFirst: Bool) {
    let date = text.trimmed.prefix { $0 != " " && $0 != "T" && $0 != "\u{A0}" }
    if let day = PartialDate(String(date)) {
      self.init(day: day)
      return
    }
    let hasName = text.utf8.contains { (0x61...0x7A).contains($0 | 0x20) }
    if hasName, let day = TypedDate.english.day(text.trimmed) {
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
    if monthFirst == nil || dayFirst == nil { self.isDayFirst = monthFirst == nil }
  }
}

/// A birthday whose year, month and day are separate values.
struct BirthdayParts {
  enum Part: Hashable {
    case year, month, day
  }

  private var values: [Part: Int] = [:]

  /// Stores a part.
  mutating func add(_ text: String, as part: Part) -> ContactAssembler.Outcome {
    guard let number = Int(text.trimmed) else { return .notADate }
    guard values[part] == nil || values[part] == number else { return .noField }
    values[part] = number
    return .stored
  }

  /// Whether no part says anything: some programs write 0.
  var isEmpty: Bool { values.values.allSatisfy { $0 == 0 } }

  /// The day, perhaps without a year; nil if the parts are not a date.
  var day: PartialDate? {
    guard let month = values[.month], let day = values[.day] else { return nil }
    return PartialDate(year: values[.year].flatMap { $0 > 0 ? $0 : nil }, month: month, day: day)
  }

  /// The parts for a message: `1990-?-3`.
  var text: String { [Part.year, .month, .day].map { values[$0].map(String.init) ?? "?" }.joined(separator: "-") }
}

extension PostalAddress {
  /// Returns whether the parts have every word of a text, in any order.
  func hasWords(of text: String) -> Bool {
    func words(_ text: String) -> [String] {
      text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
    let own = Set(AddressPart.inCardOrder.flatMap { words(self[$0]) })
    return words(text).allSatisfy(own.contains)
  }
}

/// Dates in vCards (RFC 6350, 4.3.1; ISO 8601; Apple's date without a year).
enum CardDates {
  /// For an unknown year, Apple writes a leap year that is long past.
  private static let omittedYear = 1604

  /// Returns the date in a property; nil if it is not a valid date or could be another one too, or is declared as text.
  static func date(of line: CardLine) -> PartialDate? {
    var text = line.text.trimmed
    if line.hasParameters, line.values(of: "VALUE").contains(where: { $0.lowercased() == "text" }) { return nil }
    while text.last == ";" { text.removeLast() }
    let dayText = text.prefix { $0 != "T" && $0 != "t" && $0 != " " }
    guard let day = PartialDate(String(dayText)) ?? writtenDay(text) else { return nil }
    let omitted = line.hasParameters ? line.values(of: "X-APPLE-OMIT-YEAR").first : nil
    // Some programs drop the parameter.
    guard let year = day.year, omitted == String(year) || year == omittedYear else { return day }
    return PartialDate(year: nil, month: day.month, day: day.day) ?? day
  }

  /// Reads dates that no version has, but programs write: `1978/05/23`, `23.5.1978`, `1978年5月23日`.
  private static func writtenDay(_ text: String) -> PartialDate? {
    guard let date = WrittenDate(text, isDayFirst: false), !date.isAmbiguous else { return nil }
    return date.day
  }

  /// Returns whether the property has a time of day, which contacts do not store.
  static func hasTime(_ line: CardLine) -> Bool { line.text.trimmed.dropFirst(4).contains { "Tt ".contains($0) } }

  static func text(_ day: PartialDate, _ version: CardVersion) -> (value: String, parameters: [CardParameter]) {
    if version == .v40 {
      return (day.year == nil ? "--" + day.iso.filter { $0 != "-" } : day.iso.filter { $0 != "-" }, [])
    }
    guard day.year == nil else { return (day.iso, []) }
    return ("\(omittedYear)" + day.iso.dropFirst(), [CardParameter("X-APPLE-OMIT-YEAR", "\(omittedYear)")])
  }
}
