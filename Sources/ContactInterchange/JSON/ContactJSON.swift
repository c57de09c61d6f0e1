import Contacts
import VCard

/// A contact as one line of JSON, as the command line prints it and as `add` and `import` read it.
///
/// An export contains the whole contact: `photo` then also has `data`, the photo in base64, and `vcardLines` has the
/// lines of its card that are kept verbatim, if there are any. The order of the keys is fixed: `id` and `uid`, the
/// fields in the order of ``ContactFields``, then times, `version` and `vcardLines`. An empty string is `""`, but an
/// empty `phoneticMiddle` is omitted; an absent birthday or photo is `null`; a birthday without a year is `--11-26`.
/// `version` increases with every change to a stored contact; an export does not have it.
public enum ContactJSON {
  /// Returns the contact as JSON without a line end.
  /// - Parameters:
  ///   - name: the name to display; by default ``Contact/displayName``.
  ///   - section: the title of its section, such as `Z` or `#`.
  ///   - additions: further keys at the end, with values that are already JSON.
  public static func encode(
    _ contact: Contact, name: String? = nil, section: String, additions: [(key: String, json: String)] = []
  ) -> String {
    var bytes: [UInt8] = []
    append(contact, name: name, section: section, additions: additions, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the JSON of a contact in UTF-8, without a line end.
  public static func append(
    _ contact: Contact, name: String? = nil, section: String, additions: [(key: String, json: String)] = [],
    to bytes: inout [UInt8]
  ) {
    append(contact, name, section, additions, Whole(isWhole: false, picture: nil), to: &bytes)
  }

  /// Returns the whole contact as JSON without a line end, for an export.
  /// - Parameter picture: the bytes of its photo; nil leaves `data` out.
  public static func encodeWhole(
    _ contact: Contact, section: String, picture: [UInt8]?
  ) -> String {
    var bytes: [UInt8] = []
    appendWhole(contact, section: section, picture: picture, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the JSON of a whole contact in UTF-8, without a line end.
  public static func appendWhole(
    _ contact: Contact, section: String, picture: [UInt8]?, to bytes: inout [UInt8]
  ) {
    append(contact, nil, section, [], Whole(isWhole: true, picture: picture), to: &bytes)
  }

  /// Returns a string as JSON, with its quotes.
  public static func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a string as JSON in UTF-8, with its quotes.
  public static func append(_ text: String, to bytes: inout [UInt8]) { JSONObjectWriter.append(text, to: &bytes) }

  /// The additional content of an export.
  private struct Whole {
    let isWhole: Bool
    let picture: [UInt8]?
  }

  private enum Key {
    static let id = JSONKey("id")
    static let uid = JSONKey("uid")
    static let section = JSONKey("section")
    static let created = JSONKey("created")
    static let modified = JSONKey("modified")
    static let contacted = JSONKey("contacted")
    static let version = JSONKey("version")
    static let cardLines = JSONKey(ContactField.special(.cardLines).jsonKey)
    static let bytes = JSONKey("bytes")
    static let sha256 = JSONKey("sha256")
    static let data = JSONKey("data")
  }

  /// The fields with their keys in JSON, made once.
  private static let fields = ContactFields.standard.all.map { (field: $0, key: JSONKey($0.jsonKey)) }

  private static func append(
    _ contact: Contact, _ name: String?, _ section: String, _ additions: [(key: String, json: String)], _ whole: Whole,
    to bytes: inout [UInt8]
  ) {
    var object = JSONObjectWriter(after: &bytes)
    object.add(Key.id, raw: String(contact.id))
    object.add(Key.uid, contact.uid)
    for (field, key) in fields {
      switch field {
      case .text(let text):
        switch text.json {
        case .always: object.add(key, contact[text])
        case .whenFilled: if case let value = contact[text], !value.isEmpty { object.add(key, value) }
        case .shownName: object.add(key, name ?? contact.displayName)
        }
      case .special(.kind):
        add(field, key, of: contact, to: &object)
        object.add(Key.section, section)
      case .special(.cardLines): break
      case .values(let values) where !values.isOffered && values.read(contact).isEmpty: break
      default: add(field, key, of: contact, picture: whole.picture, to: &object)
      }
    }
    object.add(Key.created, contact.created)
    object.add(Key.modified, contact.modified)
    if !contact.contacted.isEmpty { object.add(Key.contacted, contact.contacted) }
    // An export is for another book, whose versions start at 1.
    if !whole.isWhole, contact.version > 0 { object.add(Key.version, raw: String(contact.version)) }
    if whole.isWhole, !contact.cardLines.isEmpty { object.add(Key.cardLines, contact.cardLines) }
    for addition in additions { object.add(JSONKey(addition.key), raw: addition.json) }
    object.finish(&bytes)
  }

  /// Returns the value of one field as JSON, as it is in the JSON of the contact; for the full name, the stored text
  /// instead of the displayed name.
  public static func encode(_ field: ContactField, of contact: Contact) -> String {
    var bytes: [UInt8] = []
    var object = JSONObjectWriter(after: &bytes)
    add(field, JSONKey(field.jsonKey), of: contact, to: &object)
    object.finish(&bytes)
    // Without the braces and the key.
    return String(decoding: bytes.dropFirst(1 + encode(field.jsonKey).utf8.count + 2).dropLast(), as: UTF8.self)
  }

  /// Adds a field as the contact has it, even if it is empty.
  private static func add(
    _ field: ContactField, _ key: JSONKey, of contact: Contact, picture: [UInt8]? = nil,
    to object: inout JSONObjectWriter
  ) {
    switch field {
    case .text(let text): object.add(key, contact[text])
    case .values(let values): object.add(key, values.read(contact))
    case .special(.kind): object.add(key, contact.kind == .person ? "person" : "organization")
    case .special(.birthday):
      if let birthday = contact.birthday { object.add(key, birthday.iso) } else { object.add(key, raw: "null") }
    case .special(.addresses): object.add(key, contact.addresses)
    case .special(.groups): object.add(key, contact.groups)
    case .special(.cardLines): object.add(key, contact.cardLines)
    case .special(.photo):
      guard let photo = contact.photo else { return object.add(key, raw: "null") }
      object.add(key) {
        $0.add(Key.bytes, raw: String(photo.bytes))
        $0.add(Key.sha256, photo.sha256)
        if let picture { $0.add(Key.data, Base64.encode(picture)) }
      }
    }
  }
}

extension ContactJSON {
  /// Returns a value of a conflict as JSON: as in the JSON of a contact, `null` if it is missing; a whole contact as
  /// `"present"`, `"changed"` or `"deleted"`.
  public static func encode(_ value: MergeConflict.Value) -> String {
    switch value {
    case .none: "null"
    case .text(let text): encode(text)
    case .day(let day): encode(day.iso)
    case .labeled(let item): object([("label", item.label), ("value", item.value)])
    case .address(let address):
      object([("label", address.label)] + AddressPart.inCardOrder.map { ($0.rawValue, address[$0]) })
    case .photo(let photo): "{\"bytes\": \(photo.bytes), \"sha256\": \(encode(photo.sha256))}"
    case .present: encode("present")
    case .changed: encode("changed")
    case .deleted: encode("deleted")
    }
  }

  /// Returns a conflict of a merge as JSON: `{"field", "base", "mine", "theirs", "kept"}`.
  public static func encode(_ conflict: MergeConflict) -> String {
    let values = [("base", conflict.base), ("mine", conflict.mine), ("theirs", conflict.theirs)]
      .map { ", \"\($0)\": \(encode($1))" }
    return "{\"field\": \(encode(conflict.fieldName))\(values.joined()), \"kept\": \(encode(conflict.kept.rawValue))}"
  }

  private static func object(_ texts: [(key: String, value: String)]) -> String {
    "{" + texts.map { "\"\($0.key)\": \(encode($0.value))" }.joined(separator: ", ") + "}"
  }
}

/// Why some JSON is not a contact. A path gives the location: `phones[0].value`.
public enum ContactJSONError: Error, Hashable, Sendable {
  /// Not JSON; with the position of the byte that cannot be there, from 1.
  case notJSON(byte: Int)
  /// Something other than an object; the path is empty at the top level.
  case notAnObject(path: String)
  /// A key that a contact does not have.
  case unknownKey(path: String)
  /// A required key is missing.
  case missingKey(path: String)
  /// A value of the wrong type.
  case wrongType(path: String, expected: Expected)
  /// A value of the right type that is not valid, such as a date that does not exist.
  case invalidValue(path: String, value: String)

  /// The expected type.
  public enum Expected: String, Hashable, Sendable {
    /// A string.
    case text
    /// An integer.
    case integer
    /// An array.
    case list
    /// An object.
    case object
  }
}

extension ContactJSON {
  /// Decodes a contact. Absent keys keep the values of `base`; lists replace those of `base`.
  ///
  /// `section`, `version` and `photo` are checked but not used; `score` and `matches` are ignored. `name` becomes the
  /// full name if the contact would otherwise display another name, unless it is the unchanged name of `base`.
  public static func decode(_ bytes: [UInt8], onto base: Contact = Contact()) throws(ContactJSONError) -> Contact {
    try ContactPatch(json: bytes).applied(to: base)
  }
}
