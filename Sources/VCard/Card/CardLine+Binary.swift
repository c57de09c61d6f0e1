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
