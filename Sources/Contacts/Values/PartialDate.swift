/// A date with or without a year: `1811-11-26` or `--11-26` (RFC 6350, 4.3.1; ISO 8601:2000 5.2.1.3).
public struct PartialDate: Hashable, Sendable {
  /// 1 to 9999, or nil if the year is unknown.
  public let year: Int?
  /// 1 to 12.
  public let month: Int
  /// 1 to the number of days of the month; 29 February is valid in leap years and without a year.
  public let day: Int

  /// Creates the date; nil if the calendar has no such day, or the year is not 1 to 9999.
  public init?(year: Int?, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= Self.length(ofMonth: month, year: year) else { return nil }
    if let year, !(1...9999).contains(year) { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Returns whether both are known and cannot be the same day; a missing year is ignored.
  func isOther(than other: PartialDate?) -> Bool {
    guard let other else { return false }
    if month != other.month || day != other.day { return true }
    guard let year, let otherYear = other.year else { return false }
    return year != otherYear
  }

  /// Parses `YYYY-MM-DD`, `YYYYMMDD`, `--MM-DD` or `--MMDD`; nil for anything else or a date that does not exist.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    let dash = UInt8(ascii: "-")
    let year: Int?
    let rest: Int
    if bytes.starts(with: [dash, dash]) {
      year = nil
      rest = 2
    } else {
      guard bytes.count >= 8, let parsed = number(0..<4) else { return nil }
      year = parsed
      rest = bytes[4] == dash ? 5 : 4
    }
    let dashed = bytes.count == rest + 5 && bytes[rest + 2] == dash && rest != 4
    guard dashed || (bytes.count == rest + 4 && rest != 5),
      let month = number(rest..<rest + 2), let day = number((rest + (dashed ? 3 : 2))..<bytes.count)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// `1811-11-26` or `--11-26`: the form in the store and in JSON.
  public var iso: String {
    func pad(_ value: Int, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let prefix = year.map { pad($0, 4) } ?? "-"
    return "\(prefix)-\(pad(month, 2))-\(pad(day, 2))"
  }

  private static func length(ofMonth month: Int, year: Int?) -> Int {
    switch month {
    case 4, 6, 9, 11: return 30
    case 2:
      guard let year else { return 29 }
      return CalendarDay.isLeap(year) ? 29 : 28
    default: return 31
    }
  }
}
