/// A line of a list: a sign, a text, and less important text at the right, which takes precedence.
public struct TextRow: Hashable, Sendable {
  /// The text.
  public var text: String
  /// The text at the right.
  public var right: String
  /// True for a mark `●`, which the sign of the selection does not replace.
  public var isMarked: Bool
  /// Attributes of the text, such as bold.
  public var attributes: Style.Attributes

  /// Creates a line.
  public init(_ text: String, right: String = "", isMarked: Bool = false, attributes: Style.Attributes = []) {
    self.text = text
    self.right = right
    self.isMarked = isMarked
    self.attributes = attributes
  }

  /// Draws the line; `▸` shows that it is selected.
  public func draw(isSelected: Bool, on canvas: inout Canvas, in line: Rect, style: WidgetStyle) {
    let base = isSelected ? style.selection : style.text
    canvas.fill(line, style: base)
    let rightColumns = min(TextWidth.columns(of: right), max(0, line.columns - 3))
    let (sign, rest, _) = line.split(left: 2)
    canvas.put(isMarked ? "●" : isSelected ? "▸" : " ", in: sign, style: base)
    let (_, room, end) = rest.split(right: rightColumns == 0 ? 0 : rightColumns + 1)
    canvas.put(text, in: room.inset(right: rightColumns == 0 ? 0 : 2), style: base.adding(attributes))
    canvas.put(right, in: end.inset(right: 1), style: isSelected ? base : style.quiet)
  }
}
