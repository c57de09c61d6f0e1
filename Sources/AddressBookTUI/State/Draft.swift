import AddressBookModel
import Contacts
import Foundation

/// The unsaved input of a form, without the photo: the old and the new value of each changed field, so that restoring
/// the draft later changes only what the user changed.
struct Draft: Codable, Equatable {
  /// The fields of a form as strings and lists.
  struct Fields: Codable, Equatable {
    /// A value in a list.
    struct Value: Codable, Equatable {
      var label: String
      /// A single text, or the parts of an address in the order of the form.
      var parts: [String]
    }

    var kind: Int
    var texts: [String: String]
    var values: [String: [Value]]
  }

  /// The contact's id; 0 for a new contact.
  var id: Int64
  /// Its UID, because in another book at the same path the id may belong to a different contact.
  var uid: String
  var before: Fields
  var after: Fields

  /// The changes that a form makes to a contact.
  init(original: Contact, changed: Contact) {
    id = original.id
    uid = original.uid
    let (old, new) = (Fields(original), Fields(changed))
    // Unchanged fields are left out, so that a long note is not written again and again while a number is typed.
    before = old.differing(from: new)
    after = new.differing(from: old)
  }

  /// Returns the contact with the input applied.
  func applied(to contact: Contact) -> Contact { put(after, unlike: before, in: contact) }

  /// Returns the contact with the changed fields as they were when the form was opened, so that changes by others since
  /// then are noticed.
  func base(of contact: Contact) -> Contact { put(before, unlike: after, in: contact) }

  /// Returns the contact with the values of `fields` that differ from `others`.
  private func put(_ fields: Fields, unlike others: Fields, in contact: Contact) -> Contact {
    var contact = contact
    if fields.kind != others.kind, let kind = Contact.Kind(rawValue: fields.kind) { contact.kind = kind }
    for field in SingleField.allCases {
      let text = fields.texts[field.name, default: ""]
      guard text != others.texts[field.name, default: ""] else { continue }
      switch field {
      case .birthday: contact.birthday = PartialDate(text)
      case .groups: contact.groups = text.isEmpty ? [] : text.split(separator: "\n").map(String.init)
      case .text(let field): contact[field] = text
      }
    }
    for field in MultiField.allCases {
      let values = fields.values[field.name, default: []]
      guard values != others.values[field.name, default: []] else { continue }
      if let row = field.values {
        contact[keyPath: row.property] = values.map { LabeledValue(label: $0.label, value: $0.parts.first ?? "") }
      } else {
        contact.addresses = values.map { value in
          var address = PostalAddress(label: value.label)
          for (part, text) in zip(AddressPart.allCases, value.parts) { address[part] = text }
          return address
        }
      }
    }
    return contact
  }
}

extension Draft.Fields {
  /// Returns the fields with only the texts and lists that differ from the others.
  fileprivate func differing(from others: Self) -> Self {
    var fields = self
    fields.texts = texts.filter { others.texts[$0.key] != $0.value }
    fields.values = values.filter { others.values[$0.key] != $0.value }
    return fields
  }

  init(_ contact: Contact) {
    kind = contact.kind.rawValue
    texts = [:]
    for field in SingleField.allCases {
      switch field {
      case .birthday: texts[field.name] = contact.birthday?.iso ?? ""
      case .groups: texts[field.name] = contact.groups.joined(separator: "\n")
      case .text(let text): texts[field.name] = contact[text]
      }
    }
    values = [:]
    for field in MultiField.allCases {
      if let row = field.values {
        values[field.name] = contact[keyPath: row.property].map { Value(label: $0.label, parts: [$0.value]) }
      } else {
        values[field.name] = contact.addresses.map { address in
          Value(label: address.label, parts: AddressPart.allCases.map { address[$0] })
        }
      }
    }
  }
}
