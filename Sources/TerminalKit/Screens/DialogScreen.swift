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
}
