import Contacts

/// A contact made from the values of a record, which may come in any order.
struct ContactAssembler {
  /// Whether a value was stored.
  enum Outcome: Equatable {
    /// Stored, or ignored because there is nothing to store.
    case stored
    /// The contact has another value there, or cannot store this one.
    case noField
    case notADate
    /// A date that was stored, but could also be read with day and month swapped.
    case ambiguousDate
  }

  private var contact = Contact()
  private var name = ""
  private var hasKind = false
  private let isDayFirst: Bool

  init(isDayFirst: Bool = false) { self.isDayFirst = isDayFirst }

  /// Stores a value; a blank value is ignored.
  mutating func add(_ text: String, to slot: FieldSlot) -> Outcome {
    let value = text.trimmed
    guard !value.isEmpty else { return .stored }
    switch slot {
    case .text(let field) where field.role == .fullName: return Self.set(&name, value)
    case .text(let field) where field.allowsLines: return note(text, field)
    case .text(let field):
      var present = contact[field]
      defer { contact[field] = present }
      return Self.set(&present, value)
    case .name: return Self.set(&name, value)
    case .value(let field, let label): return add(value, label, field)
    case .address(let part, let label): return add(value, part, label)
    case .birthday: return birthday(value)
    case .groups:
      contact.groups.append(value)
      return .stored
    case .kind:
      guard let kind = Self.kinds[value.lowercased()], !hasKind || contact.kind == kind else { return .noField }
      contact.kind = kind
      hasKind = true
      return .stored
    case .uid: return Self.set(&contact.uid, value)
    }
  }

  /// Stores a whole address, unless it is empty.
  mutating func add(_ address: PostalAddress) {
    if !address.isEmpty { contact.addresses.append(address) }
  }

  /// Stores an address that is only known as text, unless there is one in parts with this label, which says more.
  /// - Returns: `noField` if that address lacks some of the words.
  mutating func add(formatted text: String, label: String) -> Outcome {
    guard let parts = contact.addresses.first(where: { $0.label == label }) else {
      add(PostalAddress(label: label, street: text))
      return .stored
    }
    return parts.hasWords(of: text) ? .stored : .noField
  }

  /// Stores a birthday that was read in parts; reports one that is not a date.
  mutating func add(birthday parts: BirthdayParts) -> Outcome {
    guard let day = parts.day else { return parts.isEmpty ? .stored : .notADate }
    return store(birthday: day)
  }

  private mutating func store(birthday day: PartialDate) -> Outcome {
    guard contact.birthday == nil || contact.birthday == day else { return .noField }
    contact.birthday = day
    return .stored
  }

  /// Returns the contact. A full name is only stored if the contact would not display it anyway. Unless the record says
  /// what kind it is, a record with an organization and without a person's name is an organization.
  mutating func finish() -> Contact {
    contact.groups = Array(Set(contact.groups)).sorted()
    if !hasKind, contact.composedName.isEmpty, !contact.organization.isEmpty,
      name.isEmpty || name == contact.organization
    {
      contact.kind = .organization
    }
    if !name.isEmpty { contact.setFullName(name) }
    return contact
  }

  private static let kinds: [String: Contact.Kind] = ["person": .person, "organization": .organization]

  private static func set(_ text: inout String, _ value: String) -> Outcome {
    guard text.isEmpty || text == value else { return .noField }
    text = value
    return .stored
  }

  /// Appends a note: those from several columns are all kept, one below the other.
  private mutating func note(_ text: String, _ field: ContactField.Text) -> Outcome {
    contact[field] += contact[field].isEmpty ? text : "\n" + text
    return .stored
  }

  private mutating func add(_ value: String, _ label: String, _ field: ContactField.Values) -> Outcome {
    guard field.rule == .date else {
      contact[keyPath: field.property].append(LabeledValue(label: label, value: value))
      return .stored
    }
    guard let date = WrittenDate(value, isDayFirst: isDayFirst) else { return .notADate }
    guard let day = date.day else { return .stored }
    contact[keyPath: field.property].append(LabeledValue(label: label, value: day.iso))
    return date.isAmbiguous ? .ambiguousDate : .stored
  }

  private mutating func birthday(_ text: String) -> Outcome {
    guard let date = WrittenDate(text, isDayFirst: isDayFirst) else { return .notADate }
    guard let day = date.day else { return .stored }
    let outcome = store(birthday: day)
    return outcome == .stored && date.isAmbiguous ? .ambiguousDate : outcome
  }

  /// Stores a part of the address with this label. Some programs write the street in several columns.
  private mutating func add(_ value: String, _ part: AddressPart, _ label: String) -> Outcome {
    let index = contact.addresses.firstIndex { $0.label == label }
    var address = index.map { contact.addresses[$0] } ?? PostalAddress(label: label)
    if address[part].isEmpty {
      address[part] = value
    } else if address[part] == value {
      return .stored
    } else if part == .street {
      address[part] += "\n" + value
    } else {
      return .noField
    }
    if let index { contact.addresses[index] = address } else { contact.addresses.append(address) }
    return .stored
  }
}
