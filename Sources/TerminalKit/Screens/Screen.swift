/// One screen of a program, or a dialog on top of one.
///
/// `perform`, `type` and `handle` change the screen's state and may ask the stack for another screen. `prepare` reads what the
/// picture needs and brings positions to what fits. `draw` shows the state and changes nothing.
@MainActor
public protocol Screen<Command, Context>: AnyObject {
  /// Everything that a key can ask for in this program.
  associatedtype Command: ScreenCommand
  /// Where keys have a meaning of their own.
  associatedtype Context: Hashable & Sendable

  /// True when the screen below shows through around this one.
  var isOverlay: Bool { get }
  /// Which keys are commands now. Help, redrawing, suspending and quitting are the dispatcher's.
  var keyContext: Context { get }
  /// Does what a key of its context stands for.
  func perform(_ command: Command)
  /// Takes a key that is no command.
  func type(_ key: Key)
  /// Takes other events: a paste, the mouse, a new size.
  func handle(_ event: Event)
  /// Reads what a drawing into this rectangle will need, and brings positions to what fits it.
  func prepare(in rect: Rect)
  /// Draws into the rectangle, which is the whole window.
  func draw(on canvas: inout Canvas, in rect: Rect)
}

extension Screen {
  /// False: a screen covers the window.
  public var isOverlay: Bool { false }
  /// Ignores the key.
  public func type(_ key: Key) {}
  /// Ignores the event.
  public func handle(_ event: Event) {}
  /// Has nothing to prepare.
  public func prepare(in rect: Rect) {}
}

/// The screens that are open, the topmost last; events go to that one.
@MainActor
public final class ScreenStack<Command: ScreenCommand, Context: Hashable & Sendable> {
  /// All of them, from the bottom.
  public private(set) var screens: [any Screen<Command, Context>] = []

  /// A stack without screens.
  public init() {}

  /// The screen that events go to. Inlinable, as ``draw(on:in:)``, because it is asked with every key.
  @inlinable public var top: (any Screen<Command, Context>)? { screens.last }

  /// Opens a screen on top.
  public func push(_ screen: any Screen<Command, Context>) { screens.append(screen) }

  /// Closes a screen and all above it; nothing happens if it is not open.
  public func pop(_ screen: any Screen<Command, Context>) {
    guard let index = screens.firstIndex(where: { $0 === screen }) else { return }
    screens.removeSubrange(index...)
  }

  /// Draws the topmost full screen and the overlays above it.
  @inlinable
  public func draw(on canvas: inout Canvas, in rect: Rect) {
    let base = screens.lastIndex { !$0.isOverlay } ?? 0
    for screen in screens[base...] {
      screen.prepare(in: rect)
      canvas.cursor = nil
      screen.draw(on: &canvas, in: rect)
    }
  }
}
