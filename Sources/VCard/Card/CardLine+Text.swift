extension CardLine {
  /// The value as text, with quoted-printable, charset and escapes decoded.
  public var text: String {
    if encoding == .quotedPrintable { return Escapes.decode(Array(quotedPrintableText(valueBytes).utf8)[...]) }
    return Escapes.decode(valueBytes)
  }

  /// The parts of a structured value (N, ADR, ORG), separated by semicolons, as text. Commas are kept.
  public var components: [String] {
    parts(at: Byte.semicolon)
  }

  /// The parts of a structured value, each as a list (RFC 6350, 6.2.2): `Philip,Paul` are two names. In 2.1, and in
  /// encoded values, there are no such lists, and a comma is text.
  public var componentLists: [[String]] {
    guard hasLists else { return components.map { [$0] } }
    return Escapes.split(valueBytes, at: Byte.semicolon).map { part in
      Escapes.split(part, at: Byte.comma).map(Escapes.decode)
    }
  }

  /// False only if each list in ``componentLists`` has one item.
  public var hasLists: Bool { version != .v21 && valueBytes.contains(Byte.comma) && encoding == .none }

  /// The items of a list (CATEGORIES, NICKNAME), separated by commas, as text.
  ///
  /// 2.1 does not define such lists; programs use either separator there.
  public var list: [String] {
    let values = parts(at: Byte.comma)
    guard version == .v21, values.count == 1 else { return values }
    return parts(at: Byte.semicolon)
  }

  /// The delivery text of an address (RFC 6350, 6.3.1), where programs also write the escapes of a value; empty if the
  /// property has none.
  public var deliveryLabel: String {
    guard hasParameters, let label = values(of: "LABEL").first else { return "" }
    return Escapes.decode(Array(label.utf8)[...])
  }

  private func parts(at separator: UInt8) -> [String] {
    guard encoding == .quotedPrintable else {
      return Escapes.decodedParts(of: valueBytes, at: separator)
    }
    // An encoded separator is text, so the value is split before it is decoded. A piece that ends in an odd number of
    // backslashes was split at an escaped separator. (In Shift_JIS a backslash may be half a character, so check this
    // after decoding.)
    var parts: [String] = []
    var open: String?
    for piece in quotedPrintablePieces(at: separator) {
      let decoded = quotedPrintableText(piece)
      let joined = open.map { $0 + String(UnicodeScalar(separator)) + decoded } ?? decoded
      if decoded.utf8.reversed().prefix(while: { $0 == Byte.backslash }).count % 2 == 1 {
        open = joined
      } else {
        parts.append(joined)
        open = nil
      }
    }
    if let open { parts.append(open) }
    return parts.map { Escapes.decode(Array($0.utf8)[...]) }
  }

  private func quotedPrintablePieces(at separator: UInt8) -> [ArraySlice<UInt8>] {
    if declaredCharset?.isISO2022 == true { return QuotedPrintable.splitISO2022(valueBytes, at: separator) }
    return valueBytes.split(separator: separator, omittingEmptySubsequences: false)
  }

  /// The value with quoted-printable decoded and escapes kept.
  /// - Parameter escapesSemicolons: whether encoded semicolons, which are text, get an escape.
  func quotedPrintableValue(escapesSemicolons: Bool) -> String {
    guard escapesSemicolons else { return quotedPrintableText(valueBytes) }
    let pieces = quotedPrintablePieces(at: Byte.semicolon).map { piece in
      Escapes.split(Array(quotedPrintableText(piece).utf8)[...], at: Byte.semicolon).map(Escapes.string)
        .joined(separator: "\\;")
    }
    return pieces.joined(separator: ";")
  }

  /// Decodes quoted-printable to UTF-8: from the declared charset, unless the bytes are clearly UTF-8.
  private func quotedPrintableText(_ text: ArraySlice<UInt8>) -> String {
    let bytes = QuotedPrintable.decode(text)
    return bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return "" }
      let survey = UTF8Survey(base, 0, buffer.count)
      let charset: Charset
      switch survey.content {
      case .ascii where buffer.contains(Byte.escape):
        charset = declaredCharset.flatMap { $0.isASCIICompatible ? $0 : nil } ?? .utf8
      case .ascii, .strongUTF8: charset = .utf8
      case .weakUTF8:
        charset = declaredCharset.flatMap { $0.isSingleByte || !$0.isASCIICompatible ? nil : $0 } ?? .utf8
      case .other: charset = declaredCharset.flatMap { $0 == .utf8 ? nil : $0 } ?? guess(buffer, survey)
      }
      return String(decoding: charset.decode(buffer).bytes, as: UTF8.self)
    }
  }

  private var declaredCharset: Charset? { values(of: "CHARSET").first.flatMap(Charset.init(declared:)) }

  private func guess(_ bytes: UnsafeBufferPointer<UInt8>, _ survey: UTF8Survey) -> Charset {
    if survey.isMostlyUTF8 { return .utf8 }
    var guess = CharsetGuess()
    guess.add(bytes)
    return guess.charset ?? source.undeclared ?? .utf8
  }
}

/// Binary data in a card: a photo, a sound, a key.
public struct CardBinary: Hashable, Sendable {
  /// The declared type (`image/jpeg`, `JPEG`); empty if there is none. Not to be trusted.
  public var mediaType: String
  /// The bytes.
  public var bytes: [UInt8]

  /// Creates binary data with a declared type.
  public init(mediaType: String, bytes: [UInt8]) {
    self.mediaType = mediaType
    self.bytes = bytes
  }
}

extension CardLine {
  /// The bytes of a value in base64 or of a `data:` URI in base64; nil for any other value, and if the base64 is broken
  /// or empty.
  ///
  /// Nothing is ever fetched: an `http:` or `file:` URI is plain text.
  public var binary: CardBinary? {
    let encoding = encoding
    guard encoding != .quotedPrintable else {
      // Programs do not write photos this way, but converted to another version the line would be a photo.
      let others = parameters.filter { $0.name != "ENCODING" }
      return CardLine(name, "", others, .v30, value: modernValue()).binary
    }
    let offset = base64Offset
    if offset > 0 { return dataURI(offset) }
    guard encoding == .base64 || isBareBase64, let bytes = decoded(valueBytes) else { return nil }
    let type = values(of: "MEDIATYPE").first ?? types.first { !["pref", "home", "work"].contains($0) } ?? ""
    return CardBinary(mediaType: type, bytes: bytes)
  }

  /// The number of bytes of the value before its base64: the length of `data:image/jpeg;base64,`, or 0.
  public var base64Offset: Int {
    let beginning = LineSeparators.unified(valueBytes.prefix(64)).drop(while: Byte.isSpace)
    guard beginning.prefix(5).elementsEqual("data:".utf8, by: { Byte.upper($0) == Byte.upper($1) }) else { return 0 }
    return valueBytes.firstIndex(of: Byte.comma).map { $0 + 1 - valueBytes.startIndex } ?? 0
  }

  /// True if the value is quoted-printable.
  public var isQuotedPrintable: Bool { encoding == .quotedPrintable }

  /// Returns the same property with bytes as its value, in the syntax of a version.
  /// - Parameters:
  ///   - binary: the bytes, and their media type.
  ///   - version: the version of the card.
  ///   - names: the names of parameters, in upper case, that do not apply to these bytes.
  public func withBinary(
    _ binary: CardBinary, version: CardVersion, removing names: Set<String> = []
  ) -> CardLine {
    let replaced = names.union(["ENCODING", "VALUE", "TYPE", "MEDIATYPE", "CHARSET"])
    let kept = parameters.filter { !replaced.contains($0.name) }
    return CardLine(name, group: group, parameters: kept, binary: binary, version: version)
  }

  /// True for an image whose writer forgot the ENCODING: it begins like PNG, JPEG, GIF or WebP in base64.
  private var isBareBase64: Bool {
    guard isNamed("PHOTO") || isNamed("LOGO") else { return false }
    let beginning = LineSeparators.unified(valueBytes.prefix(64))
    return ["iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR"].contains { beginning.starts(with: $0.utf8) }
  }

  /// Returns the bytes of a `data:` URI (RFC 2397), even if the comma and semicolon are escaped as in text, as some 3.0
  /// writers do.
  private func dataURI(_ offset: Int) -> CardBinary? {
    let header = LineSeparators.unified(valueBytes.prefix(offset - 1)).drop(while: Byte.isSpace).dropFirst(5)
    let fields = Escapes.string(header).filter { $0 != "\\" }.split(separator: ";", omittingEmptySubsequences: false)
    guard fields.last?.lowercased() == "base64", let bytes = decoded(valueBytes.dropFirst(offset)) else { return nil }
    return CardBinary(mediaType: fields.count > 1 ? String(fields[0]).lowercased() : "", bytes: bytes)
  }

  /// Decodes base64, if necessary without the characters that are never written: a value must mean the same before and
  /// after it is written.
  private func decoded(_ base64: ArraySlice<UInt8>) -> [UInt8]? {
    guard let bytes = Base64.decode(base64) ?? Base64.decode(LineSeparators.unified(base64)) else { return nil }
    return bytes.isEmpty ? nil : bytes
  }
}
