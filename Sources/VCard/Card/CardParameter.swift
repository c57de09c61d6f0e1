/// A parameter of a property: `TYPE=home,voice`.
public struct CardParameter: Hashable, Sendable {
  /// The name in upper case.
  public var name: String
  /// The values in order, without quotes and with the escapes of RFC 6868 decoded.
  public var values: [String]

  /// A parameter with this name.
  public init(_ name: String, _ values: String...) {
    self.name = name
    self.values = values
  }

  /// A parameter with this name.
  public init(name: String, values: [String]) {
    self.name = name
    self.values = values
  }
}

extension CardLine {
  /// The parameters in order. A bare word in 2.1 is a TYPE, unless it is a known ENCODING, VALUE or CHARSET.
  public var parameters: [CardParameter] {
    ParameterScanner.scan(parameterBytes).map { part in
      guard let name = part.name else { return Self.bare(part.values) }
      return CardParameter(name: name, values: part.values)
    }
  }

  /// All values of the parameters with this name (in upper case), in order.
  public func values(of name: String) -> [String] {
    guard hasParameters else { return [] }
    return parameters.filter { $0.name == name }.flatMap(\.values)
  }

  /// The types in lower case, in order, without duplicates. A quoted TYPE with commas counts as several.
  public var types: [String] {
    guard hasParameters else { return [] }
    return plainTypes ?? scannedTypes
  }

  /// ``types`` of parameters that contain nothing but names, values and separators in ASCII, found without the arrays
  /// that a scan makes; nil for other parameters.
  private var plainTypes: [String]? {
    parameterBytes.withContiguousStorageIfAvailable { bytes -> [String]? in
      var found: [String] = []
      for part in bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: true) {
        guard let equals = part.firstIndex(of: UInt8(ascii: "=")), equals > part.startIndex else { return nil }
        let isPlain = part[(equals + 1)...].allSatisfy { byte in
          switch byte {
          case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2C, 0x2D: true
          default: false
          }
        }
        guard isPlain, part[..<equals].allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else { return nil }
        guard part[..<equals].lazy.map({ $0 & 0xDF }).elementsEqual("TYPE".utf8) else { continue }
        for word in part[(equals + 1)...].split(separator: UInt8(ascii: ",")) {
          let type = String(unsafeUninitializedCapacity: word.count) { text in
            for (index, byte) in word.enumerated() {
              text.initializeElement(at: index, to: (0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
            }
            return word.count
          }
          if !found.contains(type) { found.append(type) }
        }
      }
      return found
    } ?? nil
  }

  /// ``types`` of any parameters.
  var scannedTypes: [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for parameter in parameters where parameter.name == "TYPE" {
      for value in parameter.values {
        for word in value.split(separator: ",") {
          let type = Self.trimmed(word.lowercased())
          if !type.isEmpty, seen.insert(type).inserted { found.append(type) }
        }
      }
    }
    return found
  }

  /// The encoding of the value.
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

/// The encoding of a value.
enum CardEncoding {
  case none
  case quotedPrintable
  case base64
}
