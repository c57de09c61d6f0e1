import Synchronization

/// The most recently compiled patterns, for patterns that vary by row.
final class PatternCache: Sendable {
  private struct Key: Hashable {
    let pattern: ScalarText
    let options: TextOptions
  }

  private let wildcards = Mutex<[Key: Wildcard]>([:])
  private let patterns = Mutex<[Key: TextPattern?]>([:])
  private static let capacity = 64

  /// The pattern of a LIKE; it has been folded.
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

  /// The pattern of a MATCHES; nil if it is not a regular expression.
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
