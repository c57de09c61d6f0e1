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

/// The pattern of LIKE: `*` is any number of scalars, `?` is one, and a backslash escapes the next scalar.
struct Wildcard: Hashable, Sendable {
  private enum Element: Hashable, Sendable {
    case any
    case one
    case plain(Unicode.Scalar)
  }

  private let elements: [Element]

  init(_ pattern: String) {
    var elements: [Element] = []
    var scalars = pattern.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "*": if elements.last != .any { elements.append(.any) }
      case "?": elements.append(.one)
      case "\\": elements.append(.plain(scalars.next() ?? scalar))
      default: elements.append(.plain(scalar))
      }
    }
    self.elements = elements
  }

  /// Returns whether the whole string matches. Only the last `*` is retried, so the time is at most proportional to the
  /// product of both lengths.
  func matches(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    var position = scalars.startIndex
    var element = 0
    var retry: (element: Int, position: String.UnicodeScalarView.Index)?
    while position < scalars.endIndex {
      if element < elements.count {
        switch elements[element] {
        case .any:
          retry = (element, position)
          element += 1
          continue
        case .one:
          element += 1
          position = scalars.index(after: position)
          continue
        case .plain(let scalar) where scalar == scalars[position]:
          element += 1
          position = scalars.index(after: position)
          continue
        case .plain: break
        }
      }
      guard let last = retry else { return false }
      position = scalars.index(after: last.position)
      retry = (last.element, position)
      element = last.element + 1
    }
    return elements[element...].allSatisfy { $0 == .any }
  }
}
