/// A screen of a program, or a dialog on top of one.
///
/// `perform`, `type` and `handle` change the screen's state, and open or close screens in the ``ScreenContext`` that
/// comes with them. `prepare` reads the data that will be drawn and adjusts positions to the size. `draw` shows the state
/// without changing it.
@MainActor
public protocol Screen<Command, Context>: AnyObject {
  /// The commands of the program.
  associatedtype Command: Hashable & Sendable
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
  func perform(_ command: Command, in context: ScreenContext<Command, Context>)
  /// Handles a key that is not a command, or that the screen claims.
  func type(_ key: Key, in context: ScreenContext<Command, Context>)
  /// Handles any other event, such as a paste, the mouse or a new size.
  func handle(_ event: Event, in context: ScreenContext<Command, Context>)
  /// Reads the data needed for drawing into this rectangle, and adjusts positions to its size.
  func prepare(in rect: Rect)
  /// Draws into the rectangle, which is the whole window; the last line is drawn by the ``ScreenContext``.
  func draw(on canvas: inout Canvas, in rect: Rect)
  /// Returns what the last line shows while this screen is open; nil to leave the line to ``draw(on:in:)`` and to the
  /// screens below. By default, the keys of the screen's context, from the table.
  func bottomLine(in context: ScreenContext<Command, Context>) -> BottomLine?
}

extension Screen {
  /// False: a screen covers the whole window.
  public var isOverlay: Bool { false }
  /// False: all keys are looked up.
  public func claims(_ key: Key) -> Bool { false }
  /// Ignores the key.
  public func type(_ key: Key, in context: ScreenContext<Command, Context>) {}
  /// Ignores the event.
  public func handle(_ event: Event, in context: ScreenContext<Command, Context>) {}
  /// Does nothing.
  public func prepare(in rect: Rect) {}
  /// The keys of the screen's context in the order of the table, except those that move, redraw or suspend.
  public func bottomLine(in context: ScreenContext<Command, Context>) -> BottomLine? {
    let lines = context.keys.bindings(in: keyContext).filter { line in
      switch line.role {
      case .move, .redraw, .suspend: false
      default: true
      }
    }
    return BottomLine(hints: context.hints(lines.map(\.action), in: keyContext))
  }
}
