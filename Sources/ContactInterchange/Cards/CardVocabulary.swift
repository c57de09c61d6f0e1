import Contacts
import Synchronization
import VCard

extension CustomFields {
  private static let others = CardVocabulary(.standard)
  private static let reserved = ["X-AB", "X-ADDRESSBOOKSERVER-", "X-PHONETIC-"]

  /// Returns the name of a property in upper case; nil for a text that cannot be one (RFC 6350, 3.3 and 6.10), and for a
  /// property that has a meaning already.
  public static func property(_ text: String) -> String? {
    let name = text.uppercased()
    let isName =
      name.hasPrefix("X-") && name.count > 2
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || byte == UInt8(ascii: "-")
      }
    let isTaken = reserved.contains(where: name.hasPrefix) || others.has(name)
    return isName && !isTaken ? name : nil
  }
}

/// A mapping between properties of cards and a table of fields.
struct CardVocabulary: Sendable {
  /// An item of a card, other than the UID.
  enum Step: Sendable {
    case kind, shownName, addresses, birthday, groups, photo
    case text(ContactField.Text)
    case parts(CardParts)
    case values(ContactField.Values)

    var identity: CardField.Identity {
      switch self {
      case .kind: .kind
      case .shownName: .shownName
      case .addresses: .address
      case .birthday: .birthday
      case .groups: .groups
      case .photo: .photo
      case .text(let field): .text(field)
      case .parts(let parts): .parts(parts)
      case .values(let field): .values(field)
      }
    }

    /// Returns what a contact has for the item, in the contact's order; an empty text counts as missing.
    func fields(of contact: Contact) -> [CardField] {
      switch self {
      case .kind: return contact.kind == .organization ? [.kind(.organization)] : []
      case .shownName: return contact.displayName.isEmpty ? [] : [.shownName(contact.displayName)]
      case .text(let field): return contact[field].isEmpty ? [] : [.text(field, contact[field])]
      case .parts(let parts):
        let texts = parts.fields.map { contact[$0] }
        return texts.allSatisfy(\.isEmpty) ? [] : [.parts(parts, texts)]
      case .values(let field): return field.read(contact).map { .value(field, $0) }
      case .addresses: return contact.addresses.map { .address($0) }
      case .birthday: return contact.birthday.map { [.birthday($0)] } ?? []
      case .groups: return contact.groups.isEmpty ? [] : [.groups(contact.groups)]
      case .photo: return contact.photo == nil ? [] : [.photo]
      }
    }

    /// Returns the name that a card of the version gets even if it is empty: FN, and N before 4.0; nil for any other
    /// item.
    func emptyName(_ version: CardVersion) -> CardField? {
      switch self {
      case .shownName: .shownName("")
      case .parts(let parts) where parts.property == "N" && version != .v40:
        .parts(parts, parts.fields.map { _ in "" })
      default: nil
      }
    }
  }

  private static let latest = Mutex(CardVocabulary(.standard))

  /// The present mapping. Opening a book may add properties to it.
  static var standard: CardVocabulary {
    let custom = CustomFields.properties
    return latest.withLock { latest in
      if latest.custom != custom { latest = CardVocabulary(.standard, custom: custom) }
      return latest
    }
  }

  /// Returns the mapping of an earlier version of the rules, see ``EarlierReading``.
  /// - Parameter custom: the properties of the user's own fields at that time.
  static func earlier(_ version: Int, custom: [String]) -> CardVocabulary {
    let known = ContactFields.standard.all.filter { ($0.card?.since ?? 1) <= version }
    var vocabulary = CardVocabulary(ContactFields(known), custom: custom)
    vocabulary.isEarlier = version == 1
    return vocabulary
  }

  /// The items in the order in which they are written, after the UID.
  let steps: [Step]
  /// The phonetic family, given and middle name, by the places of their names in N; fewer if the table lacks some.
  let readings: [ContactField.Text]
  private let properties: [String: Property]
  /// The properties of dates.
  private let dates: Set<String>
  /// The properties of the user's own fields.
  let custom: [String]
  private(set) var isEarlier = false

  private enum Property: Sendable {
    case simple(@Sendable (String) -> CardField)
    case special(@Sendable (CardLine, String?) -> CardField?)
  }

  init(_ fields: ContactFields, custom: [String] = []) {
    var steps: [Step] = []
    var properties: [String: Property] = [
      "UID": .simple(CardField.uid),
      "KIND": .special { line, _ in CardField.kind(line) },
      "X-ABSHOWAS": .special { line, _ in CardField.showAs(line) },
      "ADR": .special { line, label in CardField.address(line, label) },
      "LABEL": .special { line, label in CardField.deliveryText(line, label) },
      "BDAY": .special { line, _ in CardField.birthday(line) },
      "CATEGORIES": .special { line, _ in CardField.categories(line) },
    ]
    readings = ["phoneticFamily", "phoneticGiven", "phoneticMiddle"].compactMap(fields.text(named:))
    var structures: Set<String> = []
    for field in fields.inCardOrder {
      switch field {
      case .text(let text):
        let name = text.card.name
        switch text.card.form {
        case .part:
          guard structures.insert(name).inserted else { continue }
          let parts = CardParts(property: name, fields: Self.parts(of: name, fields))
          properties[name] = .special { line, _ in line.isReading ? nil : CardField.parts(line, parts) }
          steps.append(.parts(parts))
        case .shownName:
          properties[name] = .simple(CardField.shownName)
          steps.append(.shownName)
        case .names:
          properties[name] = .special { line, _ in CardField.names(line, text) }
          steps.append(.text(text))
        default:
          properties[name] = .simple { .text(text, $0) }
          steps.append(.text(text))
        }
      case .values(let values):
        // A property of another field keeps its meaning.
        for (name, property) in Self.properties(of: values, custom)
        where values.card.form != .custom || properties[name] == nil { properties[name] = property }
        steps.append(.values(values))
      case .special(.kind): steps.append(.kind)
      case .special(.addresses): steps.append(.addresses)
      case .special(.birthday): steps.append(.birthday)
      case .special(.groups): steps.append(.groups)
      case .special(.photo): steps.append(.photo)
      case .special(.cardLines): break
      }
    }
    self.steps = steps
    self.properties = properties
    self.custom = custom
    let dated = fields.values.filter { $0.card.form == .date }.flatMap { Self.properties(of: $0, []).map(\.0) }
    dates = Set(dated + ["BDAY"])
  }

  /// Returns the meaning of a property; nil if it is unknown or has a form that the book does not support, and for photos,
  /// which ``ContactCardReader`` reads.
  /// - Parameter label: the X-ABLabel of its group.
  func parse(_ line: CardLine, label: String?) -> CardField? {
    let line = isEarlier ? line.keepingQuoteEscapes : line
    let field: CardField? =
      switch properties[line.key] {
      case nil: nil
      case .simple(let make): make(line.text)
      case .special(let read): read(line, label)
      }
    return isEarlier ? field?.asReadEarlier(in: line, label: label) : field
  }

  /// Returns whether the property has a meaning.
  func has(_ property: String) -> Bool { properties[property] != nil }

  /// Returns whether the property has a date.
  func isDate(_ line: CardLine) -> Bool { dates.contains(line.key) }

  private static func parts(of property: String, _ fields: ContactFields) -> [ContactField.Text] {
    fields.texts.compactMap { text -> (Int, ContactField.Text)? in
      guard text.card.name == property, case .part(let index) = text.card.form else { return nil }
      return (index, text)
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns the properties for values of a field, including older names.
  private static func properties(of field: ContactField.Values, _ custom: [String]) -> [(String, Property)] {
    let name = field.card.name
    switch field.card.form {
    case .phone: return [(name, .special { line, label in CardField.phone(line, label, field) })]
    case .date:
      let named = CardField.anniversaries.map { name in
        (name, Property.special { line, label in CardField.date(line, label ?? "anniversary", field) })
      }
      return [(name, .special { line, label in CardField.date(line, label ?? "", field) })] + named
    case .handle:
      let services = CardHandles.services.map { name, service in
        (name, Property.special { line, _ in CardHandles.service(line, service, field) })
      }
      let profiles = CardHandles.profiles.map { name in
        (name, Property.special { line, label in CardHandles.profile(line, label, field) })
      }
      return [(name, .special { line, label in CardHandles.impp(line, label, field) })] + profiles + services
    case .related:
      let named = CardField.relations.map { name, label in
        (name, Property.special { line, own in CardField.related(line, own ?? label, field) })
      }
      return [
        (name, .special { line, label in CardField.relatedName(line, label, field) }),
        ("RELATED", .special { line, label in CardField.relatedPerson(line, label, field) }),
      ] + named
    case .custom:
      let own = custom.map { name in
        let label = CustomFields.label(of: name)
        return (name, Property.special { line, _ in CardField.value(field, line.text.trimmed, label) })
      }
      return [(name, .special { line, label in CardField.value(field, line.text.trimmed, label ?? "") })] + own
    default:
      return [
        (
          name,
          .special { line, label in
            CardField.labeled(line, label, line.text.trimmed).map { .value(field, $0) }
          }
        )
      ]
    }
  }
}
