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
