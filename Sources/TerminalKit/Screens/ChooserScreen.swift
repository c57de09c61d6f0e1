/// A popup list to choose one item from; see ``ChooserState``.
@MainActor
public final class ChooserScreen<Command: Hashable & Sendable, Context: Hashable & Sendable>: Screen {
  /// The context of its keys; text is typed in it.
  public let keyContext: Context
  private var state: ChooserState
  private let style: WidgetStyle
  private let choose: @MainActor (ChooserState.Choice) -> Void
  private let cancel: @MainActor () -> Void

  /// Creates a chooser.
  /// - Parameters:
  ///   - state: its items.
  ///   - context: the context of its keys.
  ///   - style: its style.
  ///   - cancel: called if nothing was chosen.
  ///   - choose: handles the choice. The chooser is closed before.
  public init(
    _ state: ChooserState, context: Context, style: WidgetStyle,
    cancel: @escaping @MainActor () -> Void = {},
    choose: @escaping @MainActor (ChooserState.Choice) -> Void
  ) {
    self.state = state
    keyContext = context
    self.style = style
    self.cancel = cancel
    self.choose = choose
  }

  /// True: the screen below remains visible around it.
  public var isOverlay: Bool { true }

  /// Moves, chooses or cancels: canceling first clears the filter, then closes the chooser.
  public func perform(_ command: Command, in context: ScreenContext<Command, Context>) {
    switch context.keys.role(of: command) {
    case .accept: finish(in: context)
    case .cancel where state.field.isEmpty:
      context.pop(self)
      cancel()
    case .cancel: state.clear()
    case .move(let movement): state.move(movement)
    default: break
    }
  }

  /// Filters the list.
  public func type(_ key: Key, in context: ScreenContext<Command, Context>) { state.type(key) }

  /// Handles pasted text and the mouse.
  public func handle(_ event: Event, in context: ScreenContext<Command, Context>) {
    switch event {
    case .paste(let text): state.insert(text)
    case .mouse(let mouse): if state.handle(mouse) { finish(in: context) }
    default: break
    }
  }

  private func finish(in context: ScreenContext<Command, Context>) {
    guard let choice = state.selectedChoice else { return }
    context.pop(self)
    choose(choice)
  }

  /// Lays out the popup.
  public func prepare(in rect: Rect) { state.layOut(in: rect) }

  /// Draws the chooser.
  public func draw(on canvas: inout Canvas, in rect: Rect) { state.draw(on: &canvas, style: style) }
}
