/// A screen with text to read; see ``PagerState``.
@MainActor
public final class PagerScreen<Command: Hashable & Sendable, Context: Hashable & Sendable>: Screen {
  /// The context of its keys; Space scrolls a page.
  public let keyContext: Context
  private var state: PagerState
  private let style: WidgetStyle

  /// Creates a pager.
  /// - Parameters:
  ///   - state: its text.
  ///   - context: the context of its keys.
  ///   - style: its style.
  public init(
    _ state: PagerState, context: Context, style: WidgetStyle
  ) {
    self.state = state
    keyContext = context
    self.style = style
  }

  /// Scrolls, or closes the screen.
  public func perform(_ command: Command, in context: ScreenContext<Command, Context>) {
    switch context.keys.role(of: command) {
    case .cancel: context.pop(self)
    case .move(let movement): state.move(movement)
    default: break
    }
  }

  /// Scrolls a page with Space.
  public func type(_ key: Key, in context: ScreenContext<Command, Context>) { state.type(key) }

  /// Handles the wheel.
  public func handle(_ event: Event, in context: ScreenContext<Command, Context>) { state.handle(event) }

  /// Wraps the text for the window.
  public func prepare(in rect: Rect) { state.layOut(in: rect) }

  /// Draws the visible text.
  public func draw(on canvas: inout Canvas, in rect: Rect) { state.draw(on: &canvas, in: rect, style: style) }
}
