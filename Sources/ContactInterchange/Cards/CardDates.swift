import Contacts
import VCard

/// Dates in vCards (RFC 6350, 4.3.1; ISO 8601; Apple's date without a year).
enum CardDates {
  /// The date in a property, and whether that is all it contains; nil for anything that is not a valid date.
  static func date(of line: CardLine) -> (day: PartialDate, isExact: Bool)? {
    let text = line.text.trimmedBlanks
    if line.hasParameters, line.values(of: "VALUE").contains(where: { $0.lowercased() == "text" }) { return nil }
    let dayText = text.prefix { $0 != "T" && $0 != "t" && $0 != " " }
    guard let day = PartialDate(String(dayText)) else { return nil }
    let hasTime = dayText.count < text.count
    let omitted = line.hasParameters ? line.values(of: "X-APPLE-OMIT-YEAR").first : nil
    guard let omitted else {
      let isUsual = line.version == .v40 ? !dayText.dropFirst(2).contains("-") : dayText.contains("-")
      return (day, !hasTime && isUsual && line.isPlain && (line.version == .v40 || day.year != nil))
    }
    // Apple writes a leap year that is long past.
    guard let year = day.year, omitted == String(year),
      let yearless = PartialDate(year: nil, month: day.month, day: day.day)
    else { return (day, false) }
    let isUsual = line.version == .v30 && year == 1604 && line.parameters.count == 1 && dayText.contains("-")
    return (yearless, !hasTime && isUsual && !line.hasGroup)
  }

  /// The value and parameters of a date in a version.
  static func text(_ day: PartialDate, _ version: CardVersion) -> (value: String, parameters: [CardParameter]) {
    if version == .v40 {
      return (day.year == nil ? "--" + day.iso.filter { $0 != "-" } : day.iso.filter { $0 != "-" }, [])
    }
    guard day.year == nil else { return (day.iso, []) }
    return ("1604" + day.iso.dropFirst(), [CardParameter("X-APPLE-OMIT-YEAR", "1604")])
  }
}
