import Contacts

/// Fills `%@`, `%d`, `%1$@`, `%2$d` and `%%`. Unlike `printf` it cannot read past its arguments.
enum MessageFormat {
  /// Returns the pattern with its placeholders replaced; a placeholder without an argument stays as it is.
  static func fill(_ pattern: String, with arguments: [String]) -> String {
    guard pattern.utf8.contains(percent) else { return pattern }
    var result = ""
    var next = 0
    forEachPiece(of: pattern) { text, placeholder in
      guard let placeholder else { return result += String(text) }
      let index = placeholder.position.map { $0 - 1 } ?? next
      if placeholder.position == nil { next += 1 }
      result += arguments.indices.contains(index) ? arguments[index] : String(text)
    }
    return result
  }

  private struct Placeholder {
    /// From 1; nil for the next one.
    var position: Int?
  }

  private static let percent = UInt8(ascii: "%")

  /// Calls `body` with each text between placeholders, and with each placeholder.
  private static func forEachPiece(of pattern: String, _ body: (Substring, Placeholder?) -> Void) {
    let bytes = pattern.utf8
    func isKind(_ index: String.Index) -> Bool {
      index < bytes.endIndex && (bytes[index] == UInt8(ascii: "@") || bytes[index] == UInt8(ascii: "d"))
    }
    var start = bytes.startIndex
    while let sign = bytes[start...].firstIndex(of: percent) {
      if start < sign { body(pattern[start..<sign], nil) }
      let first = bytes.index(after: sign)
      let end = bytes[first...].firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? bytes.endIndex
      if first < end, end < bytes.endIndex, bytes[end] == UInt8(ascii: "$"), isKind(bytes.index(after: end)) {
        start = bytes.index(end, offsetBy: 2)
        body(pattern[sign..<start], Placeholder(position: Int(pattern[first..<end])))
      } else if isKind(first) {
        start = bytes.index(after: first)
        body(pattern[sign..<start], Placeholder(position: nil))
      } else {
        start = first < bytes.endIndex && bytes[first] == percent ? bytes.index(after: first) : first
        body("%", nil)
      }
    }
    if start < bytes.endIndex { body(pattern[start...], nil) }
  }
}

extension ValidationIssue {
  /// The message in the language of this process.
  public var message: String { message(in: .shared) }

  /// Returns the message, which names the property.
  public func message(in localization: Localization) -> String {
    let name = localization.propertyPath(property, entity: entity)
    let pattern = localization.text("ErrorString/\(rule)")
    return MessageFormat.fill(pattern, with: [name] + arguments)
  }
}

extension Localization {
  /// Returns a key path for display: `phones[1].value` as “Phone 2”.
  public func propertyPath(_ path: String, entity: String) -> String {
    guard !path.isEmpty else { return entityName(entity) }
    guard let bracket = path.firstIndex(of: "["), let end = path.firstIndex(of: "]"), bracket < end,
      let position = Int(path[path.index(after: bracket)..<end])
    else { return propertyName(Self.title(of: path, entity), entity: entity) }
    let list = String(path[..<bracket])
    return text("Property/numbered", propertyName(list + ".one", entity: entity), position + 1)
  }

  /// Returns the name that an attribute has in the keys of strings.
  private static func title(of property: String, _ entity: String) -> String {
    guard entity == "Person" else { return property }
    return ContactFields.standard.text(named: property)?.title ?? property
  }
}
