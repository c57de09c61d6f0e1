import Contacts
import VCard

/// A value of a JSON document and its path.
struct JSONNode {
  let path: String
  let value: JSONValue

  var isNull: Bool { value == .null }

  func text() throws(ContactJSONError) -> String {
    guard let text = value.text else { throw .wrongType(path: path, expected: .text) }
    return text
  }

  func integer() throws(ContactJSONError) -> Int {
    guard let whole = value.integer else { throw .wrongType(path: path, expected: .integer) }
    return whole
  }

  func object() throws(ContactJSONError) -> JSONMembers {
    guard let object = value.members else { throw .wrongType(path: path, expected: .object) }
    return object
  }

  func list<Item>(_ read: (JSONNode) throws(ContactJSONError) -> Item) throws(ContactJSONError) -> [Item] {
    guard let values = value.elements else { throw .wrongType(path: path, expected: .list) }
    var items: [Item] = []
    for (index, value) in values.enumerated() {
      items.append(try read(JSONNode(path: "\(path)[\(index)]", value: value)))
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

  /// Returns the strings of an object that has no other keys than these.
  private func fields(_ keys: [String]) throws(ContactJSONError) -> [String: String] {
    var found: [String: String] = [:]
    for (key, value) in try object().sorted(by: { $0.key < $1.key }) {
      let node = JSONNode(path: "\(path).\(key)", value: value)
      guard keys.contains(key) else { throw .unknownKey(path: node.path) }
      found[key] = try node.text()
    }
    return found
  }

  func labeled() throws(ContactJSONError) -> LabeledValue {
    let found = try fields(["label", "value"])
    guard let value = found["value"] else { throw .missingKey(path: "\(path).value") }
    return LabeledValue(label: found["label"] ?? "", value: value)
  }

  func labeledDate() throws(ContactJSONError) -> LabeledValue {
    var date = try labeled()
    date.value = try JSONNode(path: "\(path).value", value: .text(date.value)).day().iso
    return date
  }

  func address() throws(ContactJSONError) -> PostalAddress {
    let found = try fields(["label"] + AddressPart.inCardOrder.map(\.rawValue))
    return PostalAddress(label: found["label"] ?? "") { found[$0.rawValue] ?? "" }
  }

  /// Returns the value of `photo`; nil if it has neither `data` nor `sha256`. `bytes` is ignored, and `data`, in
  /// base64, takes precedence over `sha256`.
  func picture() throws(ContactJSONError) -> ContactPatch.Picture? {
    let object = try object()
    for key in object.keys.sorted() where !["bytes", "sha256", "data"].contains(key) {
      throw .unknownKey(path: "\(path).\(key)")
    }
    if let data = object["data"] {
      let text = try JSONNode(path: "\(path).data", value: data).text()
      return .data(Base64.decode(text.utf8) ?? [])
    }
    guard let digest = object["sha256"] else { return nil }
    return .digest(try JSONNode(path: "\(path).sha256", value: digest).text())
  }

  /// Returns a line as a contact keeps it: a property of a card, or the version of the card. Only AGENT may contain
  /// line ends.
  func cardLine() throws(ContactJSONError) -> String {
    let text = try text()
    guard let line = CardLine(text),
      line.isNamed("AGENT") || text.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x09 })
    else { throw .invalidValue(path: path, value: text) }
    return text
  }
}

/// The bytes of a stream of JSON, and the arrays and objects in it, which are not parsed.
struct JSONBytes<Failure: Error> {
  /// The maximum size of an array or object, in bytes.
  private static var limit: Int { 64 << 20 }

  private let source: () throws(Failure) -> [UInt8]?
  private var chunk: [UInt8] = []
  private var position = 0
  /// The line of the next byte, from 1.
  private(set) var line = 1

  init(source: @escaping () throws(Failure) -> [UInt8]?) { self.source = source }

  mutating func next() throws(Failure) -> UInt8? {
    guard try isAvailable() else { return nil }
    defer { position += 1 }
    if chunk[position] == 0x0A { line += 1 }
    return chunk[position]
  }

  /// Returns the next byte that is not white space, which ``next()`` still returns; nil at the end.
  mutating func peek() throws(Failure) -> UInt8? {
    while try isAvailable() {
      guard [0x09, 0x0A, 0x0D, 0x20].contains(chunk[position]) else { return chunk[position] }
      _ = try next()
    }
    return nil
  }

  /// Returns the array or object whose bracket was the last byte; nil if it has no end or is too long.
  mutating func value(from bracket: UInt8) throws(Failure) -> [UInt8]? {
    var bytes = [bracket]
    var depth = 1
    var isText = false
    var isEscaped = false
    while depth > 0 {
      guard let byte = try next(), bytes.count < Self.limit else { return nil }
      bytes.append(byte)
      if isEscaped {
        isEscaped = false
      } else if isText {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isText = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
      }
    }
    return bytes
  }

  private mutating func isAvailable() throws(Failure) -> Bool {
    while position >= chunk.count {
      guard let next = try source() else { return false }
      chunk = next
      position = 0
    }
    return true
  }
}

/// The objects in a stream of JSON: the elements of one array, or consecutive objects. Or the jCards (RFC 7095), which are
/// arrays that begin with a string: the elements of any number of arrays, or consecutive ones. Only one is in memory at a
/// time, however long the stream is.
public struct JSONElements<Failure: Error> {
  /// The next item of the stream.
  public enum Element {
    /// The bytes of one object or jCard, and the line where it begins, from 1.
    case object(line: Int, bytes: [UInt8])
    /// Invalid JSON, or another value, on this line; nothing comes after it.
    case malformed(line: Int)
  }

  private var bytes: JSONBytes<Failure>
  private let areCards: Bool
  private var isInArray = false
  private var hasEnded = false
  private var isBroken = false

  /// Splits the bytes of a source.
  /// - Parameter source: returns the next bytes, or nil at the end.
  public init(source: @escaping () throws(Failure) -> [UInt8]?) { self.init(areCards: false, source: source) }

  init(areCards: Bool, source: @escaping () throws(Failure) -> [UInt8]?) {
    self.areCards = areCards
    bytes = JSONBytes(source: source)
  }

  /// Returns the next item; nil at the end.
  public mutating func next() throws(Failure) -> Element? {
    while !isBroken, let byte = try bytes.next() {
      switch byte {
      case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ","): break
      case 0xEF, 0xBB, 0xBF: break
      case UInt8(ascii: "]") where isInArray:
        isInArray = false
        hasEnded = !areCards
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        let start = bytes.line
        let isElement =
          if areCards, byte == UInt8(ascii: "[") {
            try bytes.peek() == UInt8(ascii: "\"")
          } else {
            !areCards && byte == UInt8(ascii: "{")
          }
        if isElement {
          guard let object = try bytes.value(from: byte) else { return malformed(start) }
          return .object(line: start, bytes: object)
        }
        guard byte == UInt8(ascii: "["), !isInArray, !hasEnded else { return malformed(start) }
        isInArray = true
      default: return malformed(bytes.line)
      }
    }
    if isInArray, !isBroken { return malformed(bytes.line) }
    return nil
  }

  private mutating func malformed(_ line: Int) -> Element {
    isBroken = true
    return .malformed(line: line)
  }
}
