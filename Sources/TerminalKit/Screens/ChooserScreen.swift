/// A popup list to choose one item from; see ``ChooserState``.
@MainActor
public final class ChooserScreen<Command: ScreenCommand, Context: Hashable & Sendable>: Screen {
  /// The context of its keys; text is typed in it.
  public let keyContext: Context
  private var state: ChooserState
  private let style: WidgetStyle
  private let close: @MainActor (any Screen<Command, Context>) -> Void
  private let choose: @MainActor (ChooserState.Choice) -> Void
  private let cancel: @MainActor () -> Void

  /// Creates a chooser.
  /// - Parameters:
  ///   - state: its items.
  ///   - context: the context of its keys.
  ///   - style: its style.
  ///   - close: removes the chooser from the stack.
  ///   - cancel: called after `close` if nothing was chosen.
  ///   - choose: handles the choice; called after `close`.
  public init(
    _ state: ChooserState, context: Context, style: WidgetStyle,
    close: @escaping @MainActor (any Screen<Command, Context>) -> Void,
    cancel: @escaping @MainActor () -> Void = {},
    choose: @escaping @MainActor (ChooserState.Choice) -> Void
  ) {
    self.state = state
    keyContext = context
    self.style = style
    self.close = close
    self.cancel = cancel
    self.choose = choose
  }

  /// True: the screen below remains visible around it.
  public var isOverlay: Bool { true }

  /// Moves, chooses or cancels: canceling first clears the filter, then closes the chooser.
  public func perform(_ command: Command) {
    switch command.role {
    case .accept: finish()
    case .cancel where state.field.isEmpty:
      close(self)
      cancel()
    case .cancel: state.clear()
    case .move(let movement): state.move(movement)
    default: break
    }
  }

  /// Filters the list.
  public func type(_ key: Key) { state.type(key) }

  /// Handles pasted text and the mouse.
  public func handle(_ event: Event) {
    switch event {
    case .paste(let text): state.insert(text)
    case .mouse(let mouse): if state.handle(mouse) { finish() }
    default: break
    }
  }

  private func finish() {
    guard let choice = state.selectedChoice else { return }
    close(self)
    choose(choice)
  }

  /// Lays out the popup.
  public func prepare(in rect: Rect) { state.layOut(in: rect) }

  /// Draws the chooser.
  public func draw(on canvas: inout Canvas, in rect: Rect) { state.draw(on: &canvas, style: style) }
}
