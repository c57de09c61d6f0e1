/// Typed or pasted text without control characters.
enum TypedText {
  /// - Parameter lines: whether line ends of any kind become line feeds and tabs are kept; otherwise all become spaces.
  static func clean(_ text: String, lines: Bool) -> String {
    if isClean(text, lines: lines) { return text }
    var result = ""
    var wasReturn = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A where wasReturn: break
      case 0x0A...0x0D, 0x85, 0x2028, 0x2029: result.unicodeScalars.append(lines ? "\n" : " ")
      case 0x09: result.unicodeScalars.append(lines ? "\t" : " ")
      case 0x00..<0x20, 0x7F..<0xA0: break
      default: result.unicodeScalars.append(scalar)
      }
      wasReturn = scalar.value == 0x0D
    }
    return result
  }

  /// Returns true if no byte of the text can be part of anything to remove or replace, which is fast for megabytes of
  /// text.
  private static func isClean(_ text: String, lines: Bool) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 && $0 != 0xE2 || lines && ($0 == 0x0A || $0 == 0x09) }
    } ?? false
  }
}
