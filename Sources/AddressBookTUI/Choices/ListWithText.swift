import TerminalKit

/// A list, and below it a text about the selected line.
struct ListWithText {
  typealias Line = (text: String, style: Style)

  var selection = ListSelection(count: 0)
  private var textRect = Rect(row: 0, column: 0, rows: 0, columns: 0)

  /// The list has at most half of the rectangle; the text has the rest.
  mutating func layOut(in rect: Rect) {
    let rows = min(selection.count, max(1, (rect.rows - 1) / 2))
    selection.layOut(in: rect.inset(bottom: rect.rows - rows))
    textRect = rect.inset(top: rows + 1)
  }

  /// The width of the text.
  var columns: Int { max(1, textRect.columns - 4) }

  /// Draws the text, wrapped; the last line says that there is more.
  func draw(_ lines: [Line], on canvas: inout Canvas, quiet: Style) {
    var wrapped = lines.flatMap { line in
      TextWidth.wrap(DisplayText.clean(line.text), columns: columns).map { (text: $0, style: line.style) }
    }
    if wrapped.count > textRect.rows {
      wrapped = wrapped.prefix(max(0, textRect.rows - 1)) + [(TextWidth.ellipsis, quiet)]
    }
    for (index, line) in wrapped.prefix(textRect.rows).enumerated() {
      canvas.put(line.text, in: textRect.line(index).inset(left: 2, right: 2), style: line.style)
    }
  }
}
