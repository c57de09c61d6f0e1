import Foundation

/// Why a text is not the JSON of a contact. A path names the place: `phones[0].value`.
public enum ContactJSONError: Error, Hashable, Sendable {
  /// Not JSON at all; what the parser says.
  case notJSON(String)
  /// JSON, but something else than an object stands there; the path is empty at the top.
  case notAnObject(path: String)
  /// A key that a contact does not have.
  case unknownKey(path: String)
  /// A key that must be there is not.
  case missingKey(path: String)
  /// A value of another type than the one that is expected there.
  case wrongType(path: String, expected: Expected)
  /// A value of the right type that the place cannot hold, such as a day that does not exist.
  case invalidValue(path: String, value: String)

  /// What is expected.
  public enum Expected: String, Hashable, Sendable {
    /// A string.
    case text
    /// A whole number.
    case integer
    /// An array.
    case list
    /// An object.
    case object
  }
}

extension ContactJSON {
  /// Reads a contact. Keys that are absent leave what `base` has; lists that are there replace those of `base`.
  ///
  /// `section`, `photo`, `score` and `matches` are taken for what they are, derived, and change nothing. `name` becomes the
  /// formatted name where it differs from what the parts make; the name of `base` itself, sent back beside changed parts,
  /// does not.
  public static func decode(_ bytes: [UInt8], onto base: Contact = Contact()) throws(ContactJSONError) -> Contact {
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
    } catch {
      throw .notJSON((error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "\(error)")
    }
    return try decode(value, path: "", onto: base)
  }

  /// Reads a contact from what `JSONSerialization` gave.
  /// - Parameter path: where it stands in a larger document, such as `[3]`; errors begin with it.
  public static func decode(
    _ value: Any, path: String, onto base: Contact = Contact()
  ) throws(ContactJSONError) -> Contact {
    guard let object = value as? [String: Any] else { throw .notAnObject(path: path) }
    var contact = base
    var name: String?
    for key in object.keys.sorted() {
      guard let value = object[key] else { continue }
      let place = JSONPlace(path: path.isEmpty ? key : "\(path).\(key)", value: value)
      if let text = texts[key] {
        contact[keyPath: text] = try place.text()
      } else if let list = lists[key] {
        contact[keyPath: list] = try place.list { item throws(ContactJSONError) in try item.labelled() }
      } else {
        switch key {
        case "id": contact.id = Int64(try place.integer())
        case "kind": contact.kind = try place.kind()
        case "name": name = try place.text()
        case "addresses": contact.addresses = try place.list { item throws(ContactJSONError) in try item.address() }
        case "dates": contact.dates = try place.list { item throws(ContactJSONError) in try item.labelledDate() }
        case "birthday": contact.birthday = place.isNull ? nil : try place.day()
        case "groups":
          let names = try place.list { item throws(ContactJSONError) in try item.text() }
          contact.groups = Array(Set(names)).sorted()
        case "section": _ = try place.text()
        case "photo": if !place.isNull { _ = try place.object() }
        case "score", "matches": break
        default: throw .unknownKey(path: place.path)
        }
      }
    }
    setName(name, &contact, base)
    return contact
  }

  private static func setName(_ name: String?, _ contact: inout Contact, _ base: Contact) {
    let hasNewParts = contact.composedName != base.composedName
    if hasNewParts { contact.formattedName = "" }
    guard let name, name != base.displayName || base.displayName.isEmpty else { return }
    contact.formattedName = ""
    if name != contact.displayName { contact.formattedName = name }
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

/// A value and where it stands.
private struct JSONPlace {
  let path: String
  let value: Any

  var isNull: Bool { value is NSNull }

  func text() throws(ContactJSONError) -> String {
    guard let text = value as? String else { throw .wrongType(path: path, expected: .text) }
    return text
  }

  func integer() throws(ContactJSONError) -> Int {
    // A number of JSON may be bridged to Bool; only its Objective-C type, `c`, tells true and false.
    guard let number = value as? NSNumber, String(cString: number.objCType) != "c",
      let whole = Int(exactly: number.doubleValue)
    else {
      throw .wrongType(path: path, expected: .integer)
    }
    return whole
  }

  func object() throws(ContactJSONError) -> [String: Any] {
    guard let object = value as? [String: Any] else { throw .wrongType(path: path, expected: .object) }
    return object
  }

  func list<Item>(_ read: (JSONPlace) throws(ContactJSONError) -> Item) throws(ContactJSONError) -> [Item] {
    guard let values = value as? [Any] else { throw .wrongType(path: path, expected: .list) }
    var items: [Item] = []
    for (index, value) in values.enumerated() {
      items.append(try read(JSONPlace(path: "\(path)[\(index)]", value: value)))
    }
    return items
  }

  func kind() throws(ContactJSONError) -> Contact.Kind {
    switch try text() {
    case "person": return .person
    case "organization": return .organization
    case let other: throw .invalidValue(path: path, value: other)
    }
  }

  func day() throws(ContactJSONError) -> PartialDate {
    let text = try text()
    guard let day = PartialDate(text) else { throw .invalidValue(path: path, value: text) }
    return day
  }

  /// An object with texts under some of these keys.
  private func fields(_ keys: [String]) throws(ContactJSONError) -> [String: String] {
    var found: [String: String] = [:]
    let object = try object()
    for key in object.keys.sorted() {
      guard let value = object[key] else { continue }
      let place = JSONPlace(path: "\(path).\(key)", value: value)
      guard keys.contains(key) else { throw .unknownKey(path: place.path) }
      found[key] = try place.text()
    }
    return found
  }

  func labelled() throws(ContactJSONError) -> LabelledValue {
    let found = try fields(["label", "value"])
    guard let value = found["value"] else { throw .missingKey(path: "\(path).value") }
    return LabelledValue(label: found["label"] ?? "", value: value)
  }

  func labelledDate() throws(ContactJSONError) -> LabelledValue {
    var date = try labelled()
    date.value = try JSONPlace(path: "\(path).value", value: date.value).day().iso
    return date
  }

  func address() throws(ContactJSONError) -> PostalAddress {
    let found = try fields(["label", "poBox", "extended", "street", "city", "region", "postalCode", "country"])
    return PostalAddress(
      label: found["label"] ?? "", poBox: found["poBox"] ?? "", extended: found["extended"] ?? "",
      street: found["street"] ?? "", city: found["city"] ?? "", region: found["region"] ?? "",
      postalCode: found["postalCode"] ?? "", country: found["country"] ?? "")
  }
}
