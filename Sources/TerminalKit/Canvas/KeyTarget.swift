/// A key drawn on the screen, or the meaning beside it; clicking it types the key.
public struct KeyTarget: Hashable, Sendable {
  /// The cells that can be clicked.
  public let rect: Rect
  /// The key for display (``KeySequence/label``).
  public let key: String
}

extension Canvas {
  /// The key that a click at a cell types; nil for none.
  public func key(at position: Point) -> String? { keyTargets.first { $0.rect.contains(position) }?.key }

  /// Removes all keys, which belong to a screen below and cannot be clicked.
  @usableFromInline mutating func removeKeyTargets() { keyTargets = [] }

  /// Removes the keys on a line, which is about to be redrawn.
  mutating func removeKeyTargets(in line: Rect) {
    keyTargets.removeAll { line.contains(Point(row: $0.rect.row, column: $0.rect.column)) }
  }
}
