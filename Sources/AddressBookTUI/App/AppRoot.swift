import TerminalKit

/// Draws the window, which has the open screens or, if it is too small for them, a plain message; passes events on.
@MainActor
final class AppRoot {
  private let environment: AppEnvironment
  private let dispatcher: Dispatcher<Command, KeyContext>

  init(environment: AppEnvironment) {
    self.environment = environment
    dispatcher = Dispatcher(
      environment.screens, terminal: environment.terminal,
      help: { [unowned environment] context in HelpScreen(environment: environment, requestedIn: context) },
      commands: { [unowned environment] context, perform in
        CommandPalette.screen(environment: environment, of: context, perform: perform)
      },
      refuses: { [unowned environment] in
        guard let refusal = environment.refusal else { return false }
        environment.fail(refusal)
        return true
      })
  }

  func draw(size: Size) -> Canvas {
    var canvas = Canvas(size: size, style: environment.theme.text)
    let window = Rect(size)
    let smallest = BrowserLayout.smallest
    if size.rows < smallest.rows || size.columns < smallest.columns {
      drawTooSmall(on: &canvas, in: window)
    } else {
      environment.screens.draw(on: &canvas, in: window)
    }
    return canvas
  }

  private func drawTooSmall(on canvas: inout Canvas, in window: Rect) {
    guard !window.isEmpty else { return }
    let smallest = BrowserLayout.smallest
    let text = environment.strings("screen.tooSmall", String(smallest.columns), String(smallest.rows))
    for (row, line) in TextWidth.wrap(text, columns: window.columns).prefix(window.rows).enumerated() {
      canvas.put(line, at: Point(row: row, column: 0), limit: window.columns, style: environment.theme.text)
    }
  }

  /// Passes an event to the dispatcher, except mouse events if the mouse is turned off.
  func handle(_ event: Event) {
    environment.days.refresh()
    environment.followTerminal()
    if case .mouse = event, !environment.configuration.usesMouse { return }
    dispatcher.dispatch(event)
  }
}
