import Contacts
import VCard

/// A reader of jCards (RFC 7095) as vCards of version 4.0, property by property; properties without a field are kept as
/// with any card.
public struct JCardReader<Failure: Error> {
  /// The next item of a stream of jCards.
  public enum Element {
    /// A card; its lines have no line numbers.
    case card(Card)
    /// An array that is not a jCard, and the line where it begins.
    case unreadable(line: Int)
    /// Invalid JSON, or something other than jCards, on this line; nothing comes after it.
    case malformed(line: Int)
  }

  private var elements: JSONElements<Failure>

  /// Creates a reader of the jCards of a source.
  /// - Parameter source: returns the next bytes, or nil at the end.
  public init(source: @escaping () throws(Failure) -> [UInt8]?) {
    elements = JSONElements(areCards: true, source: source)
  }

  /// Returns the next item; nil at the end.
  public mutating func next() throws(Failure) -> Element? {
    switch try elements.next() {
    case nil: return nil
    case .malformed(let line): return .malformed(line: line)
    case .object(let line, let bytes):
      guard var card = JCardProperty.card(of: bytes) else { return .unreadable(line: line) }
      card.lineNumber = line
      card.diagnostics = card.diagnostics.map { Diagnostic(line: line, problem: $0.problem) }
      return .card(card)
    }
  }
}

/// Conversion of the properties of a jCard to the lines of a card.
enum JCardProperty {
  /// Returns the card of a jCard; nil for other JSON.
  static func card(of bytes: [UInt8]) -> Card? {
    guard let value = try? JSONValue(json: bytes), let array = value.elements, array.count >= 2,
      array[0].text?.lowercased() == "vcard", let properties = array[1].elements
    else { return nil }
    var lines: [CardLine] = []
    var problems: [Diagnostic] = []
    for property in properties {
      guard let name = name(of: property) else { return nil }
      if name.lowercased() == "version" { continue }
      if let line = line(of: property) {
        lines.append(line)
      } else {
        problems.append(Diagnostic(line: 0, problem: .malformedLine(String(property.json.prefix(60)))))
      }
    }
    var card = Card(version: .v40, lines: lines)
    card.diagnostics = problems
    return card
  }

  /// Returns the name of a property; nil for other JSON.
  private static func name(of property: JSONValue) -> String? {
    guard let parts = property.elements, parts.count >= 4, parts[1].members != nil, parts[2].text != nil else {
      return nil
    }
    return parts[0].text
  }

  /// Returns the line of a property; nil for other JSON, and if a card cannot have its name, a parameter or a value.
  static func line(of property: JSONValue) -> CardLine? {
    guard let name = name(of: property), let parts = property.elements, let parameters = parts[1].members,
      let type = parts[2].text
    else { return nil }
    return line(name, parameters, type, Array(parts[3...]))
  }

  /// Returns a property after it was written as a jCard and read again; nil if it would be lost.
  static func reread(_ line: CardLine) -> CardLine? {
    card(of: Array("[\"vcard\",[\(JCardWriter.property(line))]]".utf8))?.lines.first
  }

  static func isOfGroup(_ sign: Character) -> Bool { sign.isASCII && (sign.isLetter || sign.isNumber || sign == "-") }

  /// Returns whether a line of a card may have the name: besides letters, digits and `-`, programs write `_` and `/`.
  /// BEGIN and END would begin or end a card.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && !["begin", "end"].contains(name.lowercased())
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"): true
        default: false
        }
      }
  }

  /// Returns the line of a property; nil if a card cannot have its name, a parameter or a value.
  private static func line(
    _ name: String, _ parameters: JSONMembers, _ type: String, _ values: [JSONValue]
  ) -> CardLine? {
    guard isName(name) else { return nil }
    let name = name.uppercased()
    var group = ""
    var own: [CardParameter] = []
    for (key, value) in parameters.sorted(by: { $0.key < $1.key }) {
      guard isName(key), let texts = texts(value.elements ?? [value]) else { return nil }
      if key.lowercased() == "group" {
        group = (texts.first ?? "").filter(isOfGroup)
      } else {
        own.append(CardParameter(name: key.uppercased(), values: texts))
      }
    }
    let type = type.lowercased()
    if type != JCardTypes.standard(of: name), type != "unknown" { own.insert(CardParameter("VALUE", type), at: 0) }
    if values.count == 1, let parts = values[0].elements {
      let found = parts.map { texts($0.elements ?? [$0]) }
      let lists = found.compactMap(\.self)
      guard lists.count == parts.count else { return nil }
      if lists.allSatisfy({ $0.count == 1 }) {
        return CardLine(name, group: group, parameters: own, components: lists.map { $0[0] }, version: .v40)
      }
      let value = lists.map { $0.map(escaped).joined(separator: ",") }.joined(separator: ";")
      return CardLine(name, group: group, parameters: own, plain: value, version: .v40)
    }
    guard let texts = texts(values) else { return nil }
    if type == "uri", texts.count == 1, !texts[0].hasPrefix("data:") {
      return CardLine(name, group: group, parameters: own, uri: texts[0], version: .v40)
    }
    guard JCardTypes.isEscaped(type) else {
      let plain = texts.map { JCardTypes.basic($0, type) }.joined(separator: ",")
      return CardLine(name, group: group, parameters: own, plain: plain, version: .v40)
    }
    if texts.count > 1 { return CardLine(name, group: group, parameters: own, list: texts, version: .v40) }
    return CardLine(name, group: group, parameters: own, text: texts[0], version: .v40)
  }

  /// Returns a text with the escapes of 4.0, for lists inside a part.
  private static func escaped(_ text: String) -> String {
    CardLine("X", text: text, version: .v40).rawValue
  }

  /// Returns the texts of values; nil if one is a list or an object.
  static func texts(_ values: [JSONValue]) -> [String]? {
    let texts = values.compactMap(text)
    return texts.count == values.count ? texts : nil
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .text(let text): text
    case .number(let digits): digits
    case .bool(let isTrue): isTrue ? "TRUE" : "FALSE"
    case .null: ""
    case .list, .object: nil
    }
  }
}

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
