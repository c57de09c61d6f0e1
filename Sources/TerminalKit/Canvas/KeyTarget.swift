/// A key that is drawn on the screen, with its meaning beside it: clicking there types it.
public struct KeyTarget: Hashable, Sendable {
  /// The cells.
  public let rect: Rect
  /// The key for display (``KeySequence/label``).
  public let key: String
}

extension Canvas {
  /// The key that a click at a cell types; nil for none.
  public func key(at position: Point) -> String? { keyTargets.first { $0.rect.contains(position) }?.key }

  /// Removes all keys that can be clicked: they belong to a screen below.
  @usableFromInline mutating func removeKeyTargets() { keyTargets = [] }

  /// Removes the keys on a line, because it is drawn again.
  mutating func removeKeyTargets(in line: Rect) {
    keyTargets.removeAll { line.contains(Point(row: $0.rect.row, column: $0.rect.column)) }
  }
}
