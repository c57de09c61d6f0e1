extension CardLine {
  /// Creates a property with a text value, in the syntax of the version.
  public init(
    _ name: String, group: String = "", parameters: [CardParameter] = [], text: String, version: CardVersion
  ) {
    self.init(name, group, parameters, version, value: ValueText.text(text, version))
  }

  /// Creates a property with a structured value (N, ADR, ORG), in the syntax of the version.
  public init(
    _ name: String, group: String = "", parameters: [CardParameter] = [], components: [String], version: CardVersion
  ) {
    let parts = components.map { ValueText.component($0, version) }
    self.init(name, group, parameters, version, value: Array(parts.joined(separator: [Byte.semicolon])))
  }

  /// Creates a property with a list value (CATEGORIES), in the syntax of the version. In 2.1 items cannot contain
  /// commas.
  public init(
    _ name: String, group: String = "", parameters: [CardParameter] = [], list: [String], version: CardVersion
  ) {
    let parts = list.map { ValueText.component($0, version) }
    self.init(name, group, parameters, version, value: Array(parts.joined(separator: [Byte.comma])))
  }

  /// Creates a property with a URI. Its commas are escaped: many programs end a value at an unescaped one.
  public init(
    _ name: String, group: String = "", parameters: [CardParameter] = [], uri value: String, version: CardVersion
  ) {
    self.init(name, group, parameters, version, value: ValueText.uri(value, version))
  }

  /// Creates a property with a value that has no escapes, such as a date.
  public init(
    _ name: String, group: String = "", parameters: [CardParameter] = [], plain value: String, version: CardVersion
  ) {
    let line = LineSeparators.unified(value).utf8.filter { $0 != Byte.lineFeed }
    self.init(name, group, parameters, version, value: line)
  }

  /// Creates a property with a binary value: base64 in 2.1 and 3.0, a `data:` URI in 4.0.
  ///
  /// In 4.0, the `mediaType` is written unchanged (`image/jpeg`), or made from the type of an earlier version (`JPEG`)
  /// and the property; an empty one becomes `application/octet-stream`. In 2.1 and 3.0, it is the type, in upper case.
  public init(
    _ name: String, group: String = "", parameters: [CardParameter] = [], binary: CardBinary, version: CardVersion
  ) {
    let encoded = Base64.encode(binary.bytes)
    if version == .v40 {
      let type = MediaType.full(binary.mediaType, of: name)
      self.init(name, group, parameters, version, value: Array("data:\(type);base64,\(encoded)".utf8))
      return
    }
    var all = [CardParameter("ENCODING", version == .v21 ? "BASE64" : "b")]
    let type = MediaType.short(binary.mediaType)
    if !type.isEmpty { all.append(CardParameter("TYPE", type)) }
    self.init(name, group, all + parameters, version, value: Array(encoded.utf8))
  }

  /// Returns the same property in another group, or in none if the name is empty.
  public func inGroup(_ group: String) -> CardLine {
    let prefix = Array((group.isEmpty ? "" : group + ".").utf8)
    return CardLine(bytes: prefix + source.bytes[Int(span.nameStart)..<Int(span.end)], version: version) ?? self
  }

  /// Creates a property with an escaped value. In 2.1, anything but plain ASCII of up to 60 bytes is encoded as
  /// quoted-printable, unless the parameters have an ENCODING.
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

/// The types of binary values: `image/jpeg` in 4.0, `JPEG` before.
enum MediaType {
  private static let keys = ["pgp": "application/pgp-keys", "x509": "application/pkix-cert"]
  private static let images: Set<String> = ["jpeg", "jpg", "png", "gif", "bmp", "webp", "tiff", "svg+xml"]

  static func full(_ type: String, of property: String) -> String {
    if type.contains("/") { return type }
    let small = type.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber || ".+-".contains($0)) }
    if small.isEmpty { return "application/octet-stream" }
    switch property.uppercased() {
    case "PHOTO", "LOGO": return "image/" + small
    case "SOUND": return "audio/" + small
    case _ where images.contains(small): return "image/" + small
    default: return keys[small] ?? "application/x-" + small
    }
  }

  static func short(_ type: String) -> String {
    if let key = keys.first(where: { $0.value == type.lowercased() }) { return key.key.uppercased() }
    let last = type.split(separator: "/").last.map(String.init) ?? ""
    let isPrivate = type.contains("/") && last.lowercased().hasPrefix("x-")
    return (isPrivate ? String(last.dropFirst(2)) : last).uppercased()
  }
}

/// Text escaped for use in a value.
enum ValueText {
  /// Returns a text value. In 2.1 only the backslash is escaped; line ends are left to quoted-printable.
  static func text(_ text: String, _ version: CardVersion) -> [UInt8] {
    version == .v21 ? old(text, escapingSemicolon: false) : modern(text)
  }

  /// Returns a part of a structured value; in 2.1 its semicolons are escaped too.
  static func component(_ text: String, _ version: CardVersion) -> [UInt8] {
    version == .v21 ? old(text, escapingSemicolon: true) : modern(text)
  }

  /// Returns a URI, in which a semicolon separates nothing.
  static func uri(_ text: String, _ version: CardVersion) -> [UInt8] {
    let line = LineSeparators.unified(text).utf8.filter { $0 != Byte.lineFeed }
    return line.flatMap { byte in
      byte == Byte.backslash || (byte == Byte.comma && version != .v21) ? [Byte.backslash, byte] : [byte]
    }
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

/// A parameter as it is written before the colon.
enum ParameterText {
  static func encode(_ parameter: CardParameter, _ version: CardVersion) -> [UInt8] {
    if version == .v21 { return old(parameter) }
    let values = parameter.values.map(CaretEscapes.encode).joined(separator: ",")
    return Array(";\(parameter.name)=\(values)".utf8)
  }

  /// Returns a parameter of 2.1, which writes types bare and has no quotes: characters that are not allowed become
  /// blanks.
  private static func old(_ parameter: CardParameter) -> [UInt8] {
    let values = parameter.values.map { value in
      let text = String(LineSeparators.unified(value).map { ";:,\n\"".contains($0) ? " " : $0 })
      // Without the blank, the backslash would belong to the separator after it.
      return text.hasSuffix("\\") ? text + " " : text
    }
    if parameter.name == "TYPE" { return Array(values.map { ";\($0.uppercased())" }.joined().utf8) }
    return Array(";\(parameter.name)=\(values.joined(separator: " "))".utf8)
  }
}
