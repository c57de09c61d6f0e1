/// The types of values in jCards, and the form of dates there (RFC 7095, 3.5).
enum JCardTypes {
  /// Returns the default type of a property (RFC 6350), whose name is in upper case; `unknown` for any other property.
  static func standard(of name: String) -> String {
    switch name {
    case "BDAY", "ANNIVERSARY": "date-and-or-time"
    case "REV": "timestamp"
    case "PHOTO", "IMPP", "GEO", "LOGO", "MEMBER", "RELATED", "UID", "KEY", "FBURL", "CALADRURI", "CALURI", "SOUND",
      "SOURCE", "URL":
      "uri"
    case "LANG": "language-tag"
    case "FN", "N", "NICKNAME", "GENDER", "ADR", "TEL", "EMAIL", "TZ", "TITLE", "ROLE", "ORG", "CATEGORIES", "NOTE",
      "KIND",
      "PRODID", "CLIENTPIDMAP", "XML":
      "text"
    default: "unknown"
    }
  }

  /// Returns whether a value of this type has escapes in a line of a card.
  static func isEscaped(_ type: String) -> Bool { type == "text" }

  /// Properties whose value has parts.
  static let structured: Set<String> = ["N", "ADR", "ORG", "GENDER", "CLIENTPIDMAP"]
  /// Properties whose value is a list.
  static let lists: Set<String> = ["NICKNAME", "CATEGORIES"]

  /// Returns a date or time as vCard 4.0 writes it, `19850412` for `1985-04-12`; a value of another type unchanged.
  static func basic(_ text: String, _ type: String) -> String {
    guard isTime(type) else { return text }
    let (date, time) = split(text)
    var digits = date
    if date.hasPrefix("--") {
      digits = "--" + date.dropFirst(2).filter { $0 != "-" }
    } else if date.utf8.count == 10 {
      digits = date.filter { $0 != "-" }
    }
    return digits + (time.map { "T" + basicTime($0) } ?? "")
  }

  /// Returns a date or time as jCard writes it, `1985-04-12` for `19850412`; a value of another type unchanged.
  static func extended(_ text: String, _ type: String) -> String {
    guard isTime(type) else { return text }
    let (date, time) = split(text)
    var result = date
    let digits = Array(date)
    if digits.count == 8, digits.allSatisfy(\.isNumber) {
      result = String(digits[0..<4]) + "-" + String(digits[4..<6]) + "-" + String(digits[6..<8])
    } else if digits.count == 6, date.hasPrefix("--"), digits[2...].allSatisfy(\.isNumber) {
      result = "--" + String(digits[2..<4]) + "-" + String(digits[4..<6])
    }
    return result + (time.map { "T" + extendedTime($0) } ?? "")
  }

  private static func isTime(_ type: String) -> Bool {
    ["date", "date-time", "date-and-or-time", "timestamp", "time"].contains(type)
  }

  private static func split(_ text: String) -> (date: String, time: String?) {
    guard let mark = text.firstIndex(of: "T") else { return (text, nil) }
    return (String(text[..<mark]), String(text[text.index(after: mark)...]))
  }

  private static func basicTime(_ time: String) -> String { time.filter { $0 != ":" } }

  private static func extendedTime(_ time: String) -> String {
    let digits = Array(time.prefix { $0.isNumber })
    guard digits.count == 6 || digits.count == 4 else { return time }
    var pairs: [String] = []
    for start in stride(from: 0, to: digits.count, by: 2) { pairs.append(String(digits[start..<start + 2])) }
    return pairs.joined(separator: ":") + time.dropFirst(digits.count)
  }
}
