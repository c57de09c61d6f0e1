import TerminalKit

/// A list to choose one thing from, with a field to type another where that is allowed.
@MainActor
final class Chooser: Screen {
  var isOverlay: Bool { true }
  private let title: String
  private let items: [String]
  private let hint: String
  private let theme: Theme
  /// What the field says when it is empty; nil when nothing can be typed.
  private let ownText: String?
  private let close: @MainActor (any Screen) -> Void
  private let choose: @MainActor (Choice) -> Void
  private var chosen: Int
  private var top = 0
  private var field = TextField("")

  /// What was chosen.
  enum Choice {
    case item(Int)
    case own(String)
  }

  init(
    title: String, items: [String], chosen: Int = 0, ownText: String? = nil, hint: String = "", theme: Theme,
    close: @escaping @MainActor (any Screen) -> Void, choose: @escaping @MainActor (Choice) -> Void
  ) {
    self.title = title
    self.items = items
    self.chosen = min(max(0, chosen), max(0, items.count - 1))
    self.ownText = ownText
    self.hint = hint
    self.theme = theme
    self.close = close
    self.choose = choose
  }

  func handle(_ event: Event) {
    switch event {
    case .key(let key): handle(key)
    case .paste(let text): if ownText != nil { field.insert(text) }
    default: break
    }
  }

  private func handle(_ key: Key) {
    let typesText = ownText != nil
    switch key.code {
    case .escape: close(self)
    case .enter: finish()
    case .up: move(by: -1)
    case .down: move(by: 1)
    case .character("p") where key.modifiers == .control: move(by: -1)
    case .character("n") where key.modifiers == .control: move(by: 1)
    case .pageUp: move(by: -8)
    case .pageDown: move(by: 8)
    case .character("k") where !typesText && key.modifiers.isEmpty: move(by: -1)
    case .character("j") where !typesText && key.modifiers.isEmpty: move(by: 1)
    case .character("q") where !typesText && key.modifiers.isEmpty: close(self)
    case .home where !typesText: chosen = 0
    case .end where !typesText: chosen = max(0, items.count - 1)
    default: if typesText { _ = field.handle(key) }
    }
  }

  private func move(by offset: Int) {
    chosen = min(max(0, chosen + offset), max(0, items.count - 1))
  }

  private func finish() {
    close(self)
    if !field.text.isEmpty {
      choose(.own(field.text))
    } else if items.indices.contains(chosen) {
      choose(.item(chosen))
    }
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let widest =
      (items + [hint, ownText ?? "", title]).map { TextWidth.columns(of: DisplayText.clean($0)) + 2 }.max() ?? 0
    let columns = min(max(24, widest), rect.columns - 6)
    let fixed = (ownText == nil ? 0 : 2) + (hint.isEmpty ? 0 : 2)
    let visible = max(1, min(items.count, rect.rows - 4 - fixed))
    let room = Popup(theme: theme).draw(
      title: title, on: &canvas, in: Popup.frame(rows: visible + fixed, columns: columns, in: rect))
    if chosen < top { top = chosen }
    if chosen >= top + visible { top = chosen - visible + 1 }
    var row = room.row
    if let ownText {
      let line = Rect(row: row, column: room.column, rows: 1, columns: room.columns)
      canvas.fill(line, style: theme.focusedField)
      if field.text.isEmpty {
        canvas.put(
          ownText, at: Point(row: row, column: room.column), limit: room.columns, style: theme.focusedField.adding(.dim)
        )
      }
      field.draw(on: &canvas, in: line, style: theme.focusedField, focused: true)
      if field.text.isEmpty {
        canvas.put(
          ownText, at: Point(row: row, column: room.column), limit: room.columns, style: theme.focusedField.adding(.dim)
        )
      }
      row += 2
    }
    for index in top..<min(items.count, top + visible) where row < room.endRow {
      let isChosen = index == chosen && field.text.isEmpty
      let style = isChosen ? theme.selection : theme.popup
      canvas.fill(Rect(row: row, column: room.column, rows: 1, columns: room.columns), style: style)
      canvas.put(
        (isChosen ? "▸ " : "  ") + items[index], at: Point(row: row, column: room.column), limit: room.columns,
        style: style)
      if isChosen, ownText == nil { canvas.cursor = Point(row: row, column: room.column) }
      row += 1
    }
    if !hint.isEmpty {
      canvas.put(
        hint, at: Point(row: room.endRow - 1, column: room.column), limit: room.columns,
        style: theme.popup.adding(.dim))
    }
  }
}
