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
  private var lines: ChoiceLines
  private var frame = Rect(row: 0, column: 0, rows: 0, columns: 0)
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
    lines = ChoiceLines(count: items.count, selected: chosen)
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
    // What was typed hides the selection until it is gone.
    case .mouse(let mouse): if field.isEmpty, lines.handle(mouse) { finish() }
    default: break
    }
  }

  private func handle(_ key: Key) {
    let typesText = ownText != nil
    switch key.code {
    case .escape: close(self)
    case .enter: finish()
    case .up: lines.move(by: -1)
    case .down: lines.move(by: 1)
    case .character("p") where key.modifiers == .control: lines.move(by: -1)
    case .character("n") where key.modifiers == .control: lines.move(by: 1)
    case .pageUp: lines.move(by: -lines.pageStep)
    case .pageDown: lines.move(by: lines.pageStep)
    case .character("k") where !typesText && key.modifiers.isEmpty: lines.move(by: -1)
    case .character("j") where !typesText && key.modifiers.isEmpty: lines.move(by: 1)
    case .character("q") where !typesText && key.modifiers.isEmpty: close(self)
    case .home where !typesText: lines.select(0)
    case .end where !typesText: lines.select(items.count - 1)
    default: if typesText { _ = field.handle(key) }
    }
  }

  private func finish() {
    close(self)
    if !field.text.isEmpty {
      choose(.own(field.text))
    } else if items.indices.contains(lines.selected) {
      choose(.item(lines.selected))
    }
  }

  func prepare(in rect: Rect) {
    let widest =
      (items + [hint, ownText ?? "", title]).map { TextWidth.columns(of: DisplayText.clean($0)) + 2 }.max() ?? 0
    let columns = min(max(24, widest), rect.columns - 6)
    let above = ownText == nil ? 0 : 2
    let below = hint.isEmpty ? 0 : 2
    let visible = max(1, min(items.count, rect.rows - 4 - above - below))
    frame = Popup.frame(rows: visible + above + below, columns: columns, in: rect)
    lines.settle(in: Popup.room(in: frame).inset(top: above, bottom: below))
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let room = Popup(theme: theme).draw(title: title, on: &canvas, in: frame)
    let row = room.row
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
    }
    for (offset, index) in lines.visible.enumerated() {
      let row = lines.place.row + offset
      let isChosen = index == lines.selected && field.text.isEmpty
      let style = isChosen ? theme.selection : theme.popup
      canvas.fill(Rect(row: row, column: room.column, rows: 1, columns: room.columns), style: style)
      canvas.put(
        (isChosen ? "▸ " : "  ") + items[index], at: Point(row: row, column: room.column), limit: room.columns,
        style: style)
      if isChosen, ownText == nil { canvas.cursor = Point(row: row, column: room.column) }
    }
    if !hint.isEmpty {
      canvas.put(
        hint, at: Point(row: room.endRow - 1, column: room.column), limit: room.columns,
        style: theme.popup.adding(.dim))
    }
  }
}
