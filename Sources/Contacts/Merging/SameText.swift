/// Comparisons of texts: by content, and exactly. The standard library's `==` is in between: it treats a composed
/// letter and its parts as equal.
enum SameText {
  /// Returns the text with every kind of line end as LF and without blanks at either end. Texts with equal content
  /// differ only in spelling.
  static func content(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) }
    var scalars = isPlain ? Array(text.unicodeScalars) : withOneLineEnd(text)
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    let start = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.endIndex
    return String(String.UnicodeScalarView(scalars[start...]))
  }

  /// Returns the content, with case folded and each run of blanks collapsed to one.
  static func folded(_ text: String) -> String {
    guard text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      return text.uppercased().lowercased().split { $0.isWhitespace }.joined(separator: " ")
    }
    let hasRuns =
      text.utf8.first == 0x20 || text.utf8.last == 0x20
      || zip(text.utf8, text.utf8.dropFirst()).contains { $0 == 0x20 && $1 == 0x20 }
    return hasRuns ? text.lowercased().split(separator: " ").joined(separator: " ") : text.lowercased()
  }

  static func isSame(_ one: String, _ other: String) -> Bool {
    isExact(one, other) || content(one) == content(other)
  }

  /// Returns whether the texts are identical, scalar by scalar.
  static func isExact(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

  private static func withOneLineEnd(_ text: String) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    var follows: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { follows = scalar }
      switch scalar.value {
      case 0x0A where follows == "\r": continue
      case 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029: scalars.append("\n")
      default: scalars.append(scalar)
      }
    }
    return scalars
  }
}
