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

/// The bytes with a meaning in vCards.
enum Byte {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let escape: UInt8 = 0x1B
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let comma: UInt8 = 0x2C
  static let hyphen: UInt8 = 0x2D
  static let dot: UInt8 = 0x2E
  static let colon: UInt8 = 0x3A
  static let semicolon: UInt8 = 0x3B
  static let equals: UInt8 = 0x3D
  static let backslash: UInt8 = 0x5C
  static let underscore: UInt8 = 0x5F
  static let smallN: UInt8 = 0x6E
  static let capitalN: UInt8 = 0x4E
  /// The byte order mark in UTF-8.
  static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  static func isSpace(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  /// Returns true for a letter, a digit, `-` or `_` (RFC 6350, 3.3, and what some programs write).
  static func isGroupByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      hyphen, underscore:
      true
    default: false
    }
  }

  /// Returns the upper case of an ASCII letter, and any other byte unchanged.
  static func upper(_ byte: UInt8) -> UInt8 { byte >= 0x61 && byte <= 0x7A ? byte & 0xDF : byte }

  static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: return byte - 0x30
    case 0x41...0x46: return byte - 0x37
    case 0x61...0x66: return byte - 0x57
    default: return nil
    }
  }

  /// Returns true if both are the same text, ignoring the case of ASCII letters.
  static func equal(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ name: StaticString) -> Bool {
    guard count == name.utf8CodeUnitCount else { return false }
    let other = name.utf8Start
    for index in 0..<count where upper(bytes[index]) != upper(other[index]) { return false }
    return true
  }
}

/// Characters that end a line for some programs, though not for vCard.
///
/// Python's `str.splitlines()`, which vdirsyncer uses, splits at them: text in a note could become a property.
enum LineSeparators {
  /// Returns UTF-8 text with LF in place of CR LF, CR, VT, FF, U+0085, U+2028 and U+2029, and without FS, GS, RS, US and
  /// NUL. Text without a byte that these can begin with is returned as it is, even if it is not valid UTF-8.
  static func unified(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard text.contains(where: { $0 < 0x20 && $0 != Byte.lineFeed && $0 != Byte.tab || $0 == 0xC2 || $0 == 0xE2 })
    else { return text }
    return Array(unified(Escapes.string(text)).utf8)[...]
  }

  /// Returns the text with LF in place of CR LF, CR, VT, FF, U+0085, U+2028 and U+2029, and without FS, GS, RS, US and
  /// NUL.
  static func unified(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 && $0 != Byte.lineFeed && $0 != Byte.tab || $0 == 0xC2 || $0 == 0xE2 })
    else { return text }
    var result = String.UnicodeScalarView()
    var afterReturn = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0D, 0x0B, 0x0C, 0x85, 0x2028, 0x2029: result.append("\n")
      case 0x0A: if !afterReturn { result.append("\n") }
      case 0x00, 0x1C...0x1F: break
      default: result.append(scalar)
      }
      afterReturn = scalar.value == 0x0D
    }
    return String(result)
  }
}
