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
    guard case .key(let key) = event else { return }
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

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let labels = answers.map { "\($0.key)  \($0.word)" }
    let widest = ([title, detail] + labels).map { TextWidth.columns(of: DisplayText.clean($0)) }.max() ?? 0
    let columns = min(max(24, widest), rect.columns - 6)
    let wrappedTitle = TextWidth.wrap(DisplayText.clean(title), columns: max(1, columns))
    let wrappedDetail = detail.isEmpty ? [] : TextWidth.wrap(DisplayText.clean(detail), columns: max(1, columns))
    let rows = wrappedTitle.count + wrappedDetail.count + 1 + labels.count
    let room = Popup(theme: theme).draw(title: "", on: &canvas, in: Popup.frame(rows: rows, columns: columns, in: rect))
    var row = room.row
    func put(_ text: String, _ style: Style) {
      guard row < room.endRow else { return }
      canvas.put(text, at: Point(row: row, column: room.column), limit: room.columns, style: style)
      row += 1
    }
    for line in wrappedTitle { put(line, theme.popup.adding(.bold)) }
    for line in wrappedDetail { put(line, theme.popup) }
    row += 1
    for (index, label) in labels.enumerated() {
      guard row < room.endRow else { break }
      let isChosen = index == chosen
      if isChosen {
        canvas.fill(Rect(row: row, column: room.column, rows: 1, columns: room.columns), style: theme.selection)
        canvas.cursor = Point(row: row, column: room.column)
      }
      put(label, isChosen ? theme.selection : theme.popup)
    }
  }
}
