extension CardLine {
  /// A property with one text as its value, in the form of the version.
  public init(
    _ name: String, group: String = "", parameters: [CardParameter] = [], text: String, version: CardVersion
  ) {
    self.init(name, group, parameters, version, value: ValueText.text(text, version))
  }

  /// A property with a structured value (N, ADR, ORG), in the form of the version.
  public init(
    _ name: String, group: String = "", parameters: [CardParameter] = [], components: [String], version: CardVersion
  ) {
    let parts = components.map { ValueText.component($0, version) }
    self.init(name, group, parameters, version, value: Array(parts.joined(separator: [Byte.semicolon])))
  }

  /// A property with a list as its value (CATEGORIES), in the form of the version. 2.1 cannot hold a comma in an item.
  public init(
    _ name: String, group: String = "", parameters: [CardParameter] = [], list: [String], version: CardVersion
  ) {
    let parts = list.map { ValueText.component($0, version) }
    self.init(name, group, parameters, version, value: Array(parts.joined(separator: [Byte.comma])))
  }

  /// A property whose value is a URI, a date or another value that has no escapes.
  public init(
    _ name: String, group: String = "", parameters: [CardParameter] = [], plain value: String, version: CardVersion
  ) {
    let line = LineSeparators.unified(value).utf8.filter { $0 != Byte.lineFeed }
    self.init(name, group, parameters, version, value: line)
  }

  /// A property whose value is bytes: base64 in 2.1 and 3.0, a `data:` URI in 4.0.
  ///
  /// `mediaType` of the value is written as it is in 4.0 (`image/jpeg`) and by its second half in capitals elsewhere.
  public init(
    _ name: String, group: String = "", parameters: [CardParameter] = [], binary: CardBinary, version: CardVersion
  ) {
    let encoded = Base64.encode(binary.bytes)
    if version == .v40 {
      let type = binary.mediaType.contains("/") ? binary.mediaType : "image/\(binary.mediaType.lowercased())"
      let known = binary.mediaType.isEmpty ? "application/octet-stream" : type
      self.init(name, group, parameters, version, value: Array("data:\(known);base64,\(encoded)".utf8))
      return
    }
    var all = [CardParameter("ENCODING", version == .v21 ? "BASE64" : "b")]
    if let type = binary.mediaType.split(separator: "/").last {
      all.append(CardParameter("TYPE", type.uppercased()))
    }
    self.init(name, group, all + parameters, version, value: Array(encoded.utf8))
  }

  /// The same property in another group, or in none where the name is empty.
  public func inGroup(_ group: String) -> CardLine {
    let prefix = Array((group.isEmpty ? "" : group + ".").utf8)
    return CardLine(bytes: prefix + source.bytes[Int(span.nameStart)..<Int(span.end)], version: version) ?? self
  }

  /// A property whose value is escaped already. In 2.1 what is not plain ASCII goes into quoted-printable.
  init(_ name: String, _ group: String, _ parameters: [CardParameter], _ version: CardVersion, value: [UInt8]) {
    var all = parameters
    var value = value
    let isBinary = parameters.contains { $0.name == "ENCODING" }
    if version == .v21, !isBinary, value.contains(where: { $0 >= 0x7F || $0 < 0x20 }) || value.count > 60 {
      if value.contains(where: { $0 >= 0x80 }) { all.append(CardParameter("CHARSET", "UTF-8")) }
      all.append(CardParameter("ENCODING", "QUOTED-PRINTABLE"))
      value = QuotedPrintable.encode(value)
    }
    var bytes: [UInt8] = []
    if !group.isEmpty { bytes += Array(group.utf8) + [Byte.dot] }
    let nameStart = bytes.count
    bytes += Array(name.utf8)
    let nameEnd = bytes.count
    for parameter in all { bytes += ParameterText.encode(parameter, version) }
    bytes.append(Byte.colon)
    let valueStart = bytes.count
    bytes += value
    let span = LineSpan(
      start: 0, end: Int32(bytes.count), groupEnd: group.isEmpty ? 0 : Int32(nameStart - 1),
      nameStart: Int32(nameStart), nameEnd: Int32(nameEnd), valueStart: Int32(valueStart), lineNumber: 0,
      content: .strongUTF8)
    self.init(source: CardText(bytes: bytes, version: version, undeclared: nil), span: span)
  }
}

/// Text as it may stand in a value.
enum ValueText {
  /// A value of one text. In 2.1 only the backslash is escaped; line ends are left to quoted-printable.
  static func text(_ text: String, _ version: CardVersion) -> [UInt8] {
    version == .v21 ? old(text, escapingSemicolon: false) : modern(text)
  }

  /// A part of a structured value.
  static func component(_ text: String, _ version: CardVersion) -> [UInt8] {
    version == .v21 ? old(text, escapingSemicolon: true) : modern(text)
  }

  private static func modern(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count + 8)
    Escapes.encode(text, into: &result)
    return result
  }

  private static func old(_ text: String, escapingSemicolon: Bool) -> [UInt8] {
    var result: [UInt8] = []
    for byte in LineSeparators.unified(text).utf8 {
      if byte == Byte.backslash || (escapingSemicolon && byte == Byte.semicolon) { result.append(Byte.backslash) }
      result.append(byte)
    }
    return result
  }
}

/// A parameter as it may stand before the colon.
enum ParameterText {
  static func encode(_ parameter: CardParameter, _ version: CardVersion) -> [UInt8] {
    if version == .v21 { return old(parameter) }
    let values = parameter.values.map(CaretEscapes.encode).joined(separator: ",")
    return Array(";\(parameter.name)=\(values)".utf8)
  }

  /// 2.1 writes types bare and has no quotes: what cannot stand there becomes a blank.
  private static func old(_ parameter: CardParameter) -> [UInt8] {
    let values = parameter.values.map { value in
      String(LineSeparators.unified(value).map { ";:,\n\"".contains($0) ? " " : $0 })
    }
    if parameter.name == "TYPE" { return Array(values.map { ";\($0.uppercased())" }.joined().utf8) }
    return Array(";\(parameter.name)=\(values.joined(separator: " "))".utf8)
  }
}
