import Contacts

/// Writes a JSON object key by key, in the order of the calls (RFC 8259).
struct JSONObjectWriter {
  private var bytes: [UInt8]
  private var isFirst = true

  /// Begins an object after the given bytes.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    self.bytes.append(UInt8(ascii: "{"))
  }

  /// Ends the object and returns all bytes.
  consuming func finish() -> [UInt8] {
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  mutating func add(_ key: String, raw value: String) {
    begin(key)
    bytes.append(contentsOf: value.utf8)
  }

  mutating func add(_ key: String, _ text: String) {
    begin(key)
    Self.append(text, to: &bytes)
  }

  mutating func add(_ key: String, _ texts: [String]) {
    begin(key)
    list(texts) { Self.append($0, to: &$1) }
  }

  mutating func add(_ key: String, _ values: [LabeledValue]) {
    begin(key)
    list(values) { value, bytes in
      bytes.append(contentsOf: #"{"label": "#.utf8)
      Self.append(value.label, to: &bytes)
      bytes.append(contentsOf: #", "value": "#.utf8)
      Self.append(value.value, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
  }

  mutating func add(_ key: String, _ addresses: [PostalAddress]) {
    begin(key)
    list(addresses) { address, bytes in
      var object = JSONObjectWriter(bytes)
      bytes = []
      object.add("label", address.label)
      for part in AddressPart.inCardOrder { object.add(part.rawValue, address[part]) }
      bytes = object.finish()
    }
  }

  mutating func add(_ key: String, _ fill: (inout JSONObjectWriter) -> Void) {
    begin(key)
    var object = JSONObjectWriter(bytes)
    bytes = []
    fill(&object)
    bytes = object.finish()
  }

  private mutating func begin(_ key: String) {
    if !isFirst { bytes.append(contentsOf: ", ".utf8) }
    isFirst = false
    Self.append(key, to: &bytes)
    bytes.append(contentsOf: ": ".utf8)
  }

  private mutating func list<Item>(_ items: [Item], _ write: (Item, inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for (index, item) in items.enumerated() {
      if index > 0 { bytes.append(contentsOf: ", ".utf8) }
      write(item, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends a string with its quotes. Controls, including DEL and C1, and line separators are escaped: the output
  /// contains no line ends and nothing that a terminal interprets.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    let hasSpecial = text.utf8.contains { (byte: UInt8) -> Bool in
      switch byte {
      case 0..<0x20, 0x22, 0x5C, 0x7F, 0xC2, 0xE2: true
      default: false
      }
    }
    if hasSpecial {
      for scalar in text.unicodeScalars { append(scalar, to: &bytes) }
    } else {
      bytes.append(contentsOf: text.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    switch scalar {
    case "\"": bytes.append(contentsOf: #"\""#.utf8)
    case "\\": bytes.append(contentsOf: #"\\"#.utf8)
    case "\n": bytes.append(contentsOf: #"\n"#.utf8)
    case "\r": bytes.append(contentsOf: #"\r"#.utf8)
    case "\t": bytes.append(contentsOf: #"\t"#.utf8)
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
      let digits = String(scalar.value, radix: 16)
      bytes.append(contentsOf: (#"\u"# + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    default: bytes.append(contentsOf: String(scalar).utf8)
    }
  }
}
