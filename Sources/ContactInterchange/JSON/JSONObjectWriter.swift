import Contacts

/// A writer of a JSON object, key by key, in the order of the calls (RFC 8259).
struct JSONObjectWriter {
  private var bytes: [UInt8]
  private var isFirst = true

  private static let label = JSONKey("label")
  private static let parts = AddressPart.inCardOrder.map { ($0, JSONKey($0.rawValue)) }

  /// Begins an object after the given bytes, which the writer holds until ``finish(_:)``.
  init(after bytes: inout [UInt8]) {
    self.bytes = []
    swap(&self.bytes, &bytes)
    self.bytes.append(UInt8(ascii: "{"))
  }

  /// Ends the object, and gives back the bytes, with the object at their end.
  mutating func finish(_ bytes: inout [UInt8]) {
    self.bytes.append(UInt8(ascii: "}"))
    swap(&self.bytes, &bytes)
  }

  mutating func add(_ key: JSONKey, raw value: String) {
    begin(key)
    Self.append(verbatim: value, to: &bytes)
  }

  mutating func add(_ key: JSONKey, _ text: String) {
    begin(key)
    Self.append(text, to: &bytes)
  }

  mutating func add(_ key: JSONKey, _ texts: [String]) {
    begin(key)
    list(texts) { Self.append($0, to: &$1) }
  }

  mutating func add(_ key: JSONKey, _ values: [LabeledValue]) {
    begin(key)
    list(values) { value, bytes in
      Self.append(verbatim: #"{"label": "#, to: &bytes)
      Self.append(value.label, to: &bytes)
      Self.append(verbatim: #", "value": "#, to: &bytes)
      Self.append(value.value, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
  }

  mutating func add(_ key: JSONKey, _ addresses: [PostalAddress]) {
    begin(key)
    list(addresses) { address, bytes in
      var object = JSONObjectWriter(after: &bytes)
      object.add(Self.label, address.label)
      for (part, key) in Self.parts { object.add(key, address[part]) }
      object.finish(&bytes)
    }
  }

  mutating func add(_ key: JSONKey, _ fill: (inout JSONObjectWriter) -> Void) {
    begin(key)
    var object = JSONObjectWriter(after: &bytes)
    fill(&object)
    object.finish(&bytes)
  }

  private mutating func begin(_ key: JSONKey) {
    bytes.append(contentsOf: isFirst ? key.bytes[2...] : key.bytes[...])
    isFirst = false
  }

  private mutating func list<Item>(_ items: [Item], _ write: (Item, inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for (index, item) in items.enumerated() {
      if index > 0 { Self.append(verbatim: ", ", to: &bytes) }
      write(item, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private static func append(verbatim text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Appends a string with its quotes. Control characters, including DEL and C1, and line separators are escaped: the
  /// output contains no line ends and nothing that a terminal interprets.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    if text.isEmpty { return append(verbatim: "\"\"", to: &bytes) }
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for offset in utf8.indices where mayBeSpecial(utf8[offset]) {
        guard let special = Special(utf8[offset...]) else { continue }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<offset]))
        special.append(to: &bytes)
        start = offset + special.count
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns whether a byte begins a character that may have to be escaped.
  private static func mayBeSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, 0x22, 0x5C, 0x7F, 0xC2, 0xE2: true
    default: false
    }
  }
}

/// A key of an object with the punctuation around it, which is appended in one piece, because an array checks with each
/// append whether it has to grow. The program defines the keys, and none needs an escape.
struct JSONKey: Sendable {
  /// A comma, a space, the key in quotes, a colon and a space.
  fileprivate let bytes: [UInt8]

  init(_ name: String) { bytes = Array(", \"\(name)\": ".utf8) }
}

/// A character that is escaped.
private struct Special {
  /// The number of its bytes in UTF-8.
  let count: Int
  private let scalar: UInt32

  /// Creates the character at the beginning of some UTF-8; nil if it is not escaped.
  init?(_ utf8: Slice<UnsafeBufferPointer<UInt8>>) {
    let start = utf8.startIndex
    switch utf8[start] {
    case 0xC2:
      // U+0080 to U+009F.
      guard utf8.count > 1, utf8[start + 1] < 0xA0 else { return nil }
      (count, scalar) = (2, UInt32(utf8[start + 1]))
    case 0xE2:
      // U+2028 and U+2029.
      guard utf8.count > 2, utf8[start + 1] == 0x80, utf8[start + 2] & 0xFE == 0xA8 else { return nil }
      (count, scalar) = (3, 0x2000 + UInt32(utf8[start + 2] & 0x3F))
    case let byte: (count, scalar) = (1, UInt32(byte))
    }
  }

  func append(to bytes: inout [UInt8]) {
    switch scalar {
    case 0x22: bytes += #"\""#.utf8
    case 0x5C: bytes += #"\\"#.utf8
    case 0x0A: bytes += #"\n"#.utf8
    case 0x0D: bytes += #"\r"#.utf8
    case 0x09: bytes += #"\t"#.utf8
    default:
      let digits = String(scalar, radix: 16)
      bytes += (#"\u"# + String(repeating: "0", count: 4 - digits.count) + digits).utf8
    }
  }
}
