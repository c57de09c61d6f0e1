/// Completes what was typed: takes the text, and calls the closure with the completed one now or later.
public typealias TextCompletion = @MainActor (String, @escaping @MainActor @Sendable (String) -> Void) -> Void

/// Asks for one line of text over the screen below, such as a path. It stays open until whoever asked closes it, so that an
/// unusable text can be corrected.
@MainActor
public final class PromptScreen<Command: ScreenCommand, Context: Hashable & Sendable>: Screen {
  /// Where its keys have their meaning; a context in which text is typed.
  public let keyContext: Context
  private var state: PromptState
  private let style: WidgetStyle
  private let complete: TextCompletion?
  private let close: @MainActor (PromptScreen) -> Void
  private let accept: @MainActor (String, PromptScreen) -> Void

  /// A prompt.
  /// - Parameters:
  ///   - state: its texts.
  ///   - context: the context of its keys.
  ///   - style: how it looks.
  ///   - complete: what ``CommandRole/complete`` does; nil for nothing.
  ///   - close: called when the person gives up.
  ///   - accept: given a text that is not empty; closes the prompt, or has it ``show(error:)``.
  public init(
    _ state: PromptState, context: Context, style: WidgetStyle, complete: TextCompletion? = nil,
    close: @escaping @MainActor (PromptScreen) -> Void, accept: @escaping @MainActor (String, PromptScreen) -> Void
  ) {
    self.state = state
    keyContext = context
    self.style = style
    self.complete = complete
    self.close = close
    self.accept = accept
  }

  /// True: the screen below is seen around it.
  public var isOverlay: Bool { true }

  /// What was typed.
  public var text: String { state.text }

  /// Says why the text cannot be used.
  public func show(error: String) { state.error = error }

  /// Accepts, completes or cancels.
  public func perform(_ command: Command) {
    switch command.role {
    case .cancel: close(self)
    case .accept where !state.text.isEmpty: accept(state.text, self)
    case .complete: completeText()
    default: break
    }
  }

  /// Edits the text.
  public func type(_ key: Key) { state.type(key) }

  /// Takes pasted text and the mouse.
  public func handle(_ event: Event) {
    switch event {
    case .paste(let text): state.insert(text)
    case .mouse(let mouse): state.handle(mouse)
    default: break
    }
  }

  private func completeText() {
    let typed = state.text
    complete?(typed) { [weak self] completed in
      // What was typed in the meantime stays.
      guard let self, self.state.text == typed else { return }
      self.state.text = completed
    }
  }

  /// Finds its place.
  public func prepare(in rect: Rect) { state.layOut(in: rect) }

  /// Draws it.
  public func draw(on canvas: inout Canvas, in rect: Rect) { state.draw(on: &canvas, style: style) }
}
