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
