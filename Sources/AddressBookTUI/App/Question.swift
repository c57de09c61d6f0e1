import TerminalKit

/// A question with a few answers, each with its key. Cancelling gives the last answer, which must be the harmless one.
///
/// One that nobody asked for may come up while somebody types. It takes no letter for an answer, and shows none; the keys
/// that leave a field do not move away from the harmless answer.
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
  /// Whether a key of the person brought it up.
  private let isAskedFor: Bool
  private let theme: Theme
  private let close: @MainActor (any Screen) -> Void
  private var chosen: Int
  /// Where the answers stood when they were last drawn.
  private var answerLines = Rect(row: 0, column: 0, rows: 0, columns: 0)

  /// The last answer is chosen at first, so that Enter alone harms nothing.
  init(
    _ title: String, detail: String, answers: [Answer], isAskedFor: Bool = true, theme: Theme,
    close: @escaping @MainActor (any Screen) -> Void
  ) {
    self.title = title
    self.detail = detail
    self.answers = answers
    self.isAskedFor = isAskedFor
    self.theme = theme
    self.close = close
    chosen = answers.count - 1
  }

  var keyContext: KeyContext { .dialog }

  func perform(_ command: Command) {
    switch command {
    case .dialogCancel: answer(answers.count - 1)
    case .dialogAccept: answer(chosen)
    case .dialogPrevious: chosen = (chosen + answers.count - 1) % answers.count
    case .dialogNext where isAskedFor || chosen + 1 < answers.count: chosen = (chosen + 1) % answers.count
    default: break
    }
  }

  func type(_ key: Key) {
    guard isAskedFor, case .character(let character) = key.code, key.modifiers.isEmpty else { return }
    let typed = character.lowercased()
    if let index = answers.firstIndex(where: { String($0.key) == typed }) { answer(index) }
  }

  func handle(_ event: Event) {
    guard case .mouse(let mouse) = event, mouse.action == .press, mouse.button == 0,
      answerLines.contains(mouse.position), mouse.position.row - answerLines.row < answers.count
    else { return }
    answer(mouse.position.row - answerLines.row)
  }

  private func answer(_ index: Int) {
    close(self)
    answers[index].action()
  }

  private var labels: [String] { answers.map { isAskedFor ? "\($0.key)  \($0.word)" : $0.word } }

  /// The question's lines for a window, as many as leave room for the answers, and the columns that all need.
  private func text(in window: Rect) -> (title: [String], detail: [String], columns: Int) {
    let titles = [DisplayText.clean(title)]
    let details = detail.split(separator: "\n").map { DisplayText.clean(String($0)) }
    let widest = (titles + details + labels).map { TextWidth.columns(of: $0) }.max() ?? 0
    let columns = max(1, min(max(24, widest), window.columns - 6))
    func lines(_ texts: [String], _ room: Int) -> [String] {
      Array(texts.flatMap { TextWidth.wrap($0, columns: columns) }.prefix(max(0, room)))
    }
    // The frame and a blank line.
    let room = window.rows - 3 - answers.count
    let title = lines(titles, room)
    return (title, lines(details, room - title.count), columns)
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
