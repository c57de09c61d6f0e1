import Foundation
import Synchronization

/// An ICU regular expression that must match a whole string.
struct TextPattern: Sendable {
  private let expression: NSRegularExpression

  /// Nil if the pattern is not a regular expression.
  init?(_ pattern: String, options: TextOptions = []) {
    let folded = TextFolding.fold(pattern, options.intersection(.diacriticInsensitive))
    let flags: NSRegularExpression.Options = options.contains(.caseInsensitive) ? .caseInsensitive : []
    // First compile it on its own: `a)(b` is only valid inside the parentheses that are added below.
    guard (try? NSRegularExpression(pattern: folded, options: flags)) != nil,
      let expression = try? NSRegularExpression(pattern: "(?:\(folded))\\z", options: flags)
    else { return nil }
    self.expression = expression
  }

  /// Returns whether the whole string matches; the caller has folded it for `[d]`.
  func matches(_ text: String) -> Bool {
    let whole = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, options: .anchored, range: whole) != nil
  }
}

/// A cache of compiled patterns; the pattern may differ in each row.
final class PatternCache: Sendable {
  private struct Key: Hashable {
    let pattern: ScalarText
    let options: TextOptions
  }

  private let wildcards = Mutex<[Key: Wildcard]>([:])
  private let patterns = Mutex<[Key: TextPattern?]>([:])
  private static let capacity = 64

  /// Returns the compiled pattern of a LIKE, which the caller has folded.
  func wildcard(_ pattern: String) -> Wildcard {
    wildcards.withLock { cache in
      let key = Key(pattern: ScalarText(pattern), options: [])
      if let known = cache[key] { return known }
      if cache.count >= Self.capacity { cache = [:] }
      let wildcard = Wildcard(pattern)
      cache[key] = wildcard
      return wildcard
    }
  }

  /// Returns the compiled pattern of a MATCHES; nil if it is not a regular expression.
  func pattern(_ pattern: String, _ options: TextOptions) -> TextPattern? {
    patterns.withLock { cache in
      let key = Key(pattern: ScalarText(pattern), options: options)
      if let known = cache[key] { return known }
      if cache.count >= Self.capacity { cache = [:] }
      let compiled = TextPattern(pattern, options: options)
      cache[key] = .some(compiled)
      return compiled
    }
  }
}
