import VCard

/// The types of values in jCards, and their forms there (RFC 7095, 3.5).
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

  /// Returns a date, time or offset as vCard 4.0 writes it, `19850412` for `1985-04-12`; a value of another type
  /// unchanged.
  static func basic(_ text: String, _ type: String) -> String {
    switch type {
    case "date", "date-time", "date-and-or-time", "timestamp": CardTime.basic(text)
    case "time": CardTime.basicTime(text)
    case "utc-offset": CardTime.basicOffset(text)
    default: text
    }
  }

  /// Returns a date, time or offset as jCard writes it, `1985-04-12` for `19850412`; a value of another type unchanged.
  static func extended(_ text: String, _ type: String) -> String {
    switch type {
    case "date", "date-time", "date-and-or-time", "timestamp": CardTime.extended(text)
    case "time": CardTime.extendedTime(text)
    case "utc-offset": CardTime.extendedOffset(text)
    default: text
    }
  }

  /// Returns the number or truth value that JSON has for a value of this type; nil if it is none.
  static func literal(_ text: String, _ type: String) -> String? {
    switch type {
    case "integer": Int(text).map(String.init)
    case "float": Double(text).flatMap { $0.isFinite ? "\($0)" : nil }
    case "boolean": ["true", "false"].first { $0 == text.lowercased() }
    default: nil
    }
  }
}
