import Contacts
import VCard

/// Dates of a Card: PartialDate and Timestamp (RFC 9553, 2.8.1).
enum JSContactDate {
  /// Returns the date of a property; nil if a Card cannot have it.
  static func members(of line: CardLine) -> JSONMembers? {
    let text = line.text.trimmed
    if line.values(of: "VALUE").contains(where: { $0.lowercased() == "text" }) { return nil }
    if CardDates.hasTime(line) {
      let time = CardTime.extended(text)
      return time.utf8.count == 20 && time.hasSuffix("Z") ? ["@type": .text("Timestamp"), "utc": .text(time)] : nil
    }
    func members(_ year: Int?, _ month: Int?, _ day: Int?) -> JSONMembers {
      [("year", year), ("month", month), ("day", day)].reduce(into: [:]) { members, part in
        members[part.0] = part.1.map { .number(String($0)) }
      }
    }
    if let day = CardDates.date(of: line) { return members(day.year, day.month, day.day) }
    guard let parts = text.wholeMatch(of: /([0-9]{4})(?:-([0-9]{2}))?|--([0-9]{2})/)?.output else { return nil }
    return members(parts.1.flatMap { Int($0) }, (parts.2 ?? parts.3).flatMap { Int($0) }, nil)
  }

  /// Returns a date as a property of 4.0 has it; nil if it cannot.
  static func text(of date: JSONMembers) -> String? {
    if let time = date["utc"]?.text { return time.utf8.count == 20 ? CardTime.basic(time) : nil }
    var texts: [String?] = []
    for (key, range) in [("year", 1...9999), ("month", 1...12), ("day", 1...31)] {
      guard let value = date[key] else {
        texts.append(nil)
        continue
      }
      guard let number = value.integer, range.contains(number) else { return nil }
      let digits = String(number)
      texts.append(String(repeating: "0", count: (key == "year" ? 4 : 2) - digits.count) + digits)
    }
    switch (texts[0], texts[1], texts[2]) {
    case (let year?, let month?, let day?): return year + month + day
    case (let year?, let month?, nil): return year + "-" + month
    case (let year?, nil, nil): return year
    case (nil, let month?, let day?): return "--" + month + day
    case (nil, let month?, nil): return "--" + month
    default: return nil
    }
  }
}
