import Foundation

/// A regular expression, ICU's, for a whole text.
struct TextPattern: Sendable {
  private let expression: NSRegularExpression

  /// Nil if the pattern is not a regular expression.
  init?(_ pattern: String, options: TextOptions = []) {
    let folded = TextFolding.fold(pattern, options.intersection(.diacriticInsensitive))
    let flags: NSRegularExpression.Options = options.contains(.caseInsensitive) ? .caseInsensitive : []
    // Alone first: `a)(b` is a pattern only in other brackets.
    guard (try? NSRegularExpression(pattern: folded, options: flags)) != nil,
      let expression = try? NSRegularExpression(pattern: "(?:\(folded))\\z", options: flags)
    else { return nil }
    self.expression = expression
  }

  /// Whether the whole text matches; it has been folded by `[d]` where that counts.
  func matches(_ text: String) -> Bool {
    let whole = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, options: .anchored, range: whole) != nil
  }
}
