/// A popup question with a few answers.
@MainActor
public final class DialogScreen<Command: Hashable & Sendable, Context: Hashable & Sendable>: Screen {
  /// An answer and its action.
  public struct Answer {
    fileprivate let label: DialogState.Answer
    fileprivate let action: @MainActor () -> Void

    /// Creates an answer with its letter, its text and its action.
    public init(key: Character, word: String, action: @escaping @MainActor () -> Void) {
      label = DialogState.Answer(key: key, word: word)
      self.action = action
    }
  }

  /// The context of its keys.
  public let keyContext: Context
  private var state: DialogState
  private let actions: [@MainActor () -> Void]
  private let style: WidgetStyle

  /// Creates a dialog; the last answer is the safe one.
  /// - Parameters:
  ///   - title: the question.
  ///   - detail: lines below it; empty for none.
  ///   - answers: at least one. Canceling gives the last one.
  ///   - isRequested: whether the user opened it with a key; see ``DialogState``.
  ///   - context: the context of its keys.
  ///   - style: its style.
  public init(
    _ title: String, detail: String = "", answers: [Answer], isRequested: Bool = true, context: Context,
    style: WidgetStyle
  ) {
    state = DialogState(title, detail: detail, answers: answers.map(\.label), isRequested: isRequested)
    actions = answers.map(\.action)
    keyContext = context
    self.style = style
  }

  /// True: the screen below remains visible around it.
  public var isOverlay: Bool { true }

  /// True for the letters of the answers, and for all text in a dialog that appeared while the user was typing.
  public func claims(_ key: Key) -> Bool { state.claims(key) }

  /// Answers, selects another answer, or scrolls a long detail.
  public func perform(_ command: Command, in context: ScreenContext<Command, Context>) {
    switch context.keys.role(of: command) {
    case .cancel: answer(state.safeAnswer, in: context)
    case .accept: answer(state.selected, in: context)
    case .move(let movement): state.move(movement)
    default: break
    }
  }

  /// Accepts the letter of an answer.
  public func type(_ key: Key, in context: ScreenContext<Command, Context>) {
    if let index = state.answer(to: key) { answer(index, in: context) }
  }

  /// Accepts a click on an answer; the wheel scrolls a long detail.
  public func handle(_ event: Event, in context: ScreenContext<Command, Context>) {
    guard case .mouse(let mouse) = event else { return }
    switch mouse.action {
    case .wheelUp: state.scroll(by: -1)
    case .wheelDown: state.scroll(by: 1)
    default: if let index = state.answer(to: mouse) { answer(index, in: context) }
    }
  }

  private func answer(_ index: Int, in context: ScreenContext<Command, Context>) {
    context.pop(self)
    actions[index]()
  }

  /// Lays out the popup.
  public func prepare(in rect: Rect) { state.layOut(in: rect) }

  /// Draws the dialog.
  public func draw(on canvas: inout Canvas, in rect: Rect) { state.draw(on: &canvas, style: style) }

  /// The keys that select an answer and give the selected or the safe one.
  public func bottomLine(in context: ScreenContext<Command, Context>) -> BottomLine? {
    BottomLine(
      hints: context.hints(
        [.move(.down), .accept, .cancel], in: keyContext,
        words: [.accept: state.word(of: state.selected), .cancel: state.word(of: state.safeAnswer)]))
  }
}

/// A popup question with a few answers, each with its key. The last answer must be the safe one: it is selected
/// initially.
///
/// A dialog that the user did not request may appear during typing. It does not accept or show letters for answers, and
/// ``Movement/down``, whose keys also leave a text field, does not move the selection away from the safe answer.
public struct DialogState: Hashable, Sendable {
  /// An answer with its letter and its text.
  public struct Answer: Hashable, Sendable {
    /// A lower-case letter.
    public var key: Character
    /// Its text, in the user's language.
    public var word: String

    /// Creates an answer.
    public init(key: Character, word: String) {
      self.key = key
      self.word = word
    }
  }

  private let title: String
  private let detail: String
  private let answers: [Answer]
  private let isRequested: Bool
  /// The index of the selected answer.
  public private(set) var selected: Int
  private var frame = Rect(row: 0, column: 0, rows: 0, columns: 0)
  private var titleLines: [String] = []
  private var detailLines: [String] = []
  /// The number of lines of the detail that there is room for, and the first one that is shown.
  private var detailRoom = 0
  private var detailTop = 0
  private var answerLines = Rect(row: 0, column: 0, rows: 0, columns: 0)

  /// Creates a dialog.
  /// - Parameters:
  ///   - title: the question.
  ///   - detail: lines below it; empty for none.
  ///   - answers: at least one; the last is the safe one.
  ///   - isRequested: whether the user opened it with a key.
  public init(_ title: String, detail: String = "", answers: [Answer], isRequested: Bool = true) {
    precondition(!answers.isEmpty)
    self.title = title
    self.detail = detail
    self.answers = answers
    self.isRequested = isRequested
    selected = answers.count - 1
  }

  /// The index of the safe answer.
  public var safeAnswer: Int { answers.count - 1 }

  /// Returns the text of an answer.
  func word(of answer: Int) -> String { answers[answer].word }

  /// Selects the answer below or above, or scrolls a detail that does not fit; other movements do nothing.
  public mutating func move(_ movement: Movement) {
    switch movement {
    case .up: selected = (selected + answers.count - 1) % answers.count
    case .down where isRequested || selected + 1 < answers.count: selected = (selected + 1) % answers.count
    case .pageUp: scroll(by: 1 - detailRoom)
    case .pageDown: scroll(by: detailRoom - 1)
    default: break
    }
  }

  /// Scrolls a detail that does not fit.
  /// - Parameter lines: the number of lines, negative for up.
  public mutating func scroll(by lines: Int) {
    detailTop = max(0, min(detailTop + lines, detailLines.count - detailRoom))
  }

  /// Returns the index of the answer for a key; nil for none.
  public func answer(to key: Key) -> Int? {
    guard isRequested, case .character(let character) = key.code, key.modifiers.isEmpty else { return nil }
    let typed = character.lowercased()
    return answers.firstIndex { String($0.key) == typed }
  }

  /// Returns true if the key is that of an answer, or types text that must not be taken for a command.
  func claims(_ key: Key) -> Bool { isRequested ? answer(to: key) != nil : key.typesText }

  /// Returns the index of the clicked answer; nil for none.
  public func answer(to mouse: Mouse) -> Int? {
    let line = mouse.position.row - answerLines.row
    guard mouse.action == .press, mouse.button == 0, answerLines.contains(mouse.position), line < answers.count else {
      return nil
    }
    return line
  }

  // MARK: Drawing

  /// The maximum width of a line. Longer lines are hard to read: a popup is no wider in a wide window than in one of 80
  /// columns.
  private static let longestLine = 74

  private var labels: [String] { answers.map { isRequested ? "\($0.key)  \($0.word)" : $0.word } }

  /// Wraps the text, cuts it to leave room for the answers, and positions the popup in the window.
  public mutating func layOut(in window: Rect) {
    let titles = [DisplayText.clean(title)]
    let details = detail.split(separator: "\n").map { DisplayText.clean(String($0)) }
    let widest = (titles + details + labels).map { TextWidth.columns(of: $0) }.max() ?? 0
    let columns = max(1, min(max(24, widest), Self.longestLine, window.columns - 6))
    // The frame and a blank line.
    let room = max(0, window.rows - 3 - answers.count)
    let allTitles = titles.flatMap { TextWidth.wrap($0, columns: columns) }
    titleLines = Array(allTitles.prefix(room))
    if titleLines.count < allTitles.count { Self.markCut(&titleLines, columns: columns) }
    detailLines = details.flatMap { TextWidth.wrap($0, columns: columns) }
    detailRoom = min(detailLines.count, room - titleLines.count)
    scroll(by: 0)
    let above = titleLines.count + detailRoom + 1
    frame = Popup.frame(rows: above + answers.count, columns: columns, in: window)
    answerLines = Popup.room(in: frame).inset(top: above)
  }

  /// Adds an ellipsis to the last line, to show that there are more.
  private static func markCut(_ lines: inout [String], columns: Int) {
    guard var last = lines.popLast() else { return }
    while TextWidth.columns(of: last) > columns - 2, !last.isEmpty { last.removeLast() }
    lines.append(last + " …")
  }

  private var visibleDetail: [String] {
    var lines = Array(detailLines.dropFirst(detailTop).prefix(detailRoom))
    if detailTop + detailRoom < detailLines.count { Self.markCut(&lines, columns: Popup.room(in: frame).columns) }
    return lines
  }

  /// Draws the dialog at the position from ``layOut(in:)``.
  public func draw(on canvas: inout Canvas, style: WidgetStyle) {
    let room = Popup(style: style).draw(title: "", on: &canvas, in: frame)
    for (index, line) in (titleLines + visibleDetail).prefix(room.rows).enumerated() {
      canvas.put(
        line, at: Point(row: room.row + index, column: room.column), limit: room.columns,
        style: index < titleLines.count ? style.popup.adding(.bold) : style.popup)
    }
    let edge = Rect(
      row: room.row + titleLines.count, column: frame.endColumn - 1, rows: detailRoom, columns: 1)
    ScrollBar.draw(
      on: &canvas, in: edge, first: detailTop, visible: detailRoom, total: detailLines.count,
      track: style.popup.adding(style.faint), thumb: style.popup)
    for (index, label) in labels.prefix(answerLines.rows).enumerated() {
      let line = answerLines.line(index)
      let isSelected = index == selected
      if isSelected {
        canvas.fill(line, style: style.selection)
        canvas.cursor = Point(row: line.row, column: line.column)
      }
      canvas.put(
        label, at: Point(row: line.row, column: line.column), limit: line.columns,
        style: isSelected ? style.selection : style.popup)
    }
  }
}
