/// Backslash escapes in values (RFC 2426, 4; RFC 6350, 3.4).
enum Escapes {
  /// Decodes an escaped value.
  ///
  /// `\n` and `\N` are a line end; a backslash before comma, semicolon or backslash is removed, and before colon and
  /// quotation mark, which some programs escape too; before anything else, and at the end, it is kept, because programs
  /// that never escape write paths and the like.
  static func decode(_ text: ArraySlice<UInt8>) -> String {
    guard text.contains(where: { $0 == Byte.backslash || $0 == Byte.carriageReturn }) else { return string(text) }
    guard let first = text.firstIndex(of: Byte.backslash) else { return lineEndsJoined(text) }
    var result = Array(text[..<first])
    result.reserveCapacity(text.count)
    var position = first
    while position < text.endIndex {
      let byte = text[position]
      position += 1
      guard byte == Byte.backslash, position < text.endIndex else {
        result.append(byte)
        continue
      }
      switch text[position] {
      case Byte.smallN, Byte.capitalN: result.append(Byte.lineFeed)
      case let next where isEscaped(next): result.append(next)
      default:
        result.append(byte)
        continue
      }
      position += 1
    }
    return lineEndsJoined(result[...])
  }

  /// Returns whether a backslash before this character is an escape.
  static func isEscaped(_ byte: UInt8) -> Bool {
    byte == Byte.comma || byte == Byte.semicolon || byte == Byte.colon || byte == Byte.backslash || byte == Byte.quote
  }

  /// Returns the text with LF in place of every CR LF and lone CR, which decoded quoted-printable may contain.
  private static func lineEndsJoined(_ text: ArraySlice<UInt8>) -> String {
    guard text.contains(Byte.carriageReturn) else { return string(text) }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var afterReturn = false
    for byte in text {
      if byte == Byte.carriageReturn {
        result.append(Byte.lineFeed)
      } else if !(byte == Byte.lineFeed && afterReturn) {
        result.append(byte)
      }
      afterReturn = byte == Byte.carriageReturn
    }
    return string(result[...])
  }

  static func string(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// Splits an escaped value at the separators that are not escaped; the parts are still escaped.
  static func split(_ text: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    forEachPart(of: text, at: separator) { parts.append($0) }
    return parts
  }

  /// Returns the decoded parts of ``split(_:at:)``.
  static func decodedParts(of text: ArraySlice<UInt8>, at separator: UInt8) -> [String] {
    var parts: [String] = []
    forEachPart(of: text, at: separator) { parts.append(decode($0)) }
    return parts
  }

  @inline(__always)
  private static func forEachPart(
    of text: ArraySlice<UInt8>, at separator: UInt8, _ body: (ArraySlice<UInt8>) -> Void
  ) {
    var start = text.startIndex
    var position = start
    while position < text.endIndex {
      let byte = text[position]
      if byte == Byte.backslash {
        position += 2
        continue
      }
      if byte == separator {
        body(text[start..<position])
        start = position + 1
      }
      position += 1
    }
    body(text[start...])
  }

  /// Appends text with the escapes of 3.0 and 4.0.
  ///
  /// Line separators that some programs split at (U+0085, U+2028, U+2029, VT, FF) become `\n`; FS to US and
  /// NUL are removed. So none of them is ever written to a file unescaped.
  static func encode(_ text: String, into result: inout [UInt8]) {
    for byte in LineSeparators.unified(text).utf8 {
      switch byte {
      case Byte.lineFeed: result += [Byte.backslash, Byte.smallN]
      case Byte.backslash, Byte.comma, Byte.semicolon: result += [Byte.backslash, byte]
      default: result.append(byte)
      }
    }
  }
}
