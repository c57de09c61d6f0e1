import Foundation
import TerminalKit

/// The details of a file, in a popup over the list.
final class DetailScreen: Screen {
  var isOverlay: Bool { true }
  var keyContext: KeyContext { .details }
  private let file: File
  private let lines: [(label: String, value: String)]
  private let style: WidgetStyle
  private let close: (DetailScreen) -> Void

  init(_ file: File, style: WidgetStyle, close: @escaping (DetailScreen) -> Void) {
    self.file = file
    self.style = style
    self.close = close
    lines = [
      ("size", "\(file.size) bytes"),
      ("modified", file.modified.map { $0.formatted(.iso8601) } ?? "unknown"),
      ("mode", String(file.permissions, radix: 8)),
    ]
  }

  func perform(_ command: Command) {
    if command.role == .cancel { close(self) }
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let columns = max(40, TextWidth.columns(of: file.name) + 2)
    let frame = Popup.frame(rows: lines.count, columns: min(columns, rect.columns - 4), in: rect)
    let room = Popup(style: style).draw(title: file.name, on: &canvas, in: frame)
    for (index, line) in lines.enumerated() where index < room.rows {
      let row = room.row + index
      canvas.put(line.label, at: Point(row: row, column: room.column), limit: 10, style: style.quiet)
      canvas.put(
        line.value, at: Point(row: row, column: room.column + 10), limit: max(0, room.columns - 10), style: style.popup)
    }
  }
}
