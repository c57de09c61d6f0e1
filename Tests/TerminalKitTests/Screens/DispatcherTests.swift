import TerminalKit
import TerminalKitTesting
import Testing

private enum Command: ScreenCommand {
  case down, help, redraw, suspend, quit, close, own

  var role: CommandRole? {
    switch self {
    case .down: .move(.down)
    case .help: .help
    case .redraw: .redraw
    case .suspend: .suspend
    case .quit: .quit
    case .close: .cancel
    case .own: nil
    }
  }
}

private enum Context { case main, help }

private final class MainScreen: Screen {
  var keyContext: Context { .main }
  var commands: [Command] = []
  var typed: [Key] = []
  var events: [Event] = []

  func perform(_ command: Command) { commands.append(command) }
  func type(_ key: Key) { typed.append(key) }
  func handle(_ event: Event) { events.append(event) }
  func draw(on canvas: inout Canvas, in rect: Rect) {}
}

/// A program of another kind than the address book: its own commands and contexts.
@MainActor @Suite struct DispatcherTests {
  private let keys = KeyMap<Command, Context>([
    .init(["j"], .down, in: [.main, .help], descriptionKey: "down", groupKey: "move"),
    .init(["g g"], .own, in: [.main], descriptionKey: "own", groupKey: "move"),
    .init(["?"], .help, in: [.main, .help], descriptionKey: "help", groupKey: "program"),
    .init(["^L"], .redraw, in: [.main, .help], descriptionKey: "redraw", groupKey: "program"),
    .init(["^Z"], .suspend, in: [.main, .help], descriptionKey: "suspend", groupKey: "program"),
    .init(["q"], .quit, in: [.main], descriptionKey: "quit", groupKey: "program"),
    .init(["q"], .close, in: [.help], descriptionKey: "close", groupKey: "program"),
  ])

  @Test func aProgramRunsOnTheRealLoop() {
    let terminal = RecordingTerminal(size: Size(rows: 10, columns: 40))
    let input = PipeInput()
    let loop = EventLoop(terminal: terminal, input: input)
    let screens = ScreenStack<Command, Context>()
    let main = MainScreen()
    screens.push(main)
    let dispatcher = Dispatcher(keys: keys, screens: screens, terminal: terminal, loop: loop) { context in
      HelpScreen(
        title: "Keys", help: HelpLines(keys: self.keys) { $0 }, askedIn: context, context: .help, hints: [],
        style: WidgetStyle(), close: { screens.pop($0) })
    }
    var isHelpShown = false
    loop.schedule(after: 0) {
      dispatcher.dispatch(.key(.character("?")))
      isHelpShown = screens.top is HelpScreen<Command, Context>
      dispatcher.dispatch(.key(.character("?")))
      input.type("jggx\u{C}\u{1A}q")
    }
    loop.run(dispatcher)
    #expect(isHelpShown && screens.top === main)
    #expect(main.commands == [.down, .own])
    #expect(main.typed == [.character("x")])
    #expect(main.events == [.resumed])
    #expect(input.stops == 1)
  }

  @Test func helpIsMadeOfTheTable() {
    let lines = HelpLines(keys: keys) { "<\($0)>" }
    #expect(lines.lines.first == .init(keys: "", text: "<move>"))
    #expect(lines.lines.contains(.init(keys: "g g", text: "<own>")))
    #expect(lines.firstLine(of: .help) == lines.lines.firstIndex { $0.text == "<program>" })
  }
}
