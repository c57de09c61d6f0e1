import Contacts
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

/// A writer of contacts as jCards (RFC 7095): their cards of version 4.0, property by property.
public struct JCardWriter: Sendable {
  private let cards = ContactCardWriter(version: .v40)

  /// Creates a writer.
  public init() {}

  /// Returns the jCard of a contact on one line, without a line end.
  public func text(of contact: Contact, photo: CardBinary?) -> String {
    let lines = cards.card(for: contact, photo: photo).lines.map(Self.property)
    return "[\"vcard\",[" + (["[\"version\",{},\"text\",\"4.0\"]"] + lines).joined(separator: ",") + "]]"
  }

  static func property(_ line: CardLine) -> String {
    let line = line.withLegalNames
    let key = line.key
    var type = JCardTypes.standard(of: key)
    var parameters: [(name: String, values: [String])] = []
    if line.hasGroup { parameters.append(("group", [line.group])) }
    for parameter in line.parameters {
      if parameter.name == "VALUE" {
        if let own = parameter.values.first { type = own.lowercased() }
      } else if let index = parameters.firstIndex(where: { $0.name == parameter.name.lowercased() }) {
        parameters[index].values += parameter.values
      } else {
        parameters.append((parameter.name.lowercased(), parameter.values))
      }
    }
    let members = parameters.map { "\(string($0.name)):\(list($0.values))" }
    return "[\(string(key.lowercased())),{\(members.joined(separator: ","))},\(string(type)),\(value(line, key, type))]"
  }

  private static func value(_ line: CardLine, _ key: String, _ type: String) -> String {
    if JCardTypes.structured.contains(key) {
      let parts = line.componentLists.map(list)
      return parts.count == 1 ? parts[0] : "[" + parts.joined(separator: ",") + "]"
    }
    if JCardTypes.lists.contains(key) { return line.list.map(string).joined(separator: ",") }
    // Many programs escape the commas of a URI.
    if JCardTypes.isEscaped(type) || type == "uri" { return string(line.text) }
    // Values of other types have no escapes in a card.
    return JCardTypes.literal(line.rawValue, type) ?? string(JCardTypes.extended(line.rawValue, type))
  }

  /// Returns one text as a string, several as an array.
  private static func list(_ values: [String]) -> String {
    values.count == 1 ? string(values[0]) : "[" + values.map(string).joined(separator: ",") + "]"
  }

  private static func string(_ text: String) -> String { ContactJSON.encode(text) }
}
