/// The parts of a property that make its meaning, regardless of the case of names and the order of parameters.
public struct LineForm: Hashable, Sendable {
  /// In lower case.
  let group: String
  /// In upper case.
  let name: String
  /// The values of all parameters, keyed by name.
  public let parameters: [String: [String]]
  /// The value with its escapes.
  let value: [UInt8]
}

extension CardLine {
  /// The form of the property as it is.
  public var form: LineForm { form(parameters.map { ($0.name, $0.values) }, Array(valueBytes)) }

  /// The form of the property after Python's vobject has read and written it. Radicale stores cards like this, and khard
  /// writes them.
  ///
  /// vobject ends a value at the first unescaped comma unless the property is a list or has parts, of which it keeps
  /// those of 3.0; it drops parameters without a name or a value, and doubles a backslash before anything but
  /// `\ , ; n`.
  public var reserialized: LineForm {
    let named = ParameterScanner.scan(parameterBytes).compactMap { part -> (String, [String])? in
      let values = part.values.filter { !$0.isEmpty }
      return part.name.flatMap { values.isEmpty ? nil : ($0, values) }
    }
    switch encoding {
    case .base64: return form(named, Array(valueBytes))
    case .quotedPrintable:
      let decoded = Array(quotedPrintableValue(escapesSemicolons: false).utf8)
      return form(named, reserializedValue(decoded[...]))
    case .none: return form(named, reserializedValue(valueBytes))
    }
  }

  private func form(_ parameters: [(String, [String])], _ value: [UInt8]) -> LineForm {
    var all = parameters.reduce(into: [:]) { $0[$1.0, default: []] += $1.1 }
    if encoding != .none { all["ENCODING"] = encoding == .base64 ? ["B"] : nil }
    return LineForm(
      group: group.lowercased(), name: String(key.map { $0 == "_" ? "-" : $0 }), parameters: all, value: value)
  }

  private func reserializedValue(_ valueBytes: ArraySlice<UInt8>) -> [UInt8] {
    func items(_ text: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
      let items = Escapes.split(text, at: separator)
      return items.count > 1 && items.last?.isEmpty == true ? items.dropLast() : items
    }
    func list(_ text: ArraySlice<UInt8>) -> [UInt8] {
      Array(items(text, at: Byte.comma).map(Self.reserialized).joined(separator: [Byte.comma]))
    }
    func parts(_ count: Int?) -> [UInt8] {
      var parts = items(valueBytes, at: Byte.semicolon).map(list)
      if let count { parts = (0..<count).map { $0 < parts.count ? parts[$0] : [] } }
      return Array(parts.joined(separator: [Byte.semicolon]))
    }
    switch key {
    case "N": return parts(5)
    case "ADR": return parts(7)
    case "ORG": return parts(nil)
    case "CATEGORIES": return list(valueBytes)
    default: return Self.reserialized(Escapes.split(valueBytes, at: Byte.comma)[0])
    }
  }

  private static func reserialized(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var position = text.startIndex
    while position < text.endIndex {
      let byte = text[position]
      position += 1
      guard byte == Byte.backslash else {
        result += [Byte.semicolon, Byte.comma].contains(byte) ? [Byte.backslash, byte] : [byte]
        continue
      }
      // A backslash at the end gets the name of vobject's end mark.
      guard position < text.endIndex else { return result + Array("\\\\eof".utf8) }
      switch text[position] {
      case Byte.smallN, Byte.capitalN: result += [byte, Byte.smallN]
      case Byte.backslash, Byte.semicolon, Byte.comma: result += [byte, text[position]]
      default: result += [byte, byte, text[position]]
      }
      position += 1
    }
    return result
  }
}

extension CardLine {
  /// Returns the property with a backslash before each comma of its value, and with none before a colon, except in 2.1
  /// and in encoded values.
  public func escapingCommas() -> CardLine {
    guard version != .v21, encoding == .none else { return self }
    var value: [UInt8] = []
    var isEscaped = false
    for byte in valueBytes {
      if byte == Byte.comma, !isEscaped { value.append(Byte.backslash) }
      if byte == Byte.colon, isEscaped { value.removeLast() }
      value.append(byte)
      isEscaped = byte == Byte.backslash && !isEscaped
    }
    return value.count == valueBytes.count ? self : replacing(value)
  }

  /// Returns the property without the backslashes before the commas of its value.
  public func unescapingCommas() -> CardLine {
    var value: [UInt8] = []
    for byte in valueBytes {
      if byte == Byte.comma, value.reversed().prefix(while: { $0 == Byte.backslash }).count % 2 == 1 {
        value.removeLast()
      }
      value.append(byte)
    }
    return replacing(value)
  }

  private func replacing(_ value: some Sequence<UInt8>) -> CardLine {
    let header = source.bytes[Int(span.start)..<Int(span.valueStart)]
    return CardLine(bytes: Array(header) + Array(value), version: version) ?? self
  }
}
