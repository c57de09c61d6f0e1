/// A function that completes typed text: it takes the text, and calls the closure with the completed text, now or
/// later.
public typealias TextCompletion = @MainActor (String, @escaping @MainActor @Sendable (String) -> Void) -> Void

/// A popup that asks for one line of text, such as a path. It stays open until its owner closes it: invalid text can be
/// corrected.
@MainActor
public final class PromptScreen<Command: Hashable & Sendable, Context: Hashable & Sendable>: Screen {
  /// The context of its keys; keys without a command edit the text.
  public let keyContext: Context
  private var state: PromptState
  private let style: WidgetStyle
  private let complete: TextCompletion?
  private let cancel: @MainActor () -> Void
  private let accept: @MainActor (String, PromptScreen) -> Void

  /// Creates a prompt.
  /// - Parameters:
  ///   - state: its texts.
  ///   - context: the context of its keys.
  ///   - style: its style.
  ///   - complete: the action of ``CommandRole/complete``; nil for none.
  ///   - cancel: called after the user has canceled.
  ///   - accept: called with the text if it is not empty; closes the prompt, or calls ``show(error:)``.
  public init(
    _ state: PromptState, context: Context, style: WidgetStyle, complete: TextCompletion? = nil,
    cancel: @escaping @MainActor () -> Void = {}, accept: @escaping @MainActor (String, PromptScreen) -> Void
  ) {
    self.state = state
    keyContext = context
    self.style = style
    self.complete = complete
    self.cancel = cancel
    self.accept = accept
  }

  /// True: the screen below remains visible around it.
  public var isOverlay: Bool { true }

  /// The typed text.
  public var text: String { state.text }

  /// Shows why the text is not valid.
  public func show(error: String) { state.error = error }

  /// Accepts, completes or cancels.
  public func perform(_ command: Command, in context: ScreenContext<Command, Context>) {
    switch context.keys.role(of: command) {
    case .cancel:
      context.pop(self)
      cancel()
    case .accept where !state.text.isEmpty: accept(state.text, self)
    case .complete: completeText()
    default: break
    }
  }

  /// Edits the text.
  public func type(_ key: Key, in context: ScreenContext<Command, Context>) { state.type(key) }

  /// Handles pasted text and the mouse.
  public func handle(_ event: Event, in context: ScreenContext<Command, Context>) {
    switch event {
    case .paste(let text): state.insert(text)
    case .mouse(let mouse): state.handle(mouse)
    default: break
    }
  }

  private func completeText() {
    let typed = state.text
    complete?(typed) { [self] completed in
      // Keep anything that was typed in the meantime.
      if state.text == typed { state.text = completed }
    }
  }

  /// Lays out the popup.
  public func prepare(in rect: Rect) { state.layOut(in: rect) }

  /// Draws the prompt.
  public func draw(on canvas: inout Canvas, in rect: Rect) { state.draw(on: &canvas, style: style) }
}
