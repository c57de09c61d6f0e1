/// A dispatcher that passes events to the topmost screen. Keys, and clicks on keys that are drawn (``KeyTarget``),
/// become commands of the screen's context. Help, the list of commands, redrawing, suspending and quitting are handled
/// here, the same for every screen.
@MainActor
public final class Dispatcher<Command: Hashable & Sendable, Context: Hashable & Sendable> {
  /// A function that makes a screen with the commands of a context; the screen passes the chosen one to the closure.
  public typealias CommandList =
    @MainActor (Context, @escaping @MainActor (Command) -> Void) -> any Screen<Command, Context>

  /// The open screens and their surroundings.
  public let context: ScreenContext<Command, Context>
  @usableFromInline let terminal: any Terminal
  @usableFromInline let refuses: (@MainActor () -> Bool)?
  @usableFromInline let help: (@MainActor (Context) -> any Screen<Command, Context>)?
  @usableFromInline let commands: CommandList?
  @usableFromInline var reader: KeyReader<Command, Context>
  @usableFromInline weak var openHelp: (any Screen<Command, Context>)?
  @usableFromInline weak var openCommands: (any Screen<Command, Context>)?

  /// Creates a dispatcher for these screens.
  /// - Parameters:
  ///   - context: the surroundings, whose topmost screen gets the events.
  ///   - terminal: the terminal to redraw.
  ///   - help: makes the screen for ``CommandRole/help`` from the context in which help was requested. Without it the
  ///     command does nothing.
  ///   - commands: makes the screen for ``CommandRole/commands``, which lists the commands of a context. Without it the
  ///     command does nothing.
  ///   - refuses: called before a command that changes something (``KeyBinding/isWriting``); returns true, and says why,
  ///     if nothing can be changed now.
  public init(
    _ context: ScreenContext<Command, Context>, terminal: any Terminal,
    help: (@MainActor (Context) -> any Screen<Command, Context>)? = nil, commands: CommandList? = nil,
    refuses: (@MainActor () -> Bool)? = nil
  ) {
    self.context = context
    self.terminal = terminal
    self.refuses = refuses
    self.help = help
    self.commands = commands
    reader = KeyReader(context.keys)
  }

  /// The keys of an incomplete sequence, for a status line.
  public var pendingKeys: [Key] { reader.pending }

  /// Passes an event to the topmost screen. Inlinable: it runs for every key press, and unspecialized generic
  /// code is slow.
  @inlinable
  public func dispatch(_ event: Event) {
    guard let screen = context.top else { return }
    guard case .key(let key) = event else {
      if case .mouse(let mouse) = event, let command = command(at: mouse, in: screen) {
        reader.cancel()
        return perform(command, in: screen)
      }
      return screen.handle(event, in: context)
    }
    if screen.claims(key) {
      reader.cancel()
      return screen.type(key, in: context)
    }
    switch reader.read(key, in: screen.keyContext) {
    case .perform(let command):
      if let count = reader.takeCount() { return perform(command, times: count, in: screen) }
      perform(command, in: screen)
    case .unbound(let keys): if let key = keys.last { screen.type(key, in: context) }
    case .waiting: break
    }
  }

  /// Performs a command as if its key had been typed.
  public func perform(_ command: Command) {
    if let screen = context.top { perform(command, in: screen) }
  }

  /// Returns the command whose key is drawn where the mouse was pressed; nil for none.
  @usableFromInline
  func command(at mouse: Mouse, in screen: any Screen<Command, Context>) -> Command? {
    guard mouse.action == .press, mouse.button == 0,
      let label = context.keyTargets.first(where: { $0.rect.contains(mouse.position) })?.label
    else { return nil }
    return reader.map.bindings(in: screen.keyContext).first { $0.sequences.contains { $0.label == label } }?.action
  }

  @inlinable
  func perform(_ command: Command, in screen: any Screen<Command, Context>) {
    switch context.keys.role(of: command) {
    case .redraw: terminal.invalidate()
    case .suspend: context.loop.suspend()
    case .quit: context.loop.stop()
    case .help: toggleHelp(over: screen)
    case .commands: toggleCommands(over: screen)
    default:
      if let refuses, context.keys.isWriting(command), refuses() { return }
      screen.perform(command, in: context)
    }
  }

  /// Performs a command after a number: a step so often, and the way to the first or last line as the way to the line
  /// with that number. For any other command the number has no meaning.
  @usableFromInline
  func perform(_ command: Command, times count: Int, in screen: any Screen<Command, Context>) {
    guard case .move(let movement)? = context.keys.role(of: command) else { return perform(command, in: screen) }
    var step = command
    var steps = count
    if movement == .first || movement == .last {
      let bindings = reader.map.bindings(in: screen.keyContext)
      guard let first = bindings.first(where: { $0.role == .move(.first) })?.action,
        let down = bindings.first(where: { $0.role == .move(.down) })?.action
      else { return perform(command, in: screen) }
      perform(first, in: screen)
      (step, steps) = (down, count - 1)
    }
    for _ in 0..<steps { perform(step, in: screen) }
  }

  @usableFromInline
  func toggleCommands(over screen: any Screen<Command, Context>) {
    guard screen !== openCommands else { return context.pop(screen) }
    guard let commands else { return }
    let new = commands(screen.keyContext) { [self] in perform($0) }
    openCommands = new
    context.push(new)
  }

  @usableFromInline
  func toggleHelp(over screen: any Screen<Command, Context>) {
    guard screen !== openHelp else { return context.pop(screen) }
    guard let help else { return }
    let new = help(screen.keyContext)
    openHelp = new
    context.push(new)
  }
}

extension EventLoop {
  /// Runs a program made of screens until it quits, is asked to terminate, or loses its terminal. Each frame starts
  /// blank.
  /// - Parameters:
  ///   - dispatcher: gets the events, and draws its screens on its terminal, which must be the loop's.
  ///   - style: the background style of the window.
  public func run<Command, Context>(_ dispatcher: Dispatcher<Command, Context>, style: Style = .plain) {
    run(
      draw: {
        var canvas = Canvas(size: dispatcher.terminal.size, style: style)
        dispatcher.context.draw(on: &canvas, in: Rect(canvas.size))
        return canvas
      }, handle: { dispatcher.dispatch($0) })
  }
}
