import Contacts
import VCard

extension CardField {
  /// The properties for an anniversary: that of 4.0, and those of other programs.
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

  /// Reads KIND. Only `org` is recognized; any other kind is kept as it is.
  static func kind(_ line: CardLine) -> CardField? {
    guard line.text.trimmed.lowercased() == "org" else { return nil }
    return .kind(.organization)
  }

  static func showAs(_ line: CardLine) -> CardField? {
    guard line.text.trimmed.uppercased() == "COMPANY" else { return nil }
    return .kind(.organization)
  }

  /// Reads a structured value. Several names in one part of N are joined: suffixes with commas, all others with spaces.
  /// In any other property, surplus parts, such as the smaller units of ORG, are joined into the last part.
  static func parts(_ line: CardLine, _ parts: CardParts) -> CardField? {
    parts.property == "N" ? name(line, parts) : units(line, parts)
  }

  private static func name(_ line: CardLine, _ parts: CardParts) -> CardField? {
    guard line.hasLists else {
      let found = line.components
      return .parts(parts, parts.fields.indices.map { $0 < found.count ? found[$0].trimmed : "" })
    }
    let lists = line.componentLists
    let texts = parts.fields.indices.map { index in
      guard index < lists.count else { return "" }
      if lists[index].count == 1 { return lists[index][0].trimmed }
      return lists[index].map(\.trimmed).filter { !$0.isEmpty }.joined(separator: index == 4 ? ", " : " ")
    }
    return .parts(parts, texts)
  }

  private static func units(_ line: CardLine, _ parts: CardParts) -> CardField? {
    let found = line.components.map(\.trimmed)
    let last = parts.fields.count - 1
    var texts = (0..<last).map { $0 < found.count ? found[$0] : "" }
    let rest = found.dropFirst(last).filter { !$0.isEmpty }
    texts.append(rest.joined(separator: " / "))
    return .parts(parts, texts)
  }

  static func names(_ line: CardLine, _ field: ContactField.Text) -> CardField? {
    let names = (line.version == .v21 ? [line.text] : line.list).map(\.trimmed).filter { !$0.isEmpty }
    return .text(field, names.joined(separator: ", "))
  }

  /// Reads BDAY. The date is imported as written, without the time of day and its zone. The line of anything that is
  /// not a date (a text, a year, 31 February) is kept as it is, and the contact has no birthday.
  static func birthday(_ line: CardLine) -> CardField? {
    .birthday(CardDates.date(of: line))
  }

  static func date(_ line: CardLine, _ label: String, _ field: ContactField.Values) -> CardField? {
    CardDates.date(of: line).map { .value(field, LabeledValue(label: label, value: $0.iso)) }
  }

  static func categories(_ line: CardLine) -> CardField? {
    .groups(line.list.map(\.trimmed).filter { !$0.isEmpty })
  }

  /// Returns the value with the label of its group, or else of its types; nil if the value is empty.
  static func labeled(_ line: CardLine, _ label: String?, _ value: String) -> LabeledValue? {
    value.isEmpty ? nil : LabeledValue(label: Self.label(of: line, label), value: value)
  }

  /// Returns a value of a list; nil for an empty text, and for one that a contact could not have: its line stays.
  static func value(_ field: ContactField.Values, _ text: String, _ label: String) -> CardField? {
    let isLong = text.utf8.count > Limits.value && text.unicodeScalars.count > Limits.value
    return text.isEmpty || isLong ? nil : .value(field, LabeledValue(label: label, value: text))
  }

  private static func label(of line: CardLine, _ label: String?) -> String {
    if let label, !label.isEmpty { return label }
    return line.hasParameters ? line.customLabel ?? CardLabels.label(ofTypes: line.types) : ""
  }

  /// Reads a phone number. A `tel:` URI is imported as a number with its extension (RFC 3966).
  static func phone(_ line: CardLine, _ label: String?, _ field: ContactField.Values) -> CardField? {
    var text = line.text.trimmed
    if let first = text.utf8.first, first | 0x20 == UInt8(ascii: "t"), text.prefix(4).lowercased() == "tel:" {
      text = String(text.dropFirst(4)).split(separator: ";").reduce(into: "") { number, part in
        if number.isEmpty {
          number = String(part)
        } else if part.lowercased().hasPrefix("ext=") {
          number += " ext. " + part.dropFirst(4)
        }
      }
    }
    return labeled(line, label, text).map { .value(field, $0) }
  }

  static func address(_ line: CardLine, _ label: String?) -> CardField? {
    let parts = line.components.map(\.trimmed)
    func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
    var address = PostalAddress(label: Self.label(of: line, label))
    guard parts.prefix(7).contains(where: { !$0.isEmpty }) else {
      address.street = line.deliveryLabel.trimmed
      return address.isEmpty ? nil : .address(address)
    }
    for (index, piece) in AddressPart.inCardOrder.enumerated() { address[piece] = part(index) }
    return .address(address)
  }

  /// Reads LABEL, the delivery text of an address, for one that stands nowhere else.
  static func deliveryText(_ line: CardLine, _ label: String?) -> CardField? {
    let text = line.text.trimmed
    return text.isEmpty ? nil : .address(PostalAddress(label: Self.label(of: line, label), street: text))
  }

  /// Reads a name of a related person. The label is the X-ABLabel, or else the type.
  static func relatedName(_ line: CardLine, _ label: String?, _ field: ContactField.Values) -> CardField? {
    related(line, label ?? CardLabels.relation(ofTypes: line.types), field)
  }

  static func related(_ line: CardLine, _ label: String, _ field: ContactField.Values) -> CardField? {
    let name = line.text.trimmed
    guard !name.isEmpty else { return nil }
    return .value(field, LabeledValue(label: label, value: name))
  }

  /// Reads RELATED. Only a name is imported; a URI refers to another card and is kept as it is. Many programs write names
  /// without saying that they are text.
  static func relatedPerson(
    _ line: CardLine, _ label: String?, _ field: ContactField.Values
  ) -> CardField? {
    let isText = line.values(of: "VALUE").contains { $0.lowercased() == "text" }
    return isText || !line.text.trimmed.isURI ? relatedName(line, label, field) : nil
  }
}
