import Contacts

/// Why some JSON is not a contact. A path gives the location: `phones[0].value`.
public enum ContactJSONError: Error, Hashable, Sendable {
  /// Not JSON at all; with the parser's message.
  case notJSON(String)
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
