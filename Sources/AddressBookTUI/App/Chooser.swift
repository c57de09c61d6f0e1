import TerminalKit

/// A list to choose one thing from. Typing filters it; where that is allowed, what was typed can be chosen too.
@MainActor
final class Chooser: Screen {
  var isOverlay: Bool { true }
  var keyContext: KeyContext { .chooser }
  private let title: String
  private let items: [String]
  /// What can be chosen now.
  private var choices: [Choice]
  private let hint: String
  private let strings: Strings
  private let theme: Theme
  /// What the field says when it is empty and more than the items can be chosen; nil when only these can.
  private let ownText: String?
  private let close: @MainActor (any Screen) -> Void
  private let choose: @MainActor (Choice) -> Void
  private var lines: ChoiceLines
  private var frame = Rect(row: 0, column: 0, rows: 0, columns: 0)
  private var field = TextField("")

  /// What was chosen.
  enum Choice: Equatable {
    /// One of the items, by its index.
    case item(Int)
    /// What was typed.
    case own(String)
  }

  init(
    title: String, items: [String], chosen: Int = 0, ownText: String? = nil, hint: String = "", strings: Strings,
    theme: Theme, close: @escaping @MainActor (any Screen) -> Void, choose: @escaping @MainActor (Choice) -> Void
  ) {
    self.title = title
    self.items = items
    choices = items.indices.map(Choice.item)
    lines = ChoiceLines(count: items.count, selected: chosen)
    self.ownText = ownText
    self.hint = hint
    self.strings = strings
    self.theme = theme
    self.close = close
    self.choose = choose
  }

  // MARK: Events

  func perform(_ command: Command) {
    switch command {
    case .chooserOpen: finish()
    case .chooserCancel where field.isEmpty: close(self)
    case .chooserCancel: edit { $0 = TextField("") }
    default: lines.perform(command)
    }
  }

  func type(_ key: Key) { edit { _ = $0.handle(key) } }

  func handle(_ event: Event) {
    switch event {
    case .paste(let text): edit { $0.insert(text) }
    case .mouse(let mouse):
      if mouse.action == .press, fieldRect.contains(mouse.position) {
        field.moveCursor(toColumn: mouse.position.column - fieldRect.column, columns: fieldRect.columns)
      } else if lines.handle(mouse) {
        finish()
      }
    default: break
    }
  }

  private func edit(_ change: (inout TextField) -> Void) {
    let before = field.text
    change(&field)
    if field.text != before { applyFilter() }
  }

  private func applyFilter() {
    let filter = ChoiceFilter(field.text)
    choices = items.indices.filter { filter.matches(items[$0]) }.map(Choice.item)
    if ownText != nil, !field.isEmpty, !items.contains(field.text) { choices.append(.own(field.text)) }
    lines.rewind()
    lines.count = choices.count
    lines.select(filter.best(of: choices.map(text(of:))))
  }

  private func finish() {
    guard choices.indices.contains(lines.selected) else { return }
    close(self)
    choose(choices[lines.selected])
  }

  private func text(of choice: Choice) -> String {
    switch choice {
    case .item(let index): items[index]
    case .own(let text): strings("chooser.own", text)
    }
  }

  // MARK: Drawing

  /// Where the field stands: the first line inside the frame.
  private var fieldRect: Rect { Popup.room(in: frame).line(0) }

  private var placeholder: String { ownText ?? strings("chooser.typeToFilter") }

  func prepare(in rect: Rect) {
    let texts = items + [hint, placeholder, title]
    let widest = texts.map { TextWidth.columns(of: DisplayText.clean($0)) + 2 }.max() ?? 0
    let columns = min(max(24, widest), rect.columns - 6)
    let below = hint.isEmpty ? 0 : 2
    // The frame does not change its height while one types.
    let most = max(1, items.count + (ownText == nil ? 0 : 1))
    let visible = max(1, min(most, rect.rows - 6 - below))
    frame = Popup.frame(rows: visible + 2 + below, columns: columns, in: rect)
    lines.fit(in: Popup.room(in: frame).inset(top: 2, bottom: below))
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let room = Popup(theme: theme).draw(title: title, on: &canvas, in: frame)
    field.draw(on: &canvas, in: fieldRect, style: theme.focusedField, focused: true)
    if field.isEmpty {
      canvas.put(
        placeholder, at: Point(row: room.row, column: room.column), limit: room.columns,
        style: theme.focusedField.adding(.dim))
    }
    for (offset, index) in lines.visible.enumerated() {
      let line = lines.place.line(offset)
      let isChosen = index == lines.selected
      let style = isChosen ? theme.selection : theme.popup
      canvas.fill(line, style: style)
      canvas.put(
        (isChosen ? "▸ " : "  ") + text(of: choices[index]), at: Point(row: line.row, column: line.column),
        limit: line.columns, style: style)
    }
    if choices.isEmpty {
      canvas.put(
        strings("chooser.noMatch", field.text), at: Point(row: lines.place.row, column: room.column),
        limit: room.columns,
        style: theme.popup.adding(.dim))
    }
    if !hint.isEmpty {
      canvas.put(
        hint, at: Point(row: room.endRow - 1, column: room.column), limit: room.columns,
        style: theme.popup.adding(.dim))
    }
  }
}

/// Which lines of a list hold what was typed, in any case.
struct ChoiceFilter {
  /// In small letters.
  private let wanted: String

  init(_ text: String) { wanted = text.lowercased() }

  func matches(_ text: String) -> Bool { wanted.isEmpty || text.lowercased().contains(wanted) }

  /// Index of the line that is meant most likely: the one that was typed in full, else one that begins so, else the first.
  func best(of texts: [String]) -> Int {
    let texts = texts.map { $0.lowercased() }
    return texts.firstIndex(of: wanted) ?? texts.firstIndex { $0.hasPrefix(wanted) } ?? 0
  }
}
