import Contacts

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
  /// `section`, `photo`, `score` and `matches` change nothing. `name` becomes the formatted name where it differs from what
  /// the parts make; the name of `base` itself, sent back beside changed parts, does not.
  public static func decode(_ bytes: [UInt8], onto base: Contact = Contact()) throws(ContactJSONError) -> Contact {
    try ContactPatch(json: bytes).applied(to: base)
  }
}
