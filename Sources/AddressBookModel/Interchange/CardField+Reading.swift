import VCard

/// How each property is read.
extension CardField {
  /// Only `org` is understood; any other kind is kept as it stands.
  static func kind(_ line: CardLine) -> UnderstoodLine? {
    guard line.text.trimmedBlanks.lowercased() == "org" else { return nil }
    return UnderstoodLine(field: .kind(.organization), isExact: line.isPlain && line.version == .v40)
  }

  static func showAs(_ line: CardLine) -> UnderstoodLine? {
    guard line.text.trimmedBlanks.uppercased() == "COMPANY" else { return nil }
    return UnderstoodLine(field: .kind(.organization), isExact: line.isPlain && line.version != .v40)
  }

  /// Several names in one part are joined: given and other names by blanks, titles by commas.
  static func name(_ line: CardLine) -> UnderstoodLine? {
    let lists = line.componentLists
    var isExact = line.isPlain && lists.count <= 5
    func part(_ index: Int, _ separator: String = " ") -> String {
      guard index < lists.count else { return "" }
      if lists[index].count == 1 { return lists[index][0].trimmedBlanks }
      isExact = false
      return lists[index].map(\.trimmedBlanks).filter { !$0.isEmpty }.joined(separator: separator)
    }
    let name = CardName(
      family: part(0), given: part(1), middle: part(2), prefix: part(3), suffix: part(4, ", "))
    return UnderstoodLine(field: .name(name), isExact: isExact)
  }

  static func nickname(_ line: CardLine) -> UnderstoodLine? {
    let names = (line.version == .v21 ? [line.text] : line.list).map(\.trimmedBlanks).filter { !$0.isEmpty }
    return UnderstoodLine(
      field: .nickname(names.joined(separator: ", ")), isExact: line.isPlain && names.count <= 1)
  }

  /// The first part is the organisation, the others are its units from the larger to the smaller.
  static func organization(_ line: CardLine) -> UnderstoodLine? {
    let parts = line.components.map(\.trimmedBlanks)
    let units = parts.dropFirst().filter { !$0.isEmpty }
    return UnderstoodLine(
      field: .organization(parts.first ?? "", department: units.joined(separator: " / ")),
      isExact: line.isPlain && units.count <= 1)
  }

  /// A day is taken over, the time of day and its zone are not: the day stays the one that is written. What is no day
  /// (a text, a year, 31 February) is kept as it stands, and the entry has no birthday.
  static func birthday(_ line: CardLine) -> UnderstoodLine? {
    let date = CardDates.date(of: line)
    return UnderstoodLine(field: .birthday(date?.day), isExact: date?.isExact == true)
  }

  static func date(_ line: CardLine, _ label: String) -> UnderstoodLine? {
    guard let date = CardDates.date(of: line) else { return nil }
    // Written again with a group of its own, or as ANNIVERSARY in 4.0.
    let isExact = date.isExact && line.key == "ANNIVERSARY" && line.version == .v40 && label == "anniversary"
    return UnderstoodLine(field: .date(LabelledValue(label: label, value: date.day.iso)), isExact: isExact)
  }

  static func categories(_ line: CardLine) -> UnderstoodLine? {
    let names = line.list.map(\.trimmedBlanks).filter { !$0.isEmpty }
    return UnderstoodLine(field: .groups(names), isExact: line.isPlain && names == Array(Set(names)).sorted())
  }

  /// The label of the group, else of the types.
  static func labelled(_ line: CardLine, _ label: String?, _ value: String) -> (LabelledValue, Bool)? {
    guard !value.isEmpty else { return nil }
    if let label, !label.isEmpty { return (LabelledValue(label: label, value: value), false) }
    guard line.hasParameters else { return (LabelledValue(value: value), true) }
    let found = CardLabels.label(ofTypes: line.types)
    return (LabelledValue(label: found.label, value: value), found.isExact && line.hasOnlyTypes)
  }

  /// A `tel:` URI is shown as a number with its extension (RFC 3966).
  static func phone(_ line: CardLine, _ label: String?) -> UnderstoodLine? {
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
    guard let value = labelled(line, label, text) else { return nil }
    return UnderstoodLine(field: .phone(value.0), isExact: value.1 && isPlainNumber)
  }

  static func address(_ line: CardLine, _ label: String?) -> UnderstoodLine? {
    let parts = line.components.map(\.trimmedBlanks)
    func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
    guard let place = labelled(line, label, parts.prefix(7).joined()) else { return nil }
    let address = PostalAddress(
      label: place.0.label, poBox: part(0), extended: part(1), street: part(2), city: part(3), region: part(4),
      postalCode: part(5), country: part(6))
    return UnderstoodLine(field: .address(address), isExact: place.1 && parts.count <= 7)
  }

  static func related(_ line: CardLine, _ label: String) -> UnderstoodLine? {
    let name = line.text.trimmedBlanks
    guard !name.isEmpty else { return nil }
    return UnderstoodLine(field: .related(LabelledValue(label: label, value: name)), isExact: false)
  }

  /// Only a name is taken over; a URI refers to another card and is kept as it stands.
  static func relatedPerson(_ line: CardLine, _ label: String?) -> UnderstoodLine? {
    guard line.values(of: "VALUE").contains(where: { $0.lowercased() == "text" }) else { return nil }
    let type = line.types.first { CardLabels.relatedTypes.contains($0) } ?? ""
    guard var understood = related(line, label ?? type) else { return nil }
    understood.isExact =
      label == nil && line.version == .v40 && line.types == [type]
      && line.parameters.allSatisfy { $0.name == "TYPE" || $0.name == "VALUE" }
    return understood
  }
}
