extension CardLine {
  /// Returns the same property in the syntax of another version, with its encodings, escapes, bare types and PREF, and
  /// with the names and values that the other version has for it (`ConvertedNames`, `ConvertedValues`).
  public func converted(to target: CardVersion) -> CardLine {
    guard target != version else { return self }
    if let binary { return withBinary(binary, version: target) }
    if let agent = convertedAgent(to: target) { return agent }
    let name = ConvertedNames.property(self.name, from: version, to: target)
    var parameters = convertedParameters(to: target)
    if let type = ConvertedValues.type(of: self, in: target) {
      parameters.removeAll { $0.name == "VALUE" }
      if !type.isEmpty { parameters.insert(CardParameter("VALUE", type), at: 0) }
    }
    if let plain = ConvertedValues.value(of: self, in: target) {
      return CardLine(name, group: group, parameters: parameters, plain: plain, version: target)
    }
    let value: [UInt8]
    switch (version, target) {
    case (.v21, _): value = modernValue()
    case (_, .v21): value = oldValue()
    // Quoted-printable is not allowed in 3.0 and 4.0, but some programs write it anyway.
    default: value = encoding == .quotedPrintable ? modernValue() : Array(valueBytes)
    }
    return CardLine(name, group, parameters, target, value: value)
  }

  /// The property with names of letters, digits and hyphens only (RFC 6350, 3.3).
  public var withLegalNames: CardLine {
    let legal = ConvertedNames.legal(name)
    let own = hasParameters ? parameters : []
    let renamed = own.map { CardParameter(name: ConvertedNames.legal($0.name), values: $0.values) }
    if legal == name, renamed == own { return self }
    return CardLine(rawName: legal, group: group, parameters: renamed, value: valueBytes, version: version)
  }

  /// Returns an agent who is given by a URI, as AGENT or as RELATED of 4.0; nil for anything else.
  private func convertedAgent(to target: CardVersion) -> CardLine? {
    let isURI = values(of: "VALUE").contains { ["uri", "url"].contains($0.lowercased()) }
    if target == .v40, isNamed("AGENT"), isURI {
      return CardLine(
        "RELATED", group: group, parameters: [CardParameter("TYPE", "agent")], plain: rawValue, version: target)
    }
    guard version == .v40, isNamed("RELATED"), types == ["agent"], isURI || values(of: "VALUE").isEmpty else {
      return nil
    }
    let value = CardParameter("VALUE", target == .v21 ? "URL" : "uri")
    return CardLine("AGENT", group: group, parameters: [value], plain: rawValue, version: target)
  }

  private func convertedParameters(to target: CardVersion) -> [CardParameter] {
    var result: [CardParameter] = []
    var types: [String] = []
    var isPreferred = false
    for parameter in parameters {
      switch parameter.name {
      case "TYPE":
        for value in parameter.values.flatMap({ $0.split(separator: ",").map(String.init) }) {
          if value.uppercased() == "PREF" { isPreferred = true } else { types.append(value) }
        }
      case "PREF":
        if target != .v40, parameter.values == ["1"] { isPreferred = true } else { result.append(parameter) }
      case "ENCODING", "CHARSET": break
      case "VALUE" where target == .v21 && parameter.values.first?.uppercased() == "URI":
        result.append(CardParameter("VALUE", "URL"))
      case "VALUE" where version == .v21 && parameter.values.first?.uppercased() == "URL":
        result.append(CardParameter("VALUE", "uri"))
      // The label of old Android phones (``customLabel``) is no parameter.
      case let name where name.contains("("): break
      default: result.append(CardParameter(name: ConvertedNames.legal(parameter.name), values: parameter.values))
      }
    }
    if isPreferred, target != .v40 { types.append("PREF") }
    if !types.isEmpty { result.insert(CardParameter(name: "TYPE", values: types), at: 0) }
    if isPreferred, target == .v40 { result.append(CardParameter("PREF", "1")) }
    return result
  }

  /// Returns the value of a 2.1 or quoted-printable property with the escapes of 3.0 and 4.0: line ends escaped, single
  /// backslashes doubled, and commas escaped where only the newer versions use them as separators.
  func modernValue() -> [UInt8] {
    let isText = Self.ofText.contains(key)
    let source =
      encoding == .quotedPrintable ? quotedPrintableValue(escapesSemicolons: isText) : Escapes.string(valueBytes)
    let bytes = Array(LineSeparators.unified(source).utf8)
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case Byte.lineFeed: result += [Byte.backslash, Byte.smallN]
      case Byte.comma where isText: result += [Byte.backslash, Byte.comma]
      case Byte.backslash:
        let next = position < bytes.count ? bytes[position] : 0
        if Escapes.isEscaped(next) || next == Byte.smallN || next == Byte.capitalN {
          result += [byte, next]
          position += 1
        } else {
          result += [byte, byte]
        }
      default: result.append(byte)
      }
    }
    return result
  }

  /// Returns the value of a newer property for 2.1: line ends, commas and colons unescaped, backslashes and semicolons
  /// still escaped.
  private func oldValue() -> [UInt8] {
    let valueBytes = encoding == .quotedPrintable ? modernValue()[...] : self.valueBytes
    var result: [UInt8] = []
    var position = valueBytes.startIndex
    while position < valueBytes.endIndex {
      let byte = valueBytes[position]
      position += 1
      guard byte == Byte.backslash, position < valueBytes.endIndex else {
        result.append(byte)
        continue
      }
      switch valueBytes[position] {
      case Byte.smallN, Byte.capitalN: result.append(Byte.lineFeed)
      case Byte.comma, Byte.colon: result.append(valueBytes[position])
      default: result += [byte, valueBytes[position]]
      }
      position += 1
    }
    return result
  }

  /// The properties whose values, or their parts, are text in 2.1, where a comma does not separate.
  private static let ofText: Set<String> = [
    "N", "FN", "NOTE", "ADR", "ORG", "TITLE", "ROLE", "LABEL", "SORT-STRING", "MAILER",
  ]
}
