import TerminalKit

/// Gives events to the topmost screen: keys as the commands that they are in its context. The commands that are the same in
/// every screen are done here.
@MainActor
final class Dispatcher {
  private let environment: AppEnvironment
  private var reader: KeyReader<Command, KeyContext>

  init(environment: AppEnvironment) {
    self.environment = environment
    reader = KeyReader(environment.keys)
  }

  /// Gives an event to the topmost screen.
  func dispatch(_ event: Event) {
    guard let screen = environment.screens.top else { return }
    switch event {
    case .key(let key): dispatch(key, to: screen)
    case .mouse where !environment.usesMouse: break
    case .mouse, .paste, .resize, .resumed, .terminate: screen.handle(event)
    }
  }

  private func dispatch(_ key: Key, to screen: any Screen) {
    switch reader.read(key, in: screen.keyContext) {
    case .perform(.redraw): environment.terminal.invalidate()
    case .perform(.suspend): environment.loop.suspend()
    case .perform(.quit): environment.loop.stop()
    case .perform(.help) where screen is HelpScreen: environment.screens.pop(screen)
    case .perform(.help):
      environment.screens.push(HelpScreen(environment: environment, context: screen.keyContext))
    case .perform(let command): screen.perform(command)
    case .unbound(let keys): if let key = keys.last { screen.type(key) }
    case .waiting, .disabled: break
    }
  }
}
