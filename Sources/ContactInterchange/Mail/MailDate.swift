import Glibc

/// The date of an email (RFC 5322, 3.3), with the obsolete names of zones.
enum MailDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
  /// Hours from UTC.
  private static let zones = [
    "ut": 0, "gmt": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6,
    "pst": -8, "pdt": -7,
  ]

  /// Returns the moment in seconds since 1970, for `Fri, 21 Nov 1997 09:55:06 -0600`; nil for anything else.
  static func seconds(_ text: String) -> Int? {
    let plain = text.prefix { $0 != "(" }
    let words = plain.split { $0 == " " || $0 == "," || $0 == "\t" }.map { $0.lowercased() }
    guard let month = words.firstIndex(where: { months.contains(String($0.prefix(3))) && Int($0) == nil }), month > 0,
      words.count > month + 2, let day = Int(words[month - 1]), (1...31).contains(day), var year = Int(words[month + 1])
    else { return nil }
    if year < 50 { year += 2000 } else if year < 1000 { year += 1900 }
    let time = words[month + 2].split(separator: ":").map { Int($0) }
    guard time.count >= 2, let hour = time[0], let minute = time[1], (0...23).contains(hour), (0...59).contains(minute),
      (1900...9999).contains(year)
    else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
      Int32(year - 1900), Int32(months.firstIndex(of: String(words[month].prefix(3))) ?? 0), Int32(day)
    )
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(hour), Int32(minute), Int32(time.count > 2 ? time[2] ?? 0 : 0))
    return timegm(&parts) - offset(words.count > month + 3 ? words[month + 3] : "")
  }

  /// The offset of a zone in seconds; 0 for an unknown one, as the RFC asks.
  private static func offset(_ zone: String) -> Int {
    if let hours = zones[zone] { return hours * 3600 }
    guard zone.count == 5, let number = Int(zone.dropFirst()), zone.hasPrefix("+") || zone.hasPrefix("-") else {
      return 0
    }
    return (zone.hasPrefix("-") ? -1 : 1) * (number / 100 * 60 + number % 100) * 60
  }
}
