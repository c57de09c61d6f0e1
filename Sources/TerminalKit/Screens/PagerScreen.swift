/// A screen with text to read; see ``PagerState``.
@MainActor
public final class PagerScreen<Command: ScreenCommand, Context: Hashable & Sendable>: Screen {
  /// The context of its keys; Space scrolls a page.
  public let keyContext: Context
  private var state: PagerState
  private let style: WidgetStyle
  private let close: @MainActor (any Screen<Command, Context>) -> Void

  /// Creates a pager.
  /// - Parameters:
  ///   - state: its text.
  ///   - context: the context of its keys.
  ///   - style: its style.
  ///   - close: removes it from the stack.
  public init(
    _ state: PagerState, context: Context, style: WidgetStyle,
    close: @escaping @MainActor (any Screen<Command, Context>) -> Void
  ) {
    self.state = state
    keyContext = context
    self.style = style
    self.close = close
  }

  /// Scrolls, or closes the screen.
  public func perform(_ command: Command) {
    switch command.role {
    case .cancel: close(self)
    case .move(let movement): state.move(movement)
    default: break
    }
  }

  /// Scrolls a page with Space.
  public func type(_ key: Key) { state.type(key) }

  /// Handles the wheel.
  public func handle(_ event: Event) { state.handle(event) }

  /// Wraps the text for the window.
  public func prepare(in rect: Rect) { state.layOut(in: rect) }

  /// Draws the visible text.
  public func draw(on canvas: inout Canvas, in rect: Rect) { state.draw(on: &canvas, in: rect, style: style) }
}
