/// The front door: a program made of screens in one call.
public enum Program {
  /// Opens the terminal, shows the first screen, and runs until the program quits, is asked to terminate, or loses its
  /// terminal. Then restores the terminal, and dies by the signal if there was one.
  /// - Parameters:
  ///   - keys: the key table.
  ///   - style: the style of the shared screens.
  ///   - help: the context of the keys in the list of keys, and its title; without it, ``CommandRole/help`` does nothing.
  ///     The list shows the table's ``KeyBinding/help`` and ``KeyBinding/group`` as they are.
  ///   - first: makes the first screen.
  /// - Throws: ``TerminalError``, or an error of `first`; the terminal is then restored.
  @MainActor
  public static func run<Command: Hashable & Sendable, Context: Hashable & Sendable>(
    keys: KeyMap<Command, Context>, style: WidgetStyle = WidgetStyle(), help: (context: Context, title: String)? = nil,
    first: @MainActor (ScreenContext<Command, Context>) throws -> any Screen<Command, Context>
  ) throws {
    let terminal = try NcursesTerminal()
    let loop = EventLoop(terminal: terminal, input: terminal.input)
    let context = ScreenContext(keys: keys, loop: loop, style: style)
    do {
      context.push(try first(context))
    } catch {
      terminal.restore()
      throw error
    }
    let makeHelp = help.map { help in
      { @MainActor (asked: Context) -> any Screen<Command, Context> in
        let back = keys.bindings(in: help.context).map(\.action).filter { keys.role(of: $0) == .cancel }
        return HelpScreen(
          title: help.title, help: HelpLines(keys: keys) { $0 }, requestedIn: asked, context: help.context,
          hints: keys.hints(back, in: help.context), style: style)
      }
    }
    loop.run(Dispatcher(context, terminal: terminal, help: makeHelp))
    context.popAll()
    terminal.restore()
    if let signal = loop.terminationSignal { TerminalGuard.die(bySignal: signal) }
  }
}
