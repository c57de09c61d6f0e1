/// The name of a value of a contact: a single field (`family`), the value with a label (`phone[mobile]`), the first
/// value of a list (`phone`), or a part of an address (`address[home].city`).
public enum FieldPath: Hashable, Sendable {
  /// A field with one text.
  case text(ContactField.Text)
  /// The identity across books.
  case uid
  /// The birthday.
  case birthday
  /// Person or organization.
  case kind
  /// The first value of a list, or the first with a label.
  case labeled(ContactField.Values, label: String)
  /// The first address, or the first with a label; or a part of it.
  case address(label: String, part: AddressPart?)

  /// Parses a path; nil if there is no such field.
  public init?(_ text: String) {
    guard let (name, label, part) = Self.split(text) else { return nil }
    if name == "birthday", label == nil, part == nil {
      self = .birthday
    } else if name == "kind", label == nil, part == nil {
      self = .kind
    } else if name == "uid", label == nil, part == nil {
      self = .uid
    } else if let field = Self.textField(name), label == nil, part == nil {
      self = .text(field)
    } else if let field = Self.labeledField(name), part == nil {
      self = .labeled(field, label: label ?? "")
    } else if ["address", "addresses"].contains(name), part == nil || part.flatMap(AddressPart.init) != nil {
      self = .address(label: label ?? "", part: part.flatMap(AddressPart.init))
    } else {
      return nil
    }
  }

  private static func textField(_ name: String) -> ContactField.Text? {
    let name = name == "org" ? "organization" : name
    return ContactFields.standard.texts.first { $0.jsonKey == name || $0.name == name }
  }

  private static func labeledField(_ name: String) -> ContactField.Values? {
    ContactFields.standard.values.first { $0.singular == name || $0.name == name }
  }

  /// The names of all fields, for messages.
  public static var allNames: [String] {
    let texts = ContactFields.standard.texts.map(\.jsonKey) + ["uid", "birthday", "kind"]
    let lists = ContactFields.standard.values.map { $0.singular + "[…]" }
    let parts = AddressPart.allCases.map { "address[…]." + $0.rawValue }
    return texts + lists + parts
  }

  /// Splits `name[label].part` or `address.part`; nil if anything else follows the label. The label ends at the last
  /// closing bracket.
  private static func split(_ text: String) -> (name: String, label: String?, part: String?)? {
    guard let open = text.firstIndex(of: "["), let close = text.lastIndex(of: "]"), open < close else {
      guard text.hasPrefix("address."), let dot = text.firstIndex(of: ".") else { return (text, nil, nil) }
      return (String(text[..<dot]), nil, String(text[text.index(after: dot)...]))
    }
    let rest = text[text.index(after: close)...]
    let label = String(text[text.index(after: open)..<close])
    if rest.isEmpty { return (String(text[..<open]), label, nil) }
    return rest.hasPrefix(".") ? (String(text[..<open]), label, String(rest.dropFirst())) : nil
  }

  /// Returns the label that somebody means who typed `Work` for `work`.
  /// - Parameters:
  ///   - present: the labels of the contact.
  ///   - usual: those that a new value can have.
  public static func label(_ typed: String, present: [String], usual: [String] = []) -> String {
    if typed.isEmpty || present.contains(typed) { return typed }
    return (present + usual).first { $0.lowercased() == typed.lowercased() } ?? typed
  }

  private static func first<Item>(_ items: [Item], _ label: String, _ labelOf: (Item) -> String) -> Item? {
    if label.isEmpty { return items.first }
    let known = Self.label(label, present: items.map(labelOf))
    return items.first { labelOf($0) == known }
  }

  /// Returns the value at this path in a contact; empty if the contact has none.
  public func text(of contact: Contact) -> String {
    switch self {
    case .text(let field): return contact[field]
    case .uid: return contact.uid
    case .birthday: return contact.birthday?.iso ?? ""
    case .kind: return contact.kind.name
    case .labeled(let values, let label):
      return Self.first(contact[keyPath: values.property], label) { $0.label }?.value ?? ""
    case .address(let label, let part):
      guard let address = Self.first(contact.addresses, label, { $0.label }) else { return "" }
      return part.map { address[$0] } ?? address.joined(by: ", ")
    }
  }
}

extension ContactField {
  /// How a text is searched: the kind of field in which a query finds it, which also decides how high a match ranks.
  /// Texts of one kind are searched as one text.
  public enum SearchKind: Hashable, Sendable, CaseIterable {
    case family, given, phoneticFamily, phoneticGiven, nickname, organization, department, title, note
    case phone, email, url
    /// Searched like the note.
    case more
  }

  /// The vCard property of a field.
  public struct CardProperty: Sendable {
    /// How the property holds the field.
    public enum Form: Hashable, Sendable {
      /// As its text value: TITLE.
      case text
      /// As its text value, which may be several names separated by commas: NICKNAME.
      case names
      /// As one part of a structured value, by its index: N, ORG.
      case part(Int)
      /// As the display name, which every card must have: FN.
      case shownName
      /// A phone number: TEL.
      case phone
      /// An email address: EMAIL.
      case email
      /// A website: URL.
      case link
      /// A labeled date: X-ABDATE; ANNIVERSARY and older names are read too.
      case date
      /// A social account: IMPP; the properties of specific services are read too.
      case handle
      /// A related person by name: X-ABRELATEDNAMES, RELATED; older names are read too.
      case related
      /// A field of the user's own (``CustomFields``): its own property, or this one with a label.
      case custom
    }

    /// Name of the property in upper case, as it is written; the usual one if there are several.
    public let name: String
    /// How it holds the field.
    public let form: Form
    /// Lower ranks are written first, see ``ContactField/cardRank``.
    public let rank: Int
    /// The first version of the rules for reading cards with the property. Contacts that keep the card they came from
    /// may have lines for a field that was added later.
    public let since: Int

    /// Creates the description of a property.
    public init(_ name: String, _ form: Form = .text, rank: Int, since: Int = 1) {
      self.name = name
      self.form = form
      self.rank = rank
      self.since = since
    }
  }
}
