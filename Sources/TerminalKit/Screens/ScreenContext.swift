/// The surroundings of a program's screens: the open screens, the topmost last, the key table, the loop and the style.
@MainActor
public final class ScreenContext<Command: Hashable & Sendable, Context: Hashable & Sendable> {
  /// The key table.
  public let keys: KeyMap<Command, Context>
  /// The loop: timers, and work for the main thread.
  public let loop: any ProgramLoop
  /// The style of the shared screens.
  public let style: WidgetStyle
  /// All screens, from the bottom.
  public private(set) var screens: [any Screen<Command, Context>] = []
  /// The keys of the topmost screen that can be clicked, where they were last drawn.
  @usableFromInline var keyTargets: [KeyTarget] = []

  /// Creates surroundings without screens.
  public init(keys: KeyMap<Command, Context>, loop: any ProgramLoop, style: WidgetStyle = WidgetStyle()) {
    self.keys = keys
    self.loop = loop
    self.style = style
  }

  /// The screen that gets the events. Inlinable, like ``draw(on:in:)``, because it is used for every key.
  @inlinable public var top: (any Screen<Command, Context>)? { screens.last }

  /// Pushes a screen.
  public func push(_ screen: any Screen<Command, Context>) { screens.append(screen) }

  /// Closes a screen and all above it; does nothing if it is not open.
  public func pop(_ screen: any Screen<Command, Context>) {
    guard let index = screens.firstIndex(where: { $0 === screen }) else { return }
    screens.removeSubrange(index...)
  }

  /// Closes all screens, when the program ends: a screen and its surroundings may hold each other.
  public func popAll() { screens.removeAll() }

  /// Draws the topmost full screen and the overlays above it. Only the keys of the topmost screen can be clicked.
  @inlinable
  public func draw(on canvas: inout Canvas, in rect: Rect) {
    let base = screens.lastIndex { !$0.isOverlay } ?? 0
    for screen in screens[base...] {
      screen.prepare(in: rect)
      canvas.cursor = nil
      canvas.removeKeyTargets()
      screen.draw(on: &canvas, in: rect)
    }
    keyTargets = canvas.keyTargets
  }
}
