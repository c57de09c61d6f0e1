import AddressBookModel
import BookSearching
import Contacts

/// The dates of a form, as text in the user's language, and typed in it or in English.
struct DateEntry {
  private let strings: Strings?
  private let typed: TypedDate

  init(_ strings: Strings? = nil) {
    self.strings = strings
    typed = TypedDate(
      months: strings.map { strings in (1...12).map { strings("month.\($0)") } } ?? [],
      isMonthFirst: strings?("date.typedOrder") == "MD")
  }

  /// A date in a form that parses back to the same date.
  func text(of date: PartialDate) -> String {
    guard let text = strings.map({ DateText(strings: $0).text(of: date) }), day(text) == date else { return date.iso }
    return text
  }

  /// The date; nil if the text is not a date, or is ambiguous.
  func day(_ text: String) -> PartialDate? { typed.day(text) }
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
