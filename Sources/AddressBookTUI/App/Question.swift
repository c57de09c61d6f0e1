import TerminalKit

/// A question with a few answers, each with its key. Esc gives the last answer, which must be the harmless one.
@MainActor
final class Question: Screen {
  /// One answer.
  struct Answer {
    /// The letter that gives it.
    var key: Character
    /// What it does, in the person's language.
    var word: String
    /// What happens.
    var action: @MainActor () -> Void
  }

  var isOverlay: Bool { true }
  private let title: String
  private let detail: String
  private let answers: [Answer]
  private let theme: Theme
  private let close: @MainActor (any Screen) -> Void
  private var chosen: Int
  /// Where the answers stood when they were last drawn.
  private var answerLines = Rect(row: 0, column: 0, rows: 0, columns: 0)

  /// The last answer is chosen at first, so that Enter alone harms nothing.
  init(
    _ title: String, detail: String, answers: [Answer], theme: Theme, close: @escaping @MainActor (any Screen) -> Void
  ) {
    self.title = title
    self.detail = detail
    self.answers = answers
    self.theme = theme
    self.close = close
    chosen = answers.count - 1
  }

  func handle(_ event: Event) {
    switch event {
    case .key(let key): handle(key)
    case .mouse(let mouse):
      guard mouse.action == .press, mouse.button == 0, answerLines.contains(mouse.position) else { return }
      answer(mouse.position.row - answerLines.row)
    default: break
    }
  }

  private func handle(_ key: Key) {
    switch key.code {
    case .escape: answer(answers.count - 1)
    case .enter: answer(chosen)
    case .left, .up, .backTab: chosen = (chosen + answers.count - 1) % answers.count
    case .right, .down, .tab: chosen = (chosen + 1) % answers.count
    case .character(let character) where key.modifiers.isEmpty:
      let typed = character.lowercased()
      if let index = answers.firstIndex(where: { String($0.key) == typed }) { answer(index) }
    default: break
    }
  }

  private func answer(_ index: Int) {
    close(self)
    answers[index].action()
  }

  private var labels: [String] { answers.map { "\($0.key)  \($0.word)" } }

  /// The question's lines for a window of that width, and the columns that they and the answers need.
  private func text(in window: Rect) -> (title: [String], detail: [String], columns: Int) {
    let widest = ([title, detail] + labels).map { TextWidth.columns(of: DisplayText.clean($0)) }.max() ?? 0
    let columns = min(max(24, widest), window.columns - 6)
    return (
      TextWidth.wrap(DisplayText.clean(title), columns: max(1, columns)),
      detail.isEmpty ? [] : TextWidth.wrap(DisplayText.clean(detail), columns: max(1, columns)), columns
    )
  }

  private func frame(in window: Rect) -> Rect {
    let text = text(in: window)
    return Popup.frame(
      rows: text.title.count + text.detail.count + 1 + answers.count, columns: text.columns, in: window)
  }

  func prepare(in rect: Rect) {
    let text = text(in: rect)
    answerLines = Popup.room(in: frame(in: rect)).inset(top: text.title.count + text.detail.count + 1)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let text = text(in: rect)
    let room = Popup(theme: theme).draw(title: "", on: &canvas, in: frame(in: rect))
    for (index, line) in (text.title + text.detail).prefix(room.rows).enumerated() {
      canvas.put(
        line, at: Point(row: room.row + index, column: room.column), limit: room.columns,
        style: index < text.title.count ? theme.popup.adding(.bold) : theme.popup)
    }
    for (index, label) in labels.prefix(answerLines.rows).enumerated() {
      let line = answerLines.line(index)
      let isChosen = index == chosen
      if isChosen {
        canvas.fill(line, style: theme.selection)
        canvas.cursor = Point(row: line.row, column: line.column)
      }
      canvas.put(
        label, at: Point(row: line.row, column: line.column), limit: line.columns,
        style: isChosen ? theme.selection : theme.popup)
    }
  }
}
