import Contacts
import VCard

/// Dates in vCards (RFC 6350, 4.3.1; ISO 8601; Apple's date without a year).
enum CardDates {
  /// For an unknown year, Apple writes a leap year that is long past.
  private static let omittedYear = 1604

  /// Returns the date in a property; nil if it is not a valid date or could be another one too, or is declared as text.
  static func date(of line: CardLine) -> PartialDate? {
    var text = line.text.trimmedBlanks
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
  static func hasTime(_ line: CardLine) -> Bool { line.text.trimmedBlanks.dropFirst(4).contains { "Tt ".contains($0) } }

  static func text(_ day: PartialDate, _ version: CardVersion) -> (value: String, parameters: [CardParameter]) {
    if version == .v40 {
      return (day.year == nil ? "--" + day.iso.filter { $0 != "-" } : day.iso.filter { $0 != "-" }, [])
    }
    guard day.year == nil else { return (day.iso, []) }
    return ("\(omittedYear)" + day.iso.dropFirst(), [CardParameter("X-APPLE-OMIT-YEAR", "\(omittedYear)")])
  }
}
