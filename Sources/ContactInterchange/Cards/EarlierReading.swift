import Contacts
import VCard

/// What the present rules read in the cards of contacts beyond what an earlier version of the rules did.
///
/// A contact without a value whose line its card has seems to have lost the value to an edit, so the line would be
/// removed from the card.
public struct EarlierReading: Sendable {
  /// The version of the present rules: that of the newest field, but at least 2, and the properties of the user's own
  /// fields.
  public static var version: String {
    let custom = Set(CustomFields.properties + CustomFields.offered)
    return ([String(newestField)] + custom.sorted()).joined(separator: " ")
  }

  private static let newestField = ContactFields.standard.all.compactMap(\.card?.since).reduce(2, max)

  /// Returns the properties of the user's own fields in a version.
  public static func custom(in version: String?) -> [String] {
    (version?.split(separator: " ").dropFirst()).map { $0.map(String.init) } ?? []
  }

  private let vocabulary: CardVocabulary
  private let present: CardVocabulary

  /// - Parameter version: the version of the rules by which the contacts' cards were read; nil for the first one.
  public init(_ version: String?) { self.init(version, present: .standard) }

  /// - Parameter present: the present rules.
  init(_ version: String?, present: CardVocabulary) {
    let newest = version?.prefix { $0 != " " }
    vocabulary = .earlier(newest.flatMap { Int($0) } ?? 1, custom: Self.custom(in: version))
    self.present = present
  }

  /// Returns a state of a contact, as the earlier rules read it from a card or as it was edited since, with what the
  /// present rules read in the card beyond that; nil if there is nothing.
  /// - Parameter lines: the card, as a contact keeps it.
  public func rereading(_ state: Contact, from lines: [String]) -> Contact? {
    let (earlier, present) = (ParsedCard(kept: lines, vocabulary), ParsedCard(kept: lines, self.present))
    guard earlier.contact != present.contact else { return nil }
    var result = state
    let known = Set(earlier.fields)
    for (old, new) in zip(earlier.fields, present.fields) where old != new { result.reread(old, as: new, known) }
    // The lists are done.
    let (base, theirs) = (result.withOthers(of: earlier.contact), result.withOthers(of: present.contact))
    var merge = ThreeWayMerge(base: base, mine: result, theirs: theirs, prefers: .mine)
    result = merge.run()
    return result == state ? nil : result
  }
}

extension Contact {
  /// Replaces what a line said by what it says now: in a list, unless the contact no longer has the value, or as a
  /// further value. An edited value gets the new label too.
  /// - Parameter known: what all lines said.
  fileprivate mutating func reread(_ old: CardField?, as new: CardField?, _ known: Set<CardField?>) {
    switch (old, new) {
    case (.value(let field, let old)?, .value(let other, let new)?) where field == other:
      let values = self[keyPath: field.property]
      if let index = values.firstIndex(of: old) {
        self[keyPath: field.property][index] = new
      } else if old.value == new.value,
        let index = values.firstIndex(where: { $0.label == old.label && !known.contains(.value(field, $0)) })
      {
        self[keyPath: field.property][index].label = new.label
      }
    case (nil, .value(let field, let value)?):
      if !self[keyPath: field.property].contains(value) { self[keyPath: field.property].append(value) }
    case (.address(let old)?, .address(let new)?):
      if let index = addresses.firstIndex(of: old) { addresses[index] = new }
    case (nil, .address(let address)?):
      if !addresses.contains(address) { addresses.append(address) }
    default: break
    }
  }

  /// Returns the contact with the name, the other texts, the birthday and the kind of another one.
  fileprivate func withOthers(of other: Contact) -> Contact {
    var contact = self
    (contact.kind, contact.birthday) = (other.kind, other.birthday)
    for text in ContactFields.standard.texts { contact[text] = other[text] }
    return contact
  }
}

extension CardField {
  /// Returns what the first version of the rules read in a line, instead of this field. This is frozen.
  func asReadEarlier(in line: CardLine, label: String?) -> CardField? {
    switch self {
    case .birthday: return .birthday(CardDates.earlierDate(of: line))
    case .address(var address):
      guard line.isNamed("ADR"), !line.components.prefix(7).allSatisfy(\.trimmed.isEmpty) else { return nil }
      address.label = Self.earlierLabel(of: line, label)
      return .address(address)
    case .value(let field, var value):
      switch field.card.form {
      case .date:
        guard let day = CardDates.earlierDate(of: line) else { return nil }
        value.value = day.iso
      case .handle:
        guard !CardHandles.services.contains(where: { line.isNamed($0.property) }) else { break }
        guard let handle = CardHandles.earlier(line, value.label) else { return nil }
        value = handle
      case .related:
        if line.isNamed("RELATED") {
          guard line.values(of: "VALUE").contains(where: { $0.lowercased() == "text" }) else { return nil }
          value.label = label ?? line.types.first(where: CardLabels.relatedTypes.contains) ?? ""
        } else if line.isNamed("X-ABRELATEDNAMES") {
          value.label = label ?? ""
        }
      default: value.label = Self.earlierLabel(of: line, label)
      }
      return .value(field, value)
    default: return self
    }
  }

  private static func earlierLabel(of line: CardLine, _ label: String?) -> String {
    if let label, !label.isEmpty { return label }
    return line.values(of: "TYPE").isEmpty ? "" : CardLabels.earlierLabel(ofTypes: line.types)
  }
}

extension CardLine {
  /// The line read with the backslashes before quotation marks.
  var keepingQuoteEscapes: CardLine {
    let value = rawValue
    return value.contains(#"\""#) ? replacingValue(after: 0, with: value.replacing(#"\""#, with: #"\\""#)) : self
  }
}

extension CardLabels {
  fileprivate static func earlierLabel(ofTypes types: [String]) -> String {
    let label = label(ofTypes: types.filter { $0 != "work" || !types.contains { ["cell", "mobile"].contains($0) } })
    return types.contains("x-" + label) ? "x-" + label : label
  }
}

extension CardDates {
  fileprivate static func earlierDate(of line: CardLine) -> PartialDate? {
    if line.values(of: "VALUE").contains(where: { $0.lowercased() == "text" }) { return nil }
    guard let day = PartialDate(String(line.text.trimmed.prefix { !"Tt ".contains($0) })) else { return nil }
    guard let year = day.year, line.values(of: "X-APPLE-OMIT-YEAR").first == String(year) else { return day }
    return PartialDate(year: nil, month: day.month, day: day.day) ?? day
  }
}

extension CardHandles {
  fileprivate static func earlier(_ line: CardLine, _ service: String) -> LabeledValue? {
    if line.isNamed("SOCIALPROFILE") { return nil }
    let text = line.text.trimmed
    if profiles.contains(line.key) {
      let service = line.values(of: "X-SERVICE-TYPE").isEmpty ? service : line.types.first { $0 != "pref" } ?? ""
      let user = line.values(of: "X-USER").first ?? ""
      return LabeledValue(label: service, value: user.isEmpty ? text : user)
    }
    return LabeledValue(label: service, value: undecodedName(in: text))
  }
}
