/// A screen of a program, or a dialog on top of one.
///
/// `perform`, `type` and `handle` change the screen's state and may push or close screens. `prepare` reads the data
/// that will be drawn and adjusts positions to the size. `draw` shows the state without changing it.
@MainActor
public protocol Screen<Command, Context>: AnyObject {
  /// The commands of the program.
  associatedtype Command: ScreenCommand
  /// The contexts in which keys have meanings.
  associatedtype Context: Hashable & Sendable

  /// True if the screen below remains visible around this one.
  var isOverlay: Bool { get }
  /// The current context of its keys.
  var keyContext: Context { get }
  /// Returns true for a key that has a meaning of its own here and is never looked up in the key table, such as the
  /// letter of an answer.
  func claims(_ key: Key) -> Bool
  /// Performs a command of its context. The dispatcher handles help, the list of commands, redrawing, suspending and
  /// quitting.
  func perform(_ command: Command)
  /// Handles a key that is not a command, or that the screen claims.
  func type(_ key: Key)
  /// Handles any other event, such as a paste, the mouse or a new size.
  func handle(_ event: Event)
  /// Reads the data needed for drawing into this rectangle, and adjusts positions to its size.
  func prepare(in rect: Rect)
  /// Draws into the rectangle, which is the whole window.
  func draw(on canvas: inout Canvas, in rect: Rect)
}

extension Screen {
  /// False: a screen covers the whole window.
  public var isOverlay: Bool { false }
  /// False: all keys are looked up.
  public func claims(_ key: Key) -> Bool { false }
  /// Ignores the key.
  public func type(_ key: Key) {}
  /// Ignores the event.
  public func handle(_ event: Event) {}
  /// Does nothing.
  public func prepare(in rect: Rect) {}
}

/// The open screens, the topmost last; events go to the topmost one.
@MainActor
public final class ScreenStack<Command: ScreenCommand, Context: Hashable & Sendable> {
  /// All screens, from the bottom.
  public private(set) var screens: [any Screen<Command, Context>] = []
  /// The keys of the topmost screen that can be clicked, where they were last drawn.
  @usableFromInline var keyTargets: [KeyTarget] = []

  /// Creates an empty stack.
  public init() {}

  /// The screen that gets the events. Inlinable, like ``draw(on:in:)``, because it is used for every key.
  @inlinable public var top: (any Screen<Command, Context>)? { screens.last }

  /// Pushes a screen.
  public func push(_ screen: any Screen<Command, Context>) { screens.append(screen) }

  /// Closes a screen and all above it; does nothing if it is not open.
  public func pop(_ screen: any Screen<Command, Context>) {
    guard let index = screens.firstIndex(where: { $0 === screen }) else { return }
    screens.removeSubrange(index...)
  }

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
