import Foundation
import TerminalKit

/// The details of a file, in a popup over the list.
final class DetailScreen: Screen {
  let isOverlay = true
  let keyContext = KeyContext.details
  private let file: File
  private let lines: [(label: String, value: String)]

  init(_ file: File) {
    self.file = file
    lines = [
      ("size", "\(file.size) bytes"),
      ("modified", file.modified.map { $0.formatted(.iso8601) } ?? "unknown"),
      ("mode", String(file.permissions, radix: 8)),
    ]
  }

  func perform(_ command: Command, in context: ScreenContext<Command, KeyContext>) {
    if command == .close { context.pop(self) }
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let columns = max(40, TextWidth.columns(of: file.name) + 2)
    let frame = Popup.frame(rows: lines.count, columns: min(columns, rect.columns - 4), in: rect)
    let room = Popup(style: style).draw(title: file.name, on: &canvas, in: frame)
    for (index, line) in lines.enumerated() {
      let (label, value, _) = room.line(index).split(left: 10)
      canvas.put(line.label, in: label, style: style.quiet)
      canvas.put(line.value, in: value, style: style.popup)
    }
  }
}
