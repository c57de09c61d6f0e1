import VCard

/// What one property of a card means to the address book.
enum CardField: Hashable {
  case uid(String)
  case kind(Contact.Kind)
  case formattedName(String)
  case name(CardName)
  case phoneticGiven(String)
  case phoneticMiddle(String)
  case phoneticFamily(String)
  case nickname(String)
  case organization(String, department: String)
  case title(String)
  case birthday(PartialDate?)
  case note(String)
  case phone(LabelledValue)
  case email(LabelledValue)
  case address(PostalAddress)
  case url(LabelledValue)
  case date(LabelledValue)
  case handle(LabelledValue)
  case related(LabelledValue)
  case groups([String])
  /// A picture in the card itself.
  case photo

  /// Fields that an entry has once: further properties of the kind are kept for the export only.
  var isSingle: Bool {
    switch self {
    case .phone, .email, .address, .url, .date, .handle, .related, .groups, .photo: return false
    default: return true
    }
  }
}

/// The five parts of N.
struct CardName: Hashable {
  var family = ""
  var given = ""
  var middle = ""
  var prefix = ""
  var suffix = ""
}

/// A property with its meaning, and whether the entry alone could write it again to the same effect.
struct UnderstoodLine {
  var field: CardField
  /// False when the property says more than the field holds: a group, parameters, an unusual form.
  var isExact: Bool
}

extension CardField {
  /// The meaning of a property; nil for one that the book does not know or does not hold in this form.
  /// - Parameter label: the X-ABLabel of its group.
  static func understand(_ line: CardLine, label: String?) -> UnderstoodLine? {
    guard let property = properties[line.key] else { return nil }
    var understood: UnderstoodLine?
    switch property {
    case .simple(let make): understood = UnderstoodLine(field: make(line.text), isExact: line.isPlain)
    case .special(let read): understood = read(line, label)
    }
    if line.hasGroup { understood?.isExact = false }
    return understood
  }

  private enum Property: Sendable {
    case simple(@Sendable (String) -> CardField)
    case special(@Sendable (CardLine, String?) -> UnderstoodLine?)
  }

  private static let properties: [String: Property] = {
    var table: [String: Property] = [
      "UID": .simple(CardField.uid), "FN": .simple(CardField.formattedName), "TITLE": .simple(CardField.title),
      "NOTE": .simple(CardField.note), "X-PHONETIC-FIRST-NAME": .simple(CardField.phoneticGiven),
      "X-PHONETIC-MIDDLE-NAME": .simple(CardField.phoneticMiddle),
      "X-PHONETIC-LAST-NAME": .simple(CardField.phoneticFamily),
      "KIND": .special { line, _ in kind(line) },
      "X-ABSHOWAS": .special { line, _ in showAs(line) },
      "N": .special { line, _ in name(line) },
      "NICKNAME": .special { line, _ in nickname(line) },
      "ORG": .special { line, _ in organization(line) },
      "BDAY": .special { line, _ in birthday(line) },
      "CATEGORIES": .special { line, _ in categories(line) },
      "TEL": .special { line, label in phone(line, label) },
      "EMAIL": .special { line, label in
        labelled(line, label, line.text.trimmedBlanks).map { make($0, CardField.email) }
      },
      "URL": .special { line, label in labelled(line, label, line.text.trimmedBlanks).map { make($0, CardField.url) } },
      "ADR": .special { line, label in address(line, label) },
      "IMPP": .special { line, label in CardHandles.impp(line, label) },
      "X-SOCIALPROFILE": .special { line, label in CardHandles.profile(line, label) },
      "X-ABDATE": .special { line, label in date(line, label ?? "") },
      "X-ABRELATEDNAMES": .special { line, label in related(line, label ?? "") },
      "RELATED": .special { line, label in relatedPerson(line, label) },
      "PHOTO": .special { line, _ in line.binary == nil ? nil : UnderstoodLine(field: .photo, isExact: true) },
    ]
    for name in [
      "ANNIVERSARY", "X-ANNIVERSARY", "X-EVOLUTION-ANNIVERSARY", "X-MS-ANNIVERSARY",
      "X-KADDRESSBOOK-X-ANNIVERSARY",
    ] {
      table[name] = .special { line, label in date(line, label ?? "anniversary") }
    }
    for (name, label) in relatedProperties {
      table[name] = .special { line, own in related(line, own ?? label) }
    }
    for (name, service) in CardHandles.services {
      table[name] = .special { line, _ in CardHandles.service(line, service) }
    }
    return table
  }()

  private static let relatedProperties = [
    ("X-SPOUSE", "spouse"), ("X-EVOLUTION-SPOUSE", "spouse"), ("X-MS-SPOUSE", "spouse"),
    ("X-KADDRESSBOOK-X-SPOUSESNAME", "spouse"), ("X-MANAGER", "manager"), ("X-EVOLUTION-MANAGER", "manager"),
    ("X-MS-MANAGER", "manager"), ("X-KADDRESSBOOK-X-MANAGERSNAME", "manager"), ("X-ASSISTANT", "assistant"),
    ("X-EVOLUTION-ASSISTANT", "assistant"), ("X-MS-ASSISTANT", "assistant"),
    ("X-KADDRESSBOOK-X-ASSISTANTSNAME", "assistant"),
  ]

  static func make(_ value: (LabelledValue, Bool), _ field: (LabelledValue) -> CardField) -> UnderstoodLine {
    UnderstoodLine(field: field(value.0), isExact: value.1)
  }
}

extension CardLine {
  /// True when nothing but the value's own encoding stands before the colon.
  var isPlain: Bool {
    guard hasParameters else { return !hasGroup }
    return !hasGroup && parameters.allSatisfy { $0.name == "ENCODING" || $0.name == "CHARSET" }
  }

  /// True when the parameters are TYPE and the value's own encoding.
  var hasOnlyTypes: Bool {
    !hasParameters || parameters.allSatisfy { ["TYPE", "ENCODING", "CHARSET"].contains($0.name) }
  }
}

extension String {
  /// Without blanks and line ends at both ends.
  var trimmedBlanks: String {
    let scalars = unicodeScalars
    guard let first = scalars.first, let last = scalars.last, first.isBlank || last.isBlank else { return self }
    guard let start = scalars.firstIndex(where: { !$0.isBlank }), let end = scalars.lastIndex(where: { !$0.isBlank })
    else {
      return ""
    }
    return String(scalars[start...end])
  }
}

extension Unicode.Scalar {
  /// White_Space of the Unicode character database; most text is told by its block, without a look at the database.
  fileprivate var isBlank: Bool {
    if value < 0x80 { return value == 0x20 || (0x09...0x0D).contains(value) }
    return (value < 0x3001) && properties.isWhitespace
  }
}
