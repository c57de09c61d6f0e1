import Contacts

/// The values of a contact that are present in a JSON object, or in a text for an editor.
public struct ContactPatch: Sendable {
  /// The photo in the object.
  public enum Picture: Hashable, Sendable {
    /// Its bytes, unchecked; empty if the text was not base64.
    case data([UInt8])
    /// Its SHA-256, unchecked; the bytes are stored elsewhere.
    case digest(String)
  }

  /// The photo; nil if `photo` is absent or null, or has neither `data` nor `sha256`.
  public private(set) var picture: Picture?
  private var changes: [Change] = []
  private var name: String?

  private enum Change: Sendable {
    case text(ContactField.Text, String)
    case values(ContactField.Values, [LabeledValue])
    case texts(any WritableKeyPath<Contact, [String]> & Sendable, [String])
    case bookkeeping(any WritableKeyPath<Contact, String> & Sendable, String)
    case id(Int64)
    case kind(Contact.Kind)
    case addresses([PostalAddress])
    case birthday(PartialDate?)
  }

  /// Parses a JSON object as written by ``ContactJSON``. Unknown keys are errors.
  public init(json bytes: [UInt8]) throws(ContactJSONError) {
    guard let object = try JSONValue(json: bytes).members else { throw .notAnObject(path: "") }
    for (key, value) in object.sorted(by: { $0.key < $1.key }) {
      let node = JSONNode(path: key, value: value)
      if let field = ContactFields.standard.field(jsonKey: key) {
        try read(field, node)
      } else {
        try readOther(key, node)
      }
    }
  }

  /// Takes the fields that a text has.
  public init(_ template: TemplateContact) {
    let contact = template.contact
    if !contact.uid.isEmpty { changes.append(.bookkeeping(\.uid, contact.uid)) }
    for field in template.fields {
      switch field {
      case .text(let text) where text.json == .shownName: name = contact[text].isEmpty ? nil : contact[text]
      case .text(let text): changes.append(.text(text, contact[text]))
      case .values(let values): changes.append(.values(values, contact[keyPath: values.property]))
      case .special(.kind): changes.append(.kind(contact.kind))
      case .special(.addresses): changes.append(.addresses(contact.addresses))
      case .special(.birthday): changes.append(.birthday(contact.birthday))
      case .special(.groups): changes.append(.texts(\.groups, contact.groups))
      case .special(.photo), .special(.cardLines): break
      }
    }
  }

  /// Returns the contact with the values of the object.
  ///
  /// `name` becomes the full name if the contact would otherwise display another name, unless it is the unchanged name
  /// of `base`. A full name that no longer applies is dropped, see ``Contact/dropOutdatedFullName(since:)``.
  public func applied(to base: Contact) -> Contact {
    var contact = base
    for change in changes {
      switch change {
      case .text(let field, let text): contact[field] = text
      case .values(let field, let values): contact[keyPath: field.property] = values
      case .texts(let property, let texts): contact[keyPath: property] = texts
      case .bookkeeping(let property, let text): contact[keyPath: property] = text
      case .id(let id): contact.id = id
      case .kind(let kind): contact.kind = kind
      case .addresses(let addresses): contact.addresses = addresses
      case .birthday(let day): contact.birthday = day
      }
    }
    contact.dropOutdatedFullName(since: base)
    guard let name, name != base.displayName || base.displayName.isEmpty else { return contact }
    contact.formattedName = ""
    if name != contact.displayName { contact.formattedName = name }
    return contact
  }

  private mutating func read(_ field: ContactField, _ node: JSONNode) throws(ContactJSONError) {
    switch field {
    case .text(let text):
      if text.json == .shownName { name = try node.text() } else { changes.append(.text(text, try node.text())) }
    case .values(let values):
      changes.append(
        .values(
          values,
          try node.list { item throws(ContactJSONError) in
            values.rule == .date ? try item.labeledDate() : try item.labeled()
          }))
    case .special(.kind): changes.append(.kind(try node.kind()))
    case .special(.addresses):
      changes.append(.addresses(try node.list { item throws(ContactJSONError) in try item.address() }))
    case .special(.birthday): changes.append(.birthday(node.isNull ? nil : try node.day()))
    case .special(.groups):
      let names = try node.list { item throws(ContactJSONError) in try item.text() }
      changes.append(.texts(\.groups, Array(Set(names)).sorted()))
    case .special(.photo): if !node.isNull { picture = try node.picture() }
    case .special(.cardLines):
      changes.append(.texts(\.cardLines, try node.list { item throws(ContactJSONError) in try item.cardLine() }))
    }
  }

  private mutating func readOther(_ key: String, _ node: JSONNode) throws(ContactJSONError) {
    switch key {
    case "id": changes.append(.id(Int64(try node.integer())))
    case "uid": changes.append(.bookkeeping(\.uid, try node.text()))
    case "created": changes.append(.bookkeeping(\.created, try node.text()))
    case "modified": changes.append(.bookkeeping(\.modified, try node.text()))
    case "contacted": changes.append(.bookkeeping(\.contacted, try node.text()))
    case "section": _ = try node.text()
    case "version": _ = try node.integer()
    case "score", "matches": break
    default: throw .unknownKey(path: node.path)
    }
  }
}
