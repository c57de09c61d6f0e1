/// What was typed or pasted, as a field may hold it: without control characters.
enum TypedText {
  /// - Parameter lines: whether the ends of lines, of any kind, become line feeds and tabs stay; else all are blanks.
  static func clean(_ text: String, lines: Bool) -> String {
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
}
