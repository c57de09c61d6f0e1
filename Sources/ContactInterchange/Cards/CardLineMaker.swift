import Contacts
import VCard

/// A maker of properties from values, in the syntax of a version.
struct CardLineMaker {
  let version: CardVersion

  /// Returns the lines for a value of a field.
  /// - Parameter isAnniversary: true for the date that is written as the ANNIVERSARY of 4.0.
  func lines(_ value: LabeledValue, of field: ContactField.Values, isAnniversary: Bool) -> [CardLine] {
    switch field.card.form {
    case .date: date(value, field.card.name, isAnniversary: isAnniversary)
    case .handle: handle(value)
    case .related: related(value, field.card.name)
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
