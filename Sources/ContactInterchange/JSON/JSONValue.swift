/// A JSON value (RFC 8259). Objects keep the order of their keys, and numbers their digits, so that a value of unknown
/// meaning can be written as it was read.
enum JSONValue: Hashable {
  case null
  case bool(Bool)
  /// The digits of a number.
  case number(String)
  case text(String)
  case list([JSONValue])
  case object(JSONMembers)

  /// Parses a document.
  init(json bytes: [UInt8]) throws(ContactJSONError) {
    var parser = JSONParser(bytes: bytes)
    self = try parser.document()
  }

  /// The text; nil for any other value.
  var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The members; nil for any value but an object.
  var members: JSONMembers? { if case .object(let members) = self { members } else { nil } }
  /// The elements; nil for any value but an array.
  var elements: [JSONValue]? { if case .list(let elements) = self { elements } else { nil } }
  /// The whole number; nil for any other value.
  var integer: Int? {
    guard case .number(let digits) = self else { return nil }
    return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
  }

  /// The value on one line.
  var json: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let isTrue): bytes += (isTrue ? "true" : "false").utf8
    case .number(let digits): bytes += digits.utf8
    case .text(let text): ContactJSON.append(text, to: &bytes)
    case .list(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, (key, value)) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        ContactJSON.append(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}

/// The members of an object in their order, which is ignored when objects are compared.
struct JSONMembers: Sequence, ExpressibleByDictionaryLiteral, Hashable {
  private(set) var keys: [String] = []
  private var values: [String: JSONValue] = [:]

  init(dictionaryLiteral members: (String, JSONValue)...) { for (key, value) in members { self[key] = value } }

  subscript(key: String) -> JSONValue? {
    get { values[key] }
    set {
      if newValue == nil { keys.removeAll { $0 == key } } else if values[key] == nil { keys.append(key) }
      values[key] = newValue
    }
  }

  var isEmpty: Bool { keys.isEmpty }

  /// Returns the members of an object, and leaves null at its place; empty for anything else.
  mutating func take(_ key: String) -> JSONMembers {
    guard let index = values.index(forKey: key) else { return [:] }
    var taken = JSONValue.null
    swap(&taken, &values.values[index])
    if case .object(let members) = taken { return members }
    return [:]
  }

  func makeIterator() -> AnyIterator<(key: String, value: JSONValue)> {
    var rest = keys.makeIterator()
    return AnyIterator { rest.next().flatMap { key in values[key].map { (key, $0) } } }
  }

  static func == (one: JSONMembers, other: JSONMembers) -> Bool { one.values == other.values }
  func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

/// A parser of one JSON document.
private struct JSONParser {
  let bytes: [UInt8]
  private var position = 0

  /// The depth of arrays and objects that no program writes, but that would overflow the stack of a thread.
  private static let deepest = 100

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(ContactJSONError) -> JSONValue {
    let value = try value(depth: 0)
    if next() != nil { throw unexpected }
    return value
  }

  private var unexpected: ContactJSONError { .notJSON(byte: min(position, bytes.count) + 1) }

  /// Skips white space, and returns the byte after it, which is not consumed.
  private mutating func next() -> UInt8? {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    return position < bytes.count ? bytes[position] : nil
  }

  private mutating func consume(_ word: StaticString) throws(ContactJSONError) {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count,
      word.withUTF8Buffer({ bytes[position..<end].elementsEqual($0) })
    else { throw unexpected }
    position = end
  }

  private mutating func value(depth: Int) throws(ContactJSONError) -> JSONValue {
    guard depth < Self.deepest else { throw unexpected }
    switch next() {
    case UInt8(ascii: "{"):
      var members = JSONMembers()
      try items(to: "}") { parser throws(ContactJSONError) in
        guard parser.next() == UInt8(ascii: "\"") else { throw parser.unexpected }
        let key = try parser.string()
        _ = parser.next()
        try parser.consume(":")
        members[key] = try parser.value(depth: depth + 1)
      }
      return .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try items(to: "]") { parser throws(ContactJSONError) in elements.append(try parser.value(depth: depth + 1)) }
      return .list(elements)
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"):
      try consume("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try consume("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try consume("null")
      return .null
    default: return .number(try number())
    }
  }

  /// Reads what stands between the brackets, separated by commas.
  private mutating func items(
    to end: Unicode.Scalar, _ item: (inout JSONParser) throws(ContactJSONError) -> Void
  ) throws(ContactJSONError) {
    let end = UInt8(ascii: end)
    position += 1
    if next() == end {
      position += 1
      return
    }
    while true {
      try item(&self)
      let byte = next()
      guard byte == end || byte == UInt8(ascii: ",") else { throw unexpected }
      position += 1
      if byte == end { return }
    }
  }

  private mutating func number() throws(ContactJSONError) -> String {
    let digits = String(decoding: bytes[position...].prefix { "+-.0123456789Ee".utf8.contains($0) }, as: UTF8.self)
    let isNumber = Int(digits).map(String.init) == digits
    guard isNumber || digits.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([Ee][+-]?[0-9]+)?/) != nil else {
      throw unexpected
    }
    position += digits.utf8.count
    return digits
  }

  private mutating func string() throws(ContactJSONError) -> String {
    position += 1
    var result: [UInt8] = []
    while position < bytes.count, bytes[position] >= 0x20 {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: result, as: UTF8.self) else { throw unexpected }
        return text
      case UInt8(ascii: "\\"): result += String(try escaped()).utf8
      default: result.append(byte)
      }
    }
    throw unexpected
  }

  private mutating func escaped() throws(ContactJSONError) -> Unicode.Scalar {
    guard position < bytes.count else { throw unexpected }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"):
      let unit = try hexadecimal()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // A surrogate, the first half of a pair.
      try consume("\\u")
      let other = try hexadecimal()
      guard unit < 0xDC00, (0xDC00...0xDFFF).contains(other),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (other - 0xDC00))
      else { throw unexpected }
      return scalar
    default:
      guard let scalar = Self.escapes[byte] else { throw unexpected }
      return scalar
    }
  }

  private static let escapes: [UInt8: Unicode.Scalar] = [
    0x62: "\u{8}", 0x66: "\u{C}", 0x6E: "\n", 0x72: "\r", 0x74: "\t",
  ]

  private mutating func hexadecimal() throws(ContactJSONError) -> UInt32 {
    guard position + 4 <= bytes.count, bytes[position] != UInt8(ascii: "+"),
      let unit = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw unexpected }
    position += 4
    return unit
  }
}
