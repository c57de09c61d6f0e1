/// A popup question with a few answers.
@MainActor
public final class DialogScreen<Command: ScreenCommand, Context: Hashable & Sendable>: Screen {
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
  private let close: @MainActor (any Screen<Command, Context>) -> Void

  /// Creates a dialog; the last answer is the safe one.
  /// - Parameters:
  ///   - title: the question.
  ///   - detail: lines below it; empty for none.
  ///   - answers: at least one. Canceling gives the last one.
  ///   - isRequested: whether the user opened it with a key; see ``DialogState``.
  ///   - context: the context of its keys.
  ///   - style: its style.
  ///   - close: removes the dialog from the stack; called before the answer's action.
  public init(
    _ title: String, detail: String = "", answers: [Answer], isRequested: Bool = true, context: Context,
    style: WidgetStyle, close: @escaping @MainActor (any Screen<Command, Context>) -> Void
  ) {
    state = DialogState(title, detail: detail, answers: answers.map(\.label), isRequested: isRequested)
    actions = answers.map(\.action)
    keyContext = context
    self.style = style
    self.close = close
  }

  /// True: the screen below remains visible around it.
  public var isOverlay: Bool { true }

  /// True for the letters of the answers, and for all text in a dialog that appeared while the user was typing.
  public func claims(_ key: Key) -> Bool { state.claims(key) }

  /// Answers, selects another answer, or scrolls a long detail.
  public func perform(_ command: Command) {
    switch command.role {
    case .cancel: answer(state.safeAnswer)
    case .accept: answer(state.selected)
    case .move(let movement): state.move(movement)
    default: break
    }
  }

  /// Accepts the letter of an answer.
  public func type(_ key: Key) { state.answer(to: key).map(answer) }

  /// Accepts a click on an answer; the wheel scrolls a long detail.
  public func handle(_ event: Event) {
    guard case .mouse(let mouse) = event else { return }
    switch mouse.action {
    case .wheelUp: state.scroll(by: -1)
    case .wheelDown: state.scroll(by: 1)
    default: state.answer(to: mouse).map(answer)
    }
  }

  private func answer(_ index: Int) {
    close(self)
    actions[index]()
  }

  /// Lays out the popup.
  public func prepare(in rect: Rect) { state.layOut(in: rect) }

  /// Draws the dialog.
  public func draw(on canvas: inout Canvas, in rect: Rect) { state.draw(on: &canvas, style: style) }
}
