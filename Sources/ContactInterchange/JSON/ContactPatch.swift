import Contacts
import Foundation

/// What a JSON object says about a contact: the values of the keys that are there, and nothing about the others.
public struct ContactPatch: Sendable {
  /// What the object says about the photo.
  public enum Picture: Hashable, Sendable {
    /// Its bytes, unchecked; none where the text was not base64.
    case data([UInt8])
    /// Its SHA-256 in small hexadecimal letters; the bytes are elsewhere.
    case digest(String)
  }

  /// The photo; nil when the key is absent or null.
  public private(set) var picture: Picture?
  private var changes: [Change] = []
  private var name: String?

  private enum Change: Sendable {
    case text(ContactField.Text, String)
    case values(ContactField.Values, [LabelledValue])
    case texts(any WritableKeyPath<Contact, [String]> & Sendable, [String])
    case bookkeeping(any WritableKeyPath<Contact, String> & Sendable, String)
    case id(Int64)
    case kind(Contact.Kind)
    case addresses([PostalAddress])
    case birthday(PartialDate?)
  }

  /// Reads a JSON object as ``ContactJSON`` writes it. Keys that it does not write are errors.
  /// - Parameter fields: the table of a contact's fields.
  public init(json bytes: [UInt8], fields: ContactFields = .standard) throws(ContactJSONError) {
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
    } catch {
      throw .notJSON((error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "\(error)")
    }
    guard let object = value as? [String: Any] else { throw .notAnObject(path: "") }
    for key in object.keys.sorted() {
      guard let value = object[key] else { continue }
      let place = JSONPlace(path: key, value: value)
      if let field = fields.field(jsonKey: key) { try read(field, place) } else { try readOther(key, place) }
    }
  }

  /// The contact with what the object says.
  ///
  /// `name` becomes the formatted name where it differs from what the parts make; the name of the contact itself, sent back
  /// beside changed parts, does not.
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
    if contact.composedName != base.composedName { contact.formattedName = "" }
    guard let name, name != base.displayName || base.displayName.isEmpty else { return contact }
    contact.formattedName = ""
    if name != contact.displayName { contact.formattedName = name }
    return contact
  }

  private mutating func read(_ field: ContactField, _ place: JSONPlace) throws(ContactJSONError) {
    switch field {
    case .text(let text):
      if text.json == .shownName { name = try place.text() } else { changes.append(.text(text, try place.text())) }
    case .values(let values):
      changes.append(
        .values(
          values,
          try place.list { item throws(ContactJSONError) in
            values.rule == .date ? try item.labelledDate() : try item.labelled()
          }))
    case .special(.kind): changes.append(.kind(try place.kind()))
    case .special(.addresses):
      changes.append(.addresses(try place.list { item throws(ContactJSONError) in try item.address() }))
    case .special(.birthday): changes.append(.birthday(place.isNull ? nil : try place.day()))
    case .special(.groups):
      let names = try place.list { item throws(ContactJSONError) in try item.text() }
      changes.append(.texts(\.groups, Array(Set(names)).sorted()))
    case .special(.photo): if !place.isNull { picture = try place.picture() }
    case .special(.cardLines):
      changes.append(.texts(\.cardLines, try place.list { item throws(ContactJSONError) in try item.cardLine() }))
    }
  }

  /// The keys that are no fields.
  private mutating func readOther(_ key: String, _ place: JSONPlace) throws(ContactJSONError) {
    switch key {
    case "id": changes.append(.id(Int64(try place.integer())))
    case "uid": changes.append(.bookkeeping(\.uid, try place.text()))
    case "created": changes.append(.bookkeeping(\.created, try place.text()))
    case "modified": changes.append(.bookkeeping(\.modified, try place.text()))
    case "section": _ = try place.text()
    case "score", "matches": break
    default: throw .unknownKey(path: place.path)
    }
  }
}
