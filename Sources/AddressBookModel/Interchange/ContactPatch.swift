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
    case text(any WritableKeyPath<Contact, String> & Sendable, String)
    case values(any WritableKeyPath<Contact, [LabelledValue]> & Sendable, [LabelledValue])
    case texts(any WritableKeyPath<Contact, [String]> & Sendable, [String])
    case id(Int64)
    case kind(Contact.Kind)
    case addresses([PostalAddress])
    case birthday(PartialDate?)
  }

  /// Reads a JSON object as ``ContactJSON`` writes it. Keys that it does not write are errors.
  public init(json bytes: [UInt8]) throws(ContactJSONError) {
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
    } catch {
      throw .notJSON((error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "\(error)")
    }
    guard let object = value as? [String: Any] else { throw .notAnObject(path: "") }
    for key in object.keys.sorted() {
      if let value = object[key] { try read(key, JSONPlace(path: key, value: value)) }
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
      case .text(let property, let text): contact[keyPath: property] = text
      case .values(let property, let values): contact[keyPath: property] = values
      case .texts(let property, let texts): contact[keyPath: property] = texts
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

  private mutating func read(_ key: String, _ place: JSONPlace) throws(ContactJSONError) {
    if let property = Self.texts[key] {
      changes.append(.text(property, try place.text()))
      return
    }
    if let property = Self.lists[key] {
      changes.append(.values(property, try place.list { item throws(ContactJSONError) in try item.labelled() }))
      return
    }
    switch key {
    case "id": changes.append(.id(Int64(try place.integer())))
    case "kind": changes.append(.kind(try place.kind()))
    case "name": name = try place.text()
    case "addresses":
      changes.append(.addresses(try place.list { item throws(ContactJSONError) in try item.address() }))
    case "dates":
      changes.append(.values(\.dates, try place.list { item throws(ContactJSONError) in try item.labelledDate() }))
    case "birthday": changes.append(.birthday(place.isNull ? nil : try place.day()))
    case "groups":
      let names = try place.list { item throws(ContactJSONError) in try item.text() }
      changes.append(.texts(\.groups, Array(Set(names)).sorted()))
    case "vcardLines":
      changes.append(.texts(\.cardLines, try place.list { item throws(ContactJSONError) in try item.cardLine() }))
    case "photo": if !place.isNull { picture = try place.picture() }
    case "section": _ = try place.text()
    case "score", "matches": break
    default: throw .unknownKey(path: place.path)
    }
  }

  private static let texts: [String: any WritableKeyPath<Contact, String> & Sendable] = [
    "uid": \.uid, "prefix": \.prefix, "given": \.given, "middle": \.middle, "family": \.family, "suffix": \.suffix,
    "phoneticGiven": \.phoneticGiven, "phoneticMiddle": \.phoneticMiddle, "phoneticFamily": \.phoneticFamily,
    "nickname": \.nickname, "organization": \.organization, "department": \.department, "title": \.title,
    "note": \.note, "created": \.created, "modified": \.modified,
  ]

  private static let lists: [String: any WritableKeyPath<Contact, [LabelledValue]> & Sendable] = [
    "phones": \.phones, "emails": \.emails, "urls": \.urls, "handles": \.handles, "related": \.related,
  ]
}
