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
