import Contacts
import VCard

/// The lines of a card, divided into those that belong to a field of a contact and those that belong to none.
///
/// A sync merges a contact with a file. The lines of fields are written from the merged contact; the others are merged
/// separately, and put into the card that the file has.
public struct CardTemplate: Sendable {
  /// The lines, as a contact keeps them.
  public let lines: [String]
  private let units: [(unit: CardLineUnit, hasField: Bool)]

  /// Divides the lines that a contact keeps, see ``ContactCardReader``.
  public init(_ lines: [String]) {
    self.lines = lines
    let parsed = ParsedCard(kept: lines, .standard)
    var ofFields: Set<String> = []
    for (line, field) in zip(parsed.lines, parsed.fields) where field != nil { ofFields.insert(line.verbatim) }
    units = CardLineUnit.units(of: lines).map { unit in
      (unit, unit.lines.contains { ofFields.contains($0) || CardLineUnit.isAboutCard($0) })
    }
  }

  /// The lines that belong to no field, except lines about the card itself and lines that share their group with a
  /// field.
  public var linesWithoutField: [String] { units.filter { !$0.hasField }.flatMap(\.unit.lines) }

  /// Returns ``linesWithoutField`` in the syntax of another version.
  public func linesWithoutField(in version: CardVersion) -> [String] {
    let own = KeptLines.version(of: lines)
    guard own != version else { return linesWithoutField }
    return CardLine.lines(linesWithoutField, version: own).map { $0.converted(to: version).verbatim }
  }

  /// Returns the lines of the card, with the lines that belong to no field replaced by others. Lines that are in both
  /// keep their position; new ones come last.
  public func replacingLinesWithoutField(with others: [String]) -> [String] {
    let required = CardLineUnit.units(of: others)
    var left = required.reduce(into: [:]) { counts, unit in counts[unit.key, default: 0] += 1 }
    var isChanged = false
    var result: [CardLineUnit] = []
    for (unit, hasField) in units {
      if !hasField {
        guard let count = left[unit.key], count > 0 else {
          isChanged = true
          continue
        }
        left[unit.key] = count - 1
      }
      result.append(unit)
    }
    for unit in required {
      guard let count = left[unit.key], count > 0 else { continue }
      left[unit.key] = count - 1
      isChanged = true
      result.append(unit)
    }
    return isChanged ? CardLineUnit.lines(of: result) : lines
  }

  /// Returns whether two cards have the same lines, in any order and regardless of the case of names and the numbers of
  /// groups. Lines about the cards themselves are ignored.
  public static func isSame(_ lines: [String], as others: [String]) -> Bool {
    counts(lines) == counts(others)
  }

  private static func counts(_ lines: [String]) -> [ValueKey: Int] {
    CardLineUnit.units(of: lines.filter { !CardLineUnit.isAboutCard($0) })
      .reduce(into: [:]) { counts, unit in counts[unit.key, default: 0] += 1 }
  }
}

/// A maker of properties from values, in the syntax of a version.
struct CardLineMaker {
  let version: CardVersion
  /// The properties of the user's own fields.
  var custom: [String] = []

  /// Returns the lines for a value of a field.
  /// - Parameter isAnniversary: true for the date that is written as the ANNIVERSARY of 4.0.
  func lines(_ value: LabeledValue, of field: ContactField.Values, isAnniversary: Bool) -> [CardLine] {
    switch field.card.form {
    case .date: date(value, field.card.name, isAnniversary: isAnniversary)
    case .handle: handle(value)
    case .related: related(value, field.card.name)
    case .custom: custom(value, field.card.name)
    default: labeled(field.card, value)
    }
  }

  private func handle(_ value: LabeledValue) -> [CardLine] {
    let isToken = value.label.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !";:,\"=".utf8.contains($0) }
    guard version == .v21, !isToken else { return [CardHandles.made(value, version)] }
    return [CardHandles.madeWithoutService(value, version), labelLine(value.label)]
  }

  /// Returns a text property, or nil if the value is empty.
  func text(_ name: String, _ value: String) -> CardLine? {
    value.isEmpty ? nil : CardLine(name, text: value, version: version)
  }

  var organization: CardLine {
    version == .v40
      ? CardLine("KIND", plain: "org", version: version) : CardLine("X-ABShowAs", plain: "COMPANY", version: version)
  }

  func birthday(_ day: PartialDate) -> CardLine {
    let date = CardDates.text(day, version)
    return CardLine("BDAY", parameters: date.parameters, plain: date.value, version: version)
  }

  /// Returns the lines of a date. 4.0 has a property for one anniversary; all other dates use Apple's property.
  private func date(_ value: LabeledValue, _ name: String, isAnniversary: Bool) -> [CardLine] {
    guard let day = PartialDate(value.value) else { return [] }
    let date = CardDates.text(day, version)
    if isAnniversary { return [CardLine("ANNIVERSARY", plain: date.value, version: version)] }
    let line = CardLine(name, parameters: date.parameters, plain: date.value, version: version)
    return value.label.isEmpty ? [line] : [line, labelLine(value.label)]
  }

  private func related(_ value: LabeledValue, _ name: String) -> [CardLine] {
    if version == .v40, CardLabels.relatedTypes.contains(value.label) {
      let parameters = [CardParameter("VALUE", "text"), CardParameter("TYPE", value.label)]
      return [CardLine("RELATED", parameters: parameters, text: value.value, version: version)]
    }
    let line = CardLine(name, text: value.value, version: version)
    return value.label.isEmpty ? [line] : [line, labelLine(value.label)]
  }

  private func custom(_ value: LabeledValue, _ name: String) -> [CardLine] {
    // A property that is not read from cards would not come back.
    let own = custom.first { CustomFields.label(of: $0) == value.label }
    if let own { return text(own, value.value).map { [$0] } ?? [] }
    let line = CardLine(name, text: value.value, version: version)
    return value.label.isEmpty ? [line] : [line, labelLine(value.label)]
  }

  private func labeled(_ property: ContactField.CardProperty, _ value: LabeledValue) -> [CardLine] {
    var extra: [String] = []
    if property.form == .email, version != .v40 { extra = ["INTERNET"] }
    if property.form == .phone, value.label == "home" || value.label == "work" { extra = ["VOICE"] }
    return labeled(value.label, extra: extra, first: property.form == .email) { parameters in
      property.form == .link
        ? CardLine(property.name, parameters: parameters, uri: value.value, version: version)
        : CardLine(property.name, parameters: parameters, text: value.value, version: version)
    }
  }

  func address(_ address: PostalAddress) -> [CardLine] {
    let parts = AddressPart.inCardOrder.map { address[$0] }
    return labeled(address.label, extra: [], first: false) {
      CardLine("ADR", parameters: $0, components: parts, version: version)
    }
  }

  /// Returns a line with its label as TYPE, or followed by an X-ABLabel.
  private func labeled(
    _ label: String, extra: [String], first: Bool, make: ([CardParameter]) -> CardLine
  ) -> [CardLine] {
    let own = CardLabels.types(ofLabel: label)
    var types = first ? extra + (own ?? []) : (own ?? []) + extra
    if version == .v40 { types = types.map { $0.lowercased() } }
    let line = make(types.isEmpty ? [] : [CardParameter(name: "TYPE", values: types)])
    return own == nil ? [line, labelLine(label)] : [line]
  }

  private func labelLine(_ label: String) -> CardLine {
    CardLine("X-ABLabel", text: CardLabels.appleLabel(of: label), version: version)
  }
}

/// A maker of the lines of a field in a version: the property, and its X-ABLabel if it needs one.
struct CardFieldMaker {
  private let maker: CardLineMaker
  private let version: CardVersion
  /// The anniversary that gets the property of 4.0, which a card can have only once.
  private let anniversary: LabeledValue?

  /// - Parameter custom: the properties of the user's own fields.
  init(_ contact: Contact, version: CardVersion, custom: [String] = []) {
    self.version = version
    maker = CardLineMaker(version: version, custom: custom)
    anniversary = version == .v40 ? contact.dates.first { $0.label == "anniversary" } : nil
  }

  func lines(of field: CardField) -> [CardLine] {
    switch field {
    case .uid(let text): maker.text("UID", text).map { [$0] } ?? []
    case .kind(let kind): kind == .organization ? [maker.organization] : []
    case .shownName(let text): [CardLine("FN", text: text, version: version)]
    case .text(let field, let text): maker.text(field.card.name, text).map { [$0] } ?? []
    case .parts(let parts, let texts): [structured(parts, texts)]
    case .birthday(let day): day.map { [maker.birthday($0)] } ?? []
    case .value(let field, let value):
      maker.lines(value, of: field, isAnniversary: field.card.form == .date && value == anniversary)
    case .address(let address): maker.address(address)
    case .groups(let names): [CardLine("CATEGORIES", list: names, version: version)]
    case .photo: []
    }
  }

  /// Returns the line of a structured value. N always has all its parts.
  private func structured(_ parts: CardParts, _ texts: [String]) -> CardLine {
    var texts = texts
    if parts.property != "N" { while texts.last?.isEmpty == true { texts.removeLast() } }
    return CardLine(parts.property, components: texts, version: version)
  }
}
