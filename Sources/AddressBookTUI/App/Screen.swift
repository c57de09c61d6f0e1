import TerminalKit

/// One screen of the program, or a dialog on top of one.
///
/// `perform`, `type` and `handle` change the screen's state and may ask the stack for another screen; `prepare` reads the rows
/// that will be visible; `draw` shows the state and neither writes the model nor reads the database or the clock.
@MainActor
protocol Screen: AnyObject {
  /// True when the screen below shows through around this one.
  var isOverlay: Bool { get }
  /// Which keys are commands now. Help, redrawing, suspending and quitting are the dispatcher's.
  var keyContext: KeyContext { get }
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
  var isOverlay: Bool { false }
  func type(_ key: Key) {}
  func handle(_ event: Event) {}
  func prepare(in rect: Rect) {}
}

/// The screens that are open, the topmost last; events go to that one.
@MainActor
final class ScreenStack {
  private(set) var screens: [any Screen] = []

  /// The screen that events go to.
  var top: (any Screen)? { screens.last }

  /// Opens a screen on top.
  func push(_ screen: any Screen) { screens.append(screen) }

  /// Closes a screen and all above it.
  func pop(_ screen: any Screen) {
    guard let index = screens.firstIndex(where: { $0 === screen }) else { return }
    screens.removeSubrange(index...)
  }

  /// Draws the topmost full screen and the overlays above it.
  func draw(on canvas: inout Canvas, in rect: Rect) {
    let base = screens.lastIndex { !$0.isOverlay } ?? 0
    for screen in screens[base...] {
      screen.prepare(in: rect)
      canvas.cursor = nil
      screen.draw(on: &canvas, in: rect)
    }
  }
}
