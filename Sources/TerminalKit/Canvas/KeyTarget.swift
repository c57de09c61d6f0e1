/// A key drawn on the screen, or the meaning beside it; clicking it types the key.
public struct KeyTarget: Hashable, Sendable {
  /// The cells that can be clicked.
  public let rect: Rect
  /// The label of the key (``KeySequence/label``).
  public let label: String
}

extension Canvas {
  /// Returns the label of the key that a click at a cell types; nil for none.
  public func keyLabel(at position: Point) -> String? { keyTargets.first { $0.rect.contains(position) }?.label }

  /// Removes all keys, which belong to a screen below and cannot be clicked.
  @usableFromInline mutating func removeKeyTargets() { keyTargets = [] }

  /// Removes the keys on a line, which is about to be redrawn.
  mutating func removeKeyTargets(in line: Rect) {
    keyTargets.removeAll { line.contains(Point(row: $0.rect.row, column: $0.rect.column)) }
  }
}
