/// Binary data in a card: a photo, a sound, a key.
public struct CardBinary: Hashable, Sendable {
  /// The declared type (`image/jpeg`, `JPEG`); empty if there is none. Not to be trusted.
  public var mediaType: String
  /// The bytes.
  public var bytes: [UInt8]

  /// Bytes with a declared type.
  public init(mediaType: String, bytes: [UInt8]) {
    self.mediaType = mediaType
    self.bytes = bytes
  }
}

extension CardLine {
  /// The bytes of a value in base64 or of a `data:` URI; nil for any other value and for broken base64.
  ///
  /// Nothing is ever fetched: an `http:` or `file:` URI is plain text.
  public var binary: CardBinary? {
    if let uri = dataURI { return uri }
    guard encoding == .base64 || isBareBase64, let bytes = Base64.decode(valueBytes), !bytes.isEmpty else { return nil }
    let type = values(of: "MEDIATYPE").first ?? types.first { $0 != "pref" } ?? ""
    return CardBinary(mediaType: type, bytes: bytes)
  }

  /// An image whose writer forgot the ENCODING: it begins like PNG, JPEG, GIF or WebP in base64.
  private var isBareBase64: Bool {
    guard isNamed("PHOTO") || isNamed("LOGO") else { return false }
    return ["iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR"].contains { valueBytes.starts(with: $0.utf8) }
  }

  /// RFC 2397, even if the comma and semicolon are escaped as in text, as some 3.0 writers do.
  private var dataURI: CardBinary? {
    let value = valueBytes.drop(while: Byte.isSpace)
    guard value.prefix(5).elementsEqual("data:".utf8, by: { Byte.upper($0) == Byte.upper($1) }) else { return nil }
    guard let comma = value.firstIndex(of: Byte.comma) else { return nil }
    let header = Escapes.string(value[(value.startIndex + 5)..<comma]).filter { $0 != "\\" }
    let fields = header.split(separator: ";", omittingEmptySubsequences: false)
    guard fields.last?.lowercased() == "base64" else { return nil }
    guard let bytes = Base64.decode(value[(comma + 1)...]), !bytes.isEmpty else { return nil }
    return CardBinary(mediaType: fields.count > 1 ? String(fields[0]).lowercased() : "", bytes: bytes)
  }
}
