import Contacts
import VCard

/// The meaning of a property of a card for the address book.
enum CardField: Hashable {
  case uid(String)
  case kind(Contact.Kind)
  /// FN.
  case shownName(String)
  case text(ContactField.Text, String)
  /// A structured value, with its parts in the order of the fields.
  case parts(CardParts, [String])
  case birthday(PartialDate?)
  case value(ContactField.Values, LabeledValue)
  /// Indirect, because an address is several times as large as the other values, and an enum is as large as its largest
  /// case.
  indirect case address(PostalAddress)
  case groups([String])
  /// The photo embedded in the card.
  case photo

  /// The field without its value.
  enum Identity: Hashable {
    case uid, kind, shownName, birthday, address, groups, photo
    case text(ContactField.Text)
    case parts(CardParts)
    case values(ContactField.Values)
  }

  var identity: Identity {
    switch self {
    case .uid: .uid
    case .kind: .kind
    case .shownName: .shownName
    case .text(let field, _): .text(field)
    case .parts(let parts, _): .parts(parts)
    case .birthday: .birthday
    case .value(let field, _): .values(field)
    case .address: .address
    case .groups: .groups
    case .photo: .photo
    }
  }

  /// Whether a contact can have only one such field; further properties are then kept only as lines. `ParsedCard`
  /// handles photos itself.
  var isSingle: Bool {
    switch self {
    case .value, .address, .groups, .photo: false
    default: true
    }
  }

  /// Whether some programs write the same value in several properties of a card; it then counts once.
  var isOftenRepeated: Bool {
    if case .value(let field, _) = self { field.isOftenRepeated } else { false }
  }

  var withoutLabel: CardField {
    switch self {
    case .value(let field, let value): return .value(field, LabeledValue(value: value.value))
    case .address(var address):
      address.label = ""
      return .address(address)
    default: return self
    }
  }

  /// Stores the field in the contact, unless it is the photo; list values are added to the existing ones.
  func store(in contact: inout Contact) {
    switch self {
    case .uid(let text): contact.uid = text.trimmed
    case .kind(let kind): contact.kind = kind
    case .shownName(let text): contact.formattedName = text
    case .text(let field, let text): contact[field] = Self.stored(text, field)
    case .parts(let parts, let texts): for (field, text) in zip(parts.fields, texts) { contact[field] = text }
    case .birthday(let day): contact.birthday = day
    case .value(let field, let value): contact[keyPath: field.property].append(value)
    case .address(let address): contact.addresses.append(address)
    case .groups(let names): contact.groups += names
    case .photo: break
    }
  }

  /// The field as the contact has it: a text without the white space around it, unless it is prose.
  var stored: CardField {
    switch self {
    case .uid(let text): .uid(text.trimmed)
    case .shownName(let text): .shownName(text.trimmed)
    case .text(let field, let text): .text(field, Self.stored(text, field))
    default: self
    }
  }

  private static func stored(_ text: String, _ field: ContactField.Text) -> String {
    field.role == .prose ? text : text.trimmed
  }
}

/// A property with a structured value, and the fields of its parts.
final class CardParts: Sendable, Hashable {
  /// The name of the property: N or ORG.
  let property: String
  let fields: [ContactField.Text]

  init(property: String, fields: [ContactField.Text]) {
    self.property = property
    self.fields = fields
  }

  static func == (one: CardParts, other: CardParts) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
