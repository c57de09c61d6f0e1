/// A parameter of a property: `TYPE=home,voice`.
public struct CardParameter: Hashable, Sendable {
  /// The name in upper case.
  public var name: String
  /// The values in order, without quotes and with the escapes of RFC 6868 decoded.
  public var values: [String]

  /// Creates a parameter; its name must be in upper case.
  public init(_ name: String, _ values: String...) {
    self.name = name
    self.values = values
  }

  /// Creates a parameter; its name must be in upper case.
  public init(name: String, values: [String]) {
    self.name = name
    self.values = values
  }
}

extension CardLine {
  /// The parameters in order. A bare word, as in 2.1, is a TYPE, unless it is a known ENCODING, VALUE or CHARSET.
  public var parameters: [CardParameter] {
    ParameterScanner.scan(parameterBytes).map { part in
      guard let name = part.name else { return Self.bare(part.values) }
      return CardParameter(name: name, values: part.values)
    }
  }

  /// Returns all values of the parameters with this name (in upper case), in order.
  public func values(of name: String) -> [String] {
    guard hasParameters else { return [] }
    return parameters.filter { $0.name == name }.flatMap(\.values)
  }

  /// The types in lower case, in order, without duplicates. A quoted TYPE with commas counts as several.
  public var types: [String] {
    guard hasParameters else { return [] }
    return plainTypes ?? scannedTypes
  }

  /// The label that old Android phones write as a parameter, `X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=48=C3=BC)`;
  /// nil if there is none.
  public var customLabel: String? {
    guard parameterBytes.contains(UInt8(ascii: "(")) else { return nil }
    guard let label = parameters.first(where: { $0.name.hasPrefix("X-CUSTOM(") }), label.values.count > 2 else {
      return nil
    }
    let encoded = label.values[2...].joined(separator: ",")
    let bytes = QuotedPrintable.decode(Array((encoded.hasSuffix(")") ? String(encoded.dropLast()) : encoded).utf8)[...])
    let charset = Charset(declared: label.values[0]) ?? .utf8
    let text = bytes.withUnsafeBufferPointer { String(decoding: charset.decode($0).bytes, as: UTF8.self) }
    return Self.trimmed(text)
  }

  /// ``types`` of ``PlainParameters``, found without the arrays that a scan makes; nil for other parameters.
  private var plainTypes: [String]? {
    parameterBytes.withUnsafeBufferPointer { bytes -> [String]? in
      var found: [String] = []
      return PlainParameters(bytes).forEach { isType, value in
        guard isType else { return }
        var start = value.startIndex
        for end in value.startIndex...value.endIndex
        where end == value.endIndex || value[end] == UInt8(ascii: ",") {
          let word = value[start..<end]
          start = end + 1
          if word.isEmpty { continue }
          let type = String(unsafeUninitializedCapacity: word.count) { text in
            for (index, byte) in word.enumerated() {
              text.initializeElement(at: index, to: (0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
            }
            return word.count
          }
          if found.isEmpty { found.reserveCapacity(4) }
          if !found.contains(type) { found.append(type) }
        }
      } ? found : nil
    }
  }

  /// True if all parameters are TYPEs in the form of ``PlainParameters``.
  var hasOnlyPlainTypes: Bool {
    parameterBytes.withUnsafeBufferPointer { bytes in
      var areTypes = true
      return PlainParameters(bytes).forEach { isType, _ in if !isType { areTypes = false } } && areTypes
    }
  }

  /// ``types`` of any parameters.
  var scannedTypes: [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for parameter in parameters {
      // Some programs write `PREF=1,TYPE=HOME`.
      let inPreference = parameter.values.dropFirst().filter { $0.prefix(5).uppercased() == "TYPE=" }
      guard parameter.name == "TYPE" || parameter.name == "PREF" else { continue }
      for value in parameter.name == "TYPE" ? parameter.values : inPreference.map({ String($0.dropFirst(5)) }) {
        for word in value.split(separator: ",") {
          let type = Self.trimmed(word.lowercased())
          if !type.isEmpty, seen.insert(type).inserted { found.append(type) }
        }
      }
    }
    return found
  }

  var encoding: CardEncoding {
    // Called for every property: most contain none of the letters that an encoding begins with.
    guard parameterBytes.contains(where: { $0 & 0xDF == UInt8(ascii: "B") || $0 & 0xDF == UInt8(ascii: "Q") }) else {
      return .none
    }
    for value in values(of: "ENCODING") {
      switch value.uppercased() {
      case "QUOTED-PRINTABLE", "Q": return .quotedPrintable
      case "BASE64", "B": return .base64
      default: break
      }
    }
    return .none
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }

  private static func bare(_ values: [String]) -> CardParameter {
    switch values.first?.uppercased() ?? "" {
    case "QUOTED-PRINTABLE", "BASE64", "B", "8BIT", "7BIT": return CardParameter(name: "ENCODING", values: values)
    case "INLINE", "CONTENT-ID", "CID": return CardParameter(name: "VALUE", values: values)
    case "UTF-8", "UTF8", "US-ASCII": return CardParameter(name: "CHARSET", values: values)
    default: return CardParameter(name: "TYPE", values: values)
    }
  }
}

/// Parameters of the form that most lines have: names of ASCII letters, and values of ASCII letters, digits, hyphens
/// and commas.
private struct PlainParameters {
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Calls `body` with each parameter's value, and whether it is a TYPE.
  /// - Returns: false if a parameter has another form; `body` was then called with those before it.
  func forEach(_ body: (_ isType: Bool, Slice<UnsafeBufferPointer<UInt8>>) -> Void) -> Bool {
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: ";") {
        index += 1
        continue
      }
      let start = index
      while index < bytes.count, bytes[index] != UInt8(ascii: "="), (0x41...0x5A).contains(bytes[index] & 0xDF) {
        index += 1
      }
      guard index > start, index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return false }
      let isType =
        index - start == 4 && bytes[start] & 0xDF == UInt8(ascii: "T") && bytes[start + 1] & 0xDF == UInt8(ascii: "Y")
        && bytes[start + 2] & 0xDF == UInt8(ascii: "P") && bytes[start + 3] & 0xDF == UInt8(ascii: "E")
      index += 1
      let value = index
      while index < bytes.count, bytes[index] != UInt8(ascii: ";") {
        switch bytes[index] {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2C, 0x2D: index += 1
        default: return false
        }
      }
      body(isType, bytes[value..<index])
    }
    return true
  }
}

enum CardEncoding {
  case none
  case quotedPrintable
  case base64
}
