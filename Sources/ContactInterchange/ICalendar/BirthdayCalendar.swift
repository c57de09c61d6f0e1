import Contacts

/// Birthdays as a calendar (RFC 5545): an all-day event for each, repeated every year.
///
/// A birthday without a year begins in 1972, a leap year that calendar programs support. A birthday on 29 February is
/// repeated on the last day of February (``CalendarDay/init(_:in:)``).
public struct BirthdayCalendar: Sendable {
  /// The first lines.
  public var header: String {
    Self.lines(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//addressbook//birthdays//EN", "CALSCALE:GREGORIAN"])
  }
  /// The last line.
  public var footer: String { Self.lines(["END:VCALENDAR"]) }

  private static let yearOfUnknown = 1972

  /// Creates a calendar.
  public init() {}

  /// Returns the event of a contact's birthday; empty if it has none.
  /// - Parameter summary: the title of the event.
  public func event(of contact: Contact, summary: String) -> String {
    guard let birthday = contact.birthday else { return "" }
    let first = CalendarDay(birthday, in: birthday.year ?? Self.yearOfUnknown)
    let isLeapDay = birthday.month == 2 && birthday.day == 29
    let rule = "RRULE:FREQ=YEARLY" + (isLeapDay ? ";BYMONTH=2;BYMONTHDAY=-1" : "")
    return Self.lines([
      "BEGIN:VEVENT", "UID:" + Self.escaped("birthday-" + contact.uid), "DTSTAMP:" + Self.stamp(contact.modified),
      "DTSTART;VALUE=DATE:" + Self.basic(first), rule, "SUMMARY:" + Self.escaped(summary),
      "TRANSP:TRANSPARENT", "END:VEVENT",
    ])
  }

  /// Returns the timestamp of an event: when the contact was last saved, so that the same book always gives the same
  /// calendar.
  private static func stamp(_ modified: String) -> String {
    let digits = modified.prefix { $0 != "." }.filter { $0.isASCII && ($0.isNumber || $0 == "T") }
    return digits.count == 15 ? digits + "Z" : "19700101T000000Z"
  }

  private static func basic(_ day: CalendarDay) -> String {
    String(PartialDate(year: day.year, month: day.month, day: day.day)?.iso.filter { $0 != "-" } ?? "19720101")
  }

  /// Returns the text as a value of the type TEXT (RFC 5545, 3.3.11), without ASCII's control characters.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": result += "\\" + String(scalar)
      case "\n", "\u{2028}", "\u{2029}", "\u{85}": result += "\\n"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns the lines, folded to at most 75 bytes, each with CR LF; no character is split.
  private static func lines(_ lines: [String]) -> String {
    var text = ""
    for line in lines {
      var width = 0
      for scalar in line.unicodeScalars {
        let length = String(scalar).utf8.count
        if width + length > 75 {
          text += "\r\n "
          width = 1
        }
        text.unicodeScalars.append(scalar)
        width += length
      }
      text += "\r\n"
    }
    return text
  }
}
