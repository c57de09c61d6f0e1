import ContactInterchange

extension ContactJSONError {
  /// Returns the message, with the location of the error.
  public func message(in words: Localization) -> String {
    func text(_ key: String, _ first: String, _ second: String = "") -> String {
      words.text("ErrorString/json." + key, first, second, table: "Command")
    }
    switch self {
    case .notJSON(let what): return text("notJSON", what)
    case .notAnObject(let path): return text("notAnObject", path)
    case .unknownKey(let path): return text("unknownKey", path)
    case .missingKey(let path): return text("missingKey", path)
    case .wrongType(let path, let expected):
      return text("wrongType", path, words.text("JSON/" + expected.rawValue, table: "Command"))
    case .invalidValue(let path, let value): return text("invalidValue", path, value)
    }
  }
}
