import AddressBookModel
import BookSearching
import Contacts

/// Parses a date as typed by users: `29 Feb`, `Feb 29, 1992`, `1992-02-29`, `29.2.1992`, `2/29`, `1992年2月29日`,
/// `1992 年 2 月 29 日`, `--02-29`.
///
/// Numbers alone are only accepted if it is clear which one is the day: `3/4` is not accepted, and `3.4` is 3 April. In
/// a language that always puts the month before the day, both are 4 March.
struct DateEntry {
  /// The names of the months in lower case, January first: in the user's language and in English.
  private let names: [[String]]
  private let strings: Strings?
  /// Whether the language always puts the month before the day.
  private let isMonthFirst: Bool

  private static let english = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  init(_ strings: Strings? = nil) {
    self.strings = strings
    isMonthFirst = strings?("date.typedOrder") == "MD"
    names = Self.english.enumerated().map { index, name in
      [name] + (strings.map { [$0("month.\(index + 1)").lowercased()] } ?? [])
    }
  }

  /// A date in a form that parses back to the same date.
  func text(of date: PartialDate) -> String {
    guard let text = strings.map({ DateText(strings: $0).text(of: date) }), day(text) == date else { return date.iso }
    return text
  }

  /// The date; nil if the text is not a date, or is ambiguous.
  func day(_ text: String) -> PartialDate? {
    PartialDate(text) ?? Parts(text, names)?.day(isMonthFirst: isMonthFirst)
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
      case "日", "号": break
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

/// The groups of a contact as typed in one field: their names, separated by `,`, `，` or `、`. A name is quoted if it has
/// such a comma, a quote at the beginning, or white space at either end; a doubled quote in it stands for one quote.
enum GroupNames {
  /// A known name that completes the typed text.
  struct Completion: Equatable {
    /// The known name.
    let name: String
    /// What is shown after the typed text: the characters that follow, or an arrow and the name if it is typed in
    /// pinyin or without its star.
    let rest: String
    /// The typed part, as indexes of characters.
    fileprivate let part: Range<Int>
  }

  private struct Part {
    let range: Range<Int>
    let name: String
  }

  private static let separators: Set<Character> = [",", "，", "、"]

  /// The text of names, which ``names(in:)`` parses.
  static func text(of names: [String]) -> String { names.map(quoted).joined(separator: ", ") }

  /// The names in a text, without duplicates.
  static func names(in text: String) -> [String] {
    var seen: Set<String> = []
    return parts(of: Array(text)).map(\.name).filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  /// The first known name that begins with the part of the text before the cursor, or else the first whose pinyin or
  /// pinyin initials begin with it; names that are already in the text are left out. A leading star need not be typed.
  /// Nil if there is none, if the typed part is a known name, or if the cursor is not at the end of the part.
  static func completion(of text: String, cursor: Int, from known: [String]) -> Completion? {
    let characters = Array(text)
    let parts = parts(of: characters)
    guard let index = parts.firstIndex(where: { $0.range.upperBound >= cursor }) else { return nil }
    let part = parts[index].range
    guard part.lowerBound <= cursor, characters[cursor..<part.upperBound].allSatisfy(\.isWhitespace) else { return nil }
    var typed = characters[part.lowerBound..<cursor].drop(while: \.isWhitespace)
    if typed.first == "\"" { typed.removeFirst() }
    let beginning = String(typed)
    guard !beginning.isEmpty, !known.contains(beginning.trimmed) else { return nil }
    var others = parts
    others.remove(at: index)
    let taken = Set(others.map(\.name))
    let small = beginning.lowercased()
    let free = known.filter { !taken.contains($0) }
    if let name = free.first(where: { $0.lowercased().hasPrefix(small) }) {
      return Completion(name: name, rest: String(name.dropFirst(beginning.count)), part: part)
    }
    let spelled = free.first { name in
      let texts = [name.trimmingPrefix("★ ").lowercased()] + PinyinSpelling.all(of: name)
      return texts.contains { $0.hasPrefix(small) }
    }
    return spelled.map { Completion(name: $0, rest: " → " + $0, part: part) }
  }

  /// The text with the completed name, and the cursor after it.
  static func completing(_ text: String, with completion: Completion) -> (text: String, cursor: Int) {
    let characters = Array(text)
    let before = String(characters[..<completion.part.lowerBound])
    let start = before + (before.isEmpty ? "" : " ") + quoted(completion.name)
    return (start + String(characters[completion.part.upperBound...]), start.count)
  }

  /// The text without the name at the cursor, and the cursor at the end of the name before it; nil if there is none.
  static func removing(from text: String, at cursor: Int) -> (text: String, cursor: Int)? {
    let parts = parts(of: Array(text))
    guard let index = parts.firstIndex(where: { $0.range.upperBound >= cursor }) else { return nil }
    // In an empty part, such as after the last comma, remove the name before it.
    let removed = parts[index].name.isEmpty ? parts[..<index].lastIndex { !$0.name.isEmpty } : index
    guard let removed else { return nil }
    let before = self.text(of: parts[..<removed].map(\.name).filter { !$0.isEmpty })
    let after = self.text(of: parts[(removed + 1)...].map(\.name).filter { !$0.isEmpty })
    return ([before, after].filter { !$0.isEmpty }.joined(separator: ", "), before.count)
  }

  private static func quoted(_ name: String) -> String {
    let isPlain = !name.contains(where: separators.contains) && !name.hasPrefix("\"") && name == name.trimmed
    return isPlain ? name : "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// The parts between the commas.
  private static func parts(of characters: [Character]) -> [Part] {
    var parts: [Part] = []
    var start = 0
    while start <= characters.count {
      let end = end(ofPartAt: start, characters)
      parts.append(Part(range: start..<end, name: name(in: String(characters[start..<end]).trimmed)))
      start = end + 1
    }
    return parts
  }

  private static func end(ofPartAt start: Int, _ characters: [Character]) -> Int {
    var index = start
    while index < characters.count, characters[index].isWhitespace { index += 1 }
    if index < characters.count, characters[index] == "\"" {
      // Skip to the closing quote. After a doubled quote the name continues.
      repeat {
        index += 1
        while index < characters.count, characters[index] != "\"" { index += 1 }
        index += 1
      } while index < characters.count && characters[index] == "\""
    }
    return characters[min(index, characters.count)...].firstIndex(where: separators.contains) ?? characters.count
  }

  private static func name(in part: String) -> String {
    guard part.hasPrefix("\"") else { return part }
    let body = part.dropFirst()
    return String(body.hasSuffix("\"") ? body.dropLast() : body).replacing("\"\"", with: "\"")
  }
}
