import Contacts
import VCard

/// A maker of the lines of a field in a version: the property, and its X-ABLabel if it needs one.
struct CardFieldMaker {
  private let maker: CardLineMaker
  private let version: CardVersion
  /// The anniversary that gets the property of 4.0, which a card can have only once.
  private let anniversary: LabeledValue?

  init(_ contact: Contact, version: CardVersion) {
    self.version = version
    maker = CardLineMaker(version: version)
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
