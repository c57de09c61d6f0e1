import Foundation

/// An ICU regular expression that has to match a whole string.
struct TextPattern: Sendable {
  private let expression: NSRegularExpression

  /// Nil if the pattern is not a regular expression.
  init?(_ pattern: String, options: TextOptions = []) {
    let folded = TextFolding.fold(pattern, options.intersection(.diacriticInsensitive))
    let flags: NSRegularExpression.Options = options.contains(.caseInsensitive) ? .caseInsensitive : []
    // First compile it on its own: `a)(b` is only valid inside the brackets that are added below.
    guard (try? NSRegularExpression(pattern: folded, options: flags)) != nil,
      let expression = try? NSRegularExpression(pattern: "(?:\(folded))\\z", options: flags)
    else { return nil }
    self.expression = expression
  }

  /// Whether the whole string matches; the caller has folded it for `[d]`.
  func matches(_ text: String) -> Bool {
    let whole = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, options: .anchored, range: whole) != nil
  }
}
