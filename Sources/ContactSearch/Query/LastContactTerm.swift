/// A condition of a query on when a contact last wrote or was written to: `contacted:<30d`. An index has no times, so
/// whoever has them checks it, and limits the result of the query.
public struct LastContactTerm: Hashable, Sendable {
  /// When a contact last wrote or was written to.
  public enum Time: Hashable, Sendable {
    /// `<30d`: in the last 30 days.
    case within(days: Int)
    /// `>30d`: at a known time, longer ago than that.
    case before(days: Int)
    /// `2026`, `2026-03`, `2026-03-01`: in that local year, month or day.
    case during(year: Int, month: Int?, day: Int?)
    /// `has:contacted`: at any time.
    case ever
    /// `never`: no time is known.
    case never
  }

  /// A word of each kind that can stand after `contacted:`.
  public static let examples = ["<30d", ">1y", "2026-03", "never"]

  /// The time.
  public let time: Time
  /// `-`: the condition must not hold.
  public let isNegated: Bool

  /// Creates the condition of a word after `contacted:`; nil if it is not one.
  /// - Parameter text: in lower case. The units are `d`, `w`, `m` for 30 days and `y` for 365.
  init?(_ text: String, isNegated: Bool) {
    self.isNegated = isNegated
    if text == "never" {
      time = .never
    } else if let sign = text.first, "<>".contains(sign) {
      guard let days = Self.days(text.dropFirst()) else { return nil }
      time = sign == "<" ? .within(days: days) : .before(days: days)
    } else {
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { Self.number($0) }
      guard (1...3).contains(parts.count), numbers.count == parts.count, parts[0].count == 4,
        parts.dropFirst().allSatisfy({ $0.count == 2 })
      else { return nil }
      time = .during(
        year: numbers[0], month: numbers.count > 1 ? numbers[1] : nil, day: numbers.count > 2 ? numbers[2] : nil)
    }
  }

  init(ever isNegated: Bool) { (time, self.isNegated) = (.ever, isNegated) }

  private static func days(_ text: Substring) -> Int? {
    guard let unit = text.last, let days = ["d": 1, "w": 7, "m": 30, "y": 365][unit],
      let count = number(text.dropLast())
    else { return nil }
    return count * days
  }

  /// At most four digits.
  private static func number(_ text: Substring) -> Int? {
    text.count <= 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}
