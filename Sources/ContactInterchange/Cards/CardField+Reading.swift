import Contacts
import VCard

/// Reading each property.
extension CardField {
  /// The properties of the only date with a property name of its own.
  static let anniversaries = [
    "ANNIVERSARY", "X-ANNIVERSARY", "X-EVOLUTION-ANNIVERSARY", "X-MS-ANNIVERSARY", "X-KADDRESSBOOK-X-ANNIVERSARY",
  ]

  /// The properties whose name is the relation.
  static let relations = [
    ("X-SPOUSE", "spouse"), ("X-EVOLUTION-SPOUSE", "spouse"), ("X-MS-SPOUSE", "spouse"),
    ("X-KADDRESSBOOK-X-SPOUSESNAME", "spouse"), ("X-MANAGER", "manager"), ("X-EVOLUTION-MANAGER", "manager"),
    ("X-MS-MANAGER", "manager"), ("X-KADDRESSBOOK-X-MANAGERSNAME", "manager"), ("X-ASSISTANT", "assistant"),
    ("X-EVOLUTION-ASSISTANT", "assistant"), ("X-MS-ASSISTANT", "assistant"),
    ("X-KADDRESSBOOK-X-ASSISTANTSNAME", "assistant"),
  ]

  /// Only `org` is recognized; any other kind is kept as it is.
  static func kind(_ line: CardLine) -> ParsedLine? {
    guard line.text.trimmedBlanks.lowercased() == "org" else { return nil }
    return ParsedLine(field: .kind(.organization), isExact: line.isPlain && line.version == .v40)
  }

  static func showAs(_ line: CardLine) -> ParsedLine? {
    guard line.text.trimmedBlanks.uppercased() == "COMPANY" else { return nil }
    return ParsedLine(field: .kind(.organization), isExact: line.isPlain && line.version != .v40)
  }

  /// Several names in one part of N are joined: given and other names with blanks, suffixes with commas. Further parts
  /// of another property, such as the units of ORG from the larger to the smaller, belong to its last part.
  static func parts(_ line: CardLine, _ parts: CardParts) -> ParsedLine? {
    parts.property == "N" ? name(line, parts) : units(line, parts)
  }

  private static func name(_ line: CardLine, _ parts: CardParts) -> ParsedLine? {
    let lists = line.componentLists
    var isExact = line.isPlain && lists.count <= parts.fields.count
    let texts = parts.fields.indices.map { index in
      guard index < lists.count else { return "" }
      if lists[index].count == 1 { return lists[index][0].trimmedBlanks }
      isExact = false
      return lists[index].map(\.trimmedBlanks).filter { !$0.isEmpty }.joined(separator: index == 4 ? ", " : " ")
    }
    return ParsedLine(field: .parts(parts, texts), isExact: isExact)
  }

  private static func units(_ line: CardLine, _ parts: CardParts) -> ParsedLine? {
    let found = line.components.map(\.trimmedBlanks)
    let last = parts.fields.count - 1
    var texts = (0..<last).map { $0 < found.count ? found[$0] : "" }
    let rest = found.dropFirst(last).filter { !$0.isEmpty }
    texts.append(rest.joined(separator: " / "))
    return ParsedLine(field: .parts(parts, texts), isExact: line.isPlain && rest.count <= 1)
  }

  static func names(_ line: CardLine, _ field: ContactField.Text) -> ParsedLine? {
    let names = (line.version == .v21 ? [line.text] : line.list).map(\.trimmedBlanks).filter { !$0.isEmpty }
    return ParsedLine(
      field: .text(field, names.joined(separator: ", ")), isExact: line.isPlain && names.count <= 1)
  }

  /// The date is imported, without the time of day and its zone: the date stays as written. Anything that is not a date
  /// (a text, a year, 31 February) is kept as it is, and the contact has no birthday.
  static func birthday(_ line: CardLine) -> ParsedLine? {
    let date = CardDates.date(of: line)
    return ParsedLine(field: .birthday(date?.day), isExact: date?.isExact == true)
  }

  static func date(_ line: CardLine, _ label: String, _ field: ContactField.Values) -> ParsedLine? {
    guard let date = CardDates.date(of: line) else { return nil }
    // Written again with a group of its own, or as ANNIVERSARY in 4.0.
    let isExact = date.isExact && line.key == "ANNIVERSARY" && line.version == .v40 && label == "anniversary"
    return ParsedLine(field: .value(field, LabeledValue(label: label, value: date.day.iso)), isExact: isExact)
  }

  static func categories(_ line: CardLine) -> ParsedLine? {
    let names = line.list.map(\.trimmedBlanks).filter { !$0.isEmpty }
    return ParsedLine(field: .groups(names), isExact: line.isPlain && names == Array(Set(names)).sorted())
  }

  /// The label of the group, or else of the types.
  static func labeled(_ line: CardLine, _ label: String?, _ value: String) -> (LabeledValue, Bool)? {
    guard !value.isEmpty else { return nil }
    if let label, !label.isEmpty { return (LabeledValue(label: label, value: value), false) }
    guard line.hasParameters else { return (LabeledValue(value: value), true) }
    let found = CardLabels.label(ofTypes: line.types)
    return (LabeledValue(label: found.label, value: value), found.isExact && line.hasOnlyTypes)
  }

  /// A `tel:` URI is displayed as a number with its extension (RFC 3966).
  static func phone(_ line: CardLine, _ label: String?, _ field: ContactField.Values) -> ParsedLine? {
    var text = line.text.trimmedBlanks
    var isPlainNumber = true
    if text.prefix(4).lowercased() == "tel:" {
      text = String(text.dropFirst(4)).split(separator: ";").reduce(into: "") { number, part in
        if number.isEmpty {
          number = String(part)
        } else if part.lowercased().hasPrefix("ext=") {
          number += " ext. " + part.dropFirst(4)
        }
      }
      isPlainNumber = false
    }
    guard let value = labeled(line, label, text) else { return nil }
    return ParsedLine(field: .value(field, value.0), isExact: value.1 && isPlainNumber)
  }

  static func address(_ line: CardLine, _ label: String?) -> ParsedLine? {
    let parts = line.components.map(\.trimmedBlanks)
    func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
    guard let place = labeled(line, label, parts.prefix(7).joined()) else { return nil }
    var address = PostalAddress(label: place.0.label)
    for (index, piece) in AddressPart.inCardOrder.enumerated() { address[piece] = part(index) }
    return ParsedLine(field: .address(address), isExact: place.1 && parts.count <= 7)
  }

  static func related(_ line: CardLine, _ label: String, _ field: ContactField.Values) -> ParsedLine? {
    let name = line.text.trimmedBlanks
    guard !name.isEmpty else { return nil }
    return ParsedLine(field: .value(field, LabeledValue(label: label, value: name)), isExact: false)
  }

  /// Only a name is imported; a URI refers to another card and is kept as it is.
  static func relatedPerson(
    _ line: CardLine, _ label: String?, _ field: ContactField.Values
  ) -> ParsedLine? {
    guard line.values(of: "VALUE").contains(where: { $0.lowercased() == "text" }) else { return nil }
    let type = line.types.first { CardLabels.relatedTypes.contains($0) } ?? ""
    guard var understood = related(line, label ?? type, field) else { return nil }
    understood.isExact =
      label == nil && line.version == .v40 && line.types == [type]
      && line.parameters.allSatisfy { $0.name == "TYPE" || $0.name == "VALUE" }
    return understood
  }
}
