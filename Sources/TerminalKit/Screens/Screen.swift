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

/// The surroundings of a program's screens: the open screens, the topmost last, the key table, the loop and the style.
@MainActor
public final class ScreenContext<Command: Hashable & Sendable, Context: Hashable & Sendable> {
  /// The key table.
  public let keys: KeyMap<Command, Context>
  /// The loop: timers, and work for the main thread.
  public let loop: any ProgramLoop
  /// The style of the shared screens and of the last line.
  public let style: WidgetStyle
  /// Looks up the texts of the key table in the program's strings.
  public let text: (String) -> String
  /// All screens, from the bottom.
  public private(set) var screens: [any Screen<Command, Context>] = []
  /// The keys of the topmost screen that can be clicked, where they were last drawn.
  @usableFromInline var keyTargets: [KeyTarget] = []

  /// Creates surroundings without screens.
  public init(
    keys: KeyMap<Command, Context>, loop: any ProgramLoop, style: WidgetStyle = WidgetStyle(),
    text: @escaping (String) -> String = { $0 }
  ) {
    self.keys = keys
    self.loop = loop
    self.style = style
    self.text = text
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

  /// Returns hints with the keys that these commands have in a context.
  public func hints(_ commands: [Command], in context: Context) -> [Hint] {
    keys.hints(commands, in: context, text: text)
  }

  /// Returns hints for the first command of each of these roles in a context, with the words of the table unless others
  /// are given. Neighbors with the same word are one hint.
  public func hints(_ roles: [CommandRole], in context: Context, words: [CommandRole: String] = [:]) -> [Hint] {
    let lines = keys.bindings(in: context)
    var hints: [Hint] = []
    for role in roles {
      guard let line = lines.first(where: { $0.role == role }) else { continue }
      let hint = Hint(key: line.sequences.first?.label ?? "", word: words[role] ?? text(line.hint))
      if hints.last?.word == hint.word { hints[hints.count - 1].keys += hint.keys } else { hints.append(hint) }
    }
    return hints
  }

  /// Draws the topmost full screen, the overlays above it, and the last line. Only the keys of the topmost screen can be
  /// clicked.
  @inlinable
  public func draw(on canvas: inout Canvas, in rect: Rect) {
    let base = screens.lastIndex { !$0.isOverlay } ?? 0
    for screen in screens[base...] {
      screen.prepare(in: rect)
      canvas.cursor = nil
      canvas.removeKeyTargets()
      screen.draw(on: &canvas, in: rect)
    }
    drawBottomLine(of: screens[base...], on: &canvas, in: rect.line(rect.rows - 1))
    keyTargets = canvas.keyTargets
  }

  /// Draws the keys of the topmost screen, after the message of the topmost one that has any.
  @usableFromInline
  func drawBottomLine(of screens: ArraySlice<any Screen<Command, Context>>, on canvas: inout Canvas, in line: Rect) {
    let lines = screens.reversed().compactMap { $0.bottomLine(in: self) }
    guard let top = lines.first else { return }
    let said = lines.first { $0.message != nil }
    BottomLine(said?.message, isError: said?.isError ?? false, hints: top.hints).draw(
      on: &canvas, in: line, style: style)
  }
}

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
        HelpScreen(
          title: help.title, help: HelpLines(keys: keys) { $0 }, requestedIn: asked, context: help.context, style: style
        )
      }
    }
    loop.run(Dispatcher(context, terminal: terminal, help: makeHelp))
    context.popAll()
    terminal.restore()
    if let signal = loop.terminationSignal { TerminalGuard.die(bySignal: signal) }
  }
}
