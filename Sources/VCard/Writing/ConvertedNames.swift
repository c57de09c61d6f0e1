/// The names of properties and parameters in different versions.
enum ConvertedNames {
  /// Properties of 2.1 and 3.0 that 4.0 removed (RFC 6350, A.2), and those that the conversion could not move into
  /// another property. In 4.0, they get an X-.
  private static let removed: Set<String> = ["MAILER", "CLASS", "NAME", "PROFILE", "LABEL", "SORT-STRING", "AGENT"]
  /// How programs write the groups of 4.0 in earlier versions.
  private static let ofGroups = ["KIND": "X-ADDRESSBOOKSERVER-KIND", "MEMBER": "X-ADDRESSBOOKSERVER-MEMBER"]

  static func property(_ name: String, from version: CardVersion, to target: CardVersion) -> String {
    let key = name.uppercased()
    if target == .v40 {
      if removed.contains(key) { return "X-" + key }
      if let new = ofGroups.first(where: { $0.value == key }) { return new.key }
    } else if version == .v40 {
      if key.hasPrefix("X-"), removed.contains(String(key.dropFirst(2))) { return String(key.dropFirst(2)) }
      if let old = ofGroups[key] { return old }
    }
    return legal(name)
  }

  /// Returns a name of letters, digits and hyphens only (RFC 6350, 3.3).
  static func legal(_ name: String) -> String {
    let isLegal = { (byte: UInt8) in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == Byte.hyphen
    }
    if name.utf8.allSatisfy(isLegal) { return name }
    return name.unicodeScalars.reduce(into: "") { text, scalar in
      let isKept = scalar.isASCII && isLegal(UInt8(truncatingIfNeeded: scalar.value))
      text.unicodeScalars.append(isKept ? scalar : "-")
    }
  }
}

/// Values that versions write in different ways.
enum ConvertedValues {
  /// Returns the value of a property in another version; nil if it is the same there.
  static func value(of line: CardLine, in target: CardVersion) -> String? {
    switch line.key {
    case "GEO": coordinates(line).map { target == .v40 ? "geo:\($0.latitude),\($0.longitude)" : old($0, target) }
    case "REV", "BDAY", "ANNIVERSARY", "DEATHDATE": time(line, in: target)
    case "TZ":
      line.text.isOffset ? (target == .v40 ? CardTime.basicOffset(line.text) : CardTime.extendedOffset(line.text)) : nil
    default: nil
    }
  }

  /// Returns the VALUE that a property needs in another version; nil to keep what it has, empty for none.
  static func type(of line: CardLine, in target: CardVersion) -> String? {
    let own = line.values(of: "VALUE").first?.lowercased() ?? ""
    switch line.key {
    case "GEO": return coordinates(line) == nil ? nil : ""
    case "REV", "BDAY", "ANNIVERSARY", "DEATHDATE":
      guard ["", "date", "date-time", "date-and-or-time", "timestamp"].contains(own) else { return nil }
      return target != .v30 || line.isNamed("REV") || !line.text.contains("T") ? "" : "date-time"
    case "TZ":
      if target == .v40 { return line.text.isOffset ? "utc-offset" : "" }
      return line.text.isOffset ? "" : "text"
    case "PHOTO", "LOGO", "SOUND", "KEY":
      // Before 4.0, the value is binary by default.
      guard target != .v40, own.isEmpty, line.rawValue.contains("://") else { return nil }
      return target == .v21 ? "URL" : "uri"
    default: return nil
    }
  }

  private static func old(_ place: (latitude: String, longitude: String), _ target: CardVersion) -> String {
    // 2.1 has the longitude first.
    target == .v21 ? "\(place.longitude),\(place.latitude)" : "\(place.latitude);\(place.longitude)"
  }

  /// Reads `46.8;8.2` (3.0), `geo:46.8,8.2` (4.0) and `8.2,46.8` (2.1).
  private static func coordinates(_ line: CardLine) -> (latitude: String, longitude: String)? {
    var text = line.rawValue.filter { $0 != " " && $0 != "\\" }
    let isURI = text.prefix(4).lowercased() == "geo:"
    if isURI { text = String(text.dropFirst(4).prefix { $0 != ";" && $0 != "?" }) }
    let numbers = text.split(whereSeparator: { $0 == ";" || $0 == "," }).map(String.init)
    guard numbers.count >= 2, numbers.prefix(2).allSatisfy({ Double($0) != nil }) else { return nil }
    let isSwapped = line.version == .v21 && !isURI && text.contains(",")
    return isSwapped ? (numbers[1], numbers[0]) : (numbers[0], numbers[1])
  }

  private static func time(_ line: CardLine, in target: CardVersion) -> String? {
    let text = line.rawValue
    guard text.contains(where: \.isNumber), text.allSatisfy({ $0.isNumber || "-+:.TtZz".contains($0) }) else {
      return nil
    }
    if target == .v40 { return CardTime.basic(text) }
    return line.version == .v40 && text.contains("T") ? CardTime.extended(text) : nil
  }
}

extension String {
  /// Whether the text is an offset from UTC: `-0500`, `+01:00`, `Z`.
  fileprivate var isOffset: Bool {
    guard let first, first == "+" || first == "-" else { return false }
    return dropFirst().allSatisfy { $0.isNumber || $0 == ":" } && count > 2
  }
}

/// Dates and times in the basic form of 4.0 (RFC 6350, 4.3), and in the extended form of 3.0 and of jCard (RFC 7095, 3.5).
public enum CardTime {
  /// Returns `19850412T102200Z` for `1985-04-12T10:22:00Z`. A year with a month keeps its hyphen.
  public static func basic(_ text: String) -> String {
    let (date, time) = split(text)
    var digits = date
    if date.hasPrefix("--") {
      digits = "--" + date.dropFirst(2).filter { $0 != "-" }
    } else if date.utf8.count == 10 {
      digits = date.filter { $0 != "-" }
    }
    return digits + (time.map { "T" + basicTime($0) } ?? "")
  }

  /// Returns `1985-04-12T10:22:00Z` for `19850412T102200Z`.
  public static func extended(_ text: String) -> String {
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

  /// Returns a time of day, with its zone, without colons; it may begin with hyphens: `-2200`.
  public static func basicTime(_ time: String) -> String {
    let (clock, zone) = splitZone(time)
    return clock.filter { $0 != ":" } + basicOffset(zone)
  }

  /// Returns a time of day, with its zone, with colons.
  public static func extendedTime(_ time: String) -> String {
    let (clock, zone) = splitZone(time)
    let hyphens = clock.prefix { $0 == "-" }
    return hyphens + paired(clock.dropFirst(hyphens.count)) + extendedOffset(zone)
  }

  /// Returns `-0500` for `-05:00`.
  public static func basicOffset(_ zone: String) -> String { zone.filter { $0 != ":" } }

  /// Returns `-05:00` for `-0500` and for `-05`.
  public static func extendedOffset(_ zone: String) -> String {
    guard let sign = zone.first, sign == "+" || sign == "-" else { return zone }
    let digits = zone.dropFirst().filter { $0 != ":" }
    return String(sign) + paired(digits.count == 2 ? digits + "00" : digits[...])
  }

  /// Puts colons between pairs of digits; anything else stays as it is.
  private static func paired(_ digits: some StringProtocol) -> String {
    let all = Array(digits)
    guard all.count % 2 == 0, all.count > 2, all.allSatisfy(\.isNumber) else { return String(digits) }
    return stride(from: 0, to: all.count, by: 2).map { String(all[$0..<$0 + 2]) }.joined(separator: ":")
  }

  private static func splitZone(_ time: String) -> (clock: String, zone: String) {
    // Hyphens at the beginning stand for the hour.
    let start = time.firstIndex { $0 != "-" } ?? time.endIndex
    guard let mark = time[start...].firstIndex(where: { "+-Zz".contains($0) }) else { return (time, "") }
    return (String(time[..<mark]), String(time[mark...]))
  }

  private static func split(_ text: String) -> (date: String, time: String?) {
    guard let mark = text.firstIndex(where: { $0 == "T" || $0 == "t" }) else { return (text, nil) }
    return (String(text[..<mark]), String(text[text.index(after: mark)...]))
  }
}
