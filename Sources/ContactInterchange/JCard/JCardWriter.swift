import Contacts
import VCard

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
