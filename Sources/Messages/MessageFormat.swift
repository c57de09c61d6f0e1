/// Fills `%@`, `%d`, `%1$@`, `%2$d` and `%%`. Unlike `printf` it cannot read past its arguments.
package enum MessageFormat {
  /// Returns the pattern with its placeholders replaced; a placeholder without an argument stays as it is.
  package static func fill(_ pattern: String, with arguments: [String]) -> String {
    guard pattern.utf8.contains(percent) else { return pattern }
    var result = ""
    var next = 0
    forEachPiece(of: pattern) { text, placeholder in
      guard let placeholder else { return result += String(text) }
      let index = placeholder.position.map { $0 - 1 } ?? next
      if placeholder.position == nil { next += 1 }
      result += arguments.indices.contains(index) ? arguments[index] : String(text)
    }
    return result
  }

  private struct Placeholder {
    /// From 1; nil for the next one.
    var position: Int?
  }

  private static let percent = UInt8(ascii: "%")

  /// Calls `body` with each text between placeholders, and with each placeholder.
  private static func forEachPiece(of pattern: String, _ body: (Substring, Placeholder?) -> Void) {
    let bytes = pattern.utf8
    func isKind(_ index: String.Index) -> Bool {
      index < bytes.endIndex && (bytes[index] == UInt8(ascii: "@") || bytes[index] == UInt8(ascii: "d"))
    }
    var start = bytes.startIndex
    while let sign = bytes[start...].firstIndex(of: percent) {
      if start < sign { body(pattern[start..<sign], nil) }
      let first = bytes.index(after: sign)
      let end = bytes[first...].firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? bytes.endIndex
      if first < end, end < bytes.endIndex, bytes[end] == UInt8(ascii: "$"), isKind(bytes.index(after: end)) {
        start = bytes.index(end, offsetBy: 2)
        body(pattern[sign..<start], Placeholder(position: Int(pattern[first..<end])))
      } else if isKind(first) {
        start = bytes.index(after: first)
        body(pattern[sign..<start], Placeholder(position: nil))
      } else {
        start = first < bytes.endIndex && bytes[first] == percent ? bytes.index(after: first) : first
        body("%", nil)
      }
    }
    if start < bytes.endIndex { body(pattern[start...], nil) }
  }
}
