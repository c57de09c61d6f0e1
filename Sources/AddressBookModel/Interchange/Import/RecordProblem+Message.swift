import ContactInterchange

extension RecordProblem {
  private static let namesShown = 30

  /// Returns the message. Text from files in it may contain control characters.
  func message(in words: Localization) -> String {
    func text(_ key: String, _ first: any CustomStringConvertible = "", _ second: String = "") -> String {
      words.text("ImportNotice/" + key, first, second, table: "Command")
    }
    func plural(_ key: String, _ count: Int) -> String {
      words.plural("ImportNotice/" + key, count: count, table: "Command")
    }
    switch self {
    case .notImported(let columns), .notMapped(let columns):
      var names = columns.prefix(Self.namesShown).map { words.noted($0.name, String($0.count)) }
      if columns.count > Self.namesShown { names.append("…") }
      let key = if case .notMapped = self { "notMapped" } else { "notImported" }
      return text(key, words.list(names))
    case .absentColumns(let names): return text("absentColumns", words.list(names))
    case .notADate(let name, let value): return text("notADate", name, value)
    case .ambiguousDate(let name, let value, let isDayFirst):
      return text(isDayFirst ? "ambiguousDate.day" : "ambiguousDate.month", name, value)
    case .unreadableCharacters(let count): return plural("unreadableCharacters", count)
    case .unclosedQuote: return text("unclosedQuote")
    case .furtherValues(let count): return plural("furtherValues", count)
    case .malformedLine(let line): return text("malformedLine", line)
    case .tooLong(let limit): return text("valueTooLong", limit)
    case .elsewhere(let name): return text("elsewhere", name)
    case .changeRecord(let kind): return text("changeRecord", kind)
    case .notContacts(let count): return plural("notContacts", count)
    case .guessedCharset(let name): return text("textCharset", name)
    case .noKnownColumn: return text("noKnownColumn")
    }
  }
}
