import TerminalKit
import TerminalKitTesting
import Testing

private enum Command: ScreenCommand {
  case down, help, redraw, suspend, quit, close, own, list, accept

  var role: CommandRole? {
    switch self {
    case .down: .move(.down)
    case .help: .help
    case .redraw: .redraw
    case .suspend: .suspend
    case .quit: .quit
    case .close: .cancel
    case .own: nil
    case .list: .commands
    case .accept: .accept
    }
  }
}

private enum Context { case main, help }

private final class MainScreen: Screen {
  var keyContext: Context { .main }
  var commands: [Command] = []
  var typed: [Key] = []
  var claimed: Key?
  var events: [Event] = []

  func claims(_ key: Key) -> Bool { key == claimed }
  func perform(_ command: Command) { commands.append(command) }
  func type(_ key: Key) { typed.append(key) }
  func handle(_ event: Event) { events.append(event) }
  func draw(on canvas: inout Canvas, in rect: Rect) {}
}

/// A program other than the address book, with its own commands and contexts.
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
        title: "Keys", help: HelpLines(keys: self.keys) { $0 }, requestedIn: context, context: .help, hints: [],
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

  @Test func theKeysOfAnIncompleteSequenceAreKnown() {
    let terminal = RecordingTerminal(size: Size(rows: 10, columns: 40))
    let screens = ScreenStack<Command, Context>()
    let main = MainScreen()
    screens.push(main)
    let dispatcher = Dispatcher(keys: keys, screens: screens, terminal: terminal, loop: ManualLoop())
    dispatcher.dispatch(.key(.character("g")))
    #expect(dispatcher.pendingKeys == [.character("g")] && main.commands.isEmpty)
    dispatcher.dispatch(.key(.character("g")))
    #expect(dispatcher.pendingKeys.isEmpty && main.commands == [.own])
  }

  @Test func aClaimedKeyIsNoCommand() {
    let terminal = RecordingTerminal(size: Size(rows: 10, columns: 40))
    let screens = ScreenStack<Command, Context>()
    let main = MainScreen()
    main.claimed = .character("j")
    screens.push(main)
    let dispatcher = Dispatcher(keys: keys, screens: screens, terminal: terminal, loop: ManualLoop())
    for key in "jg" { dispatcher.dispatch(.key(.character(key))) }
    #expect(main.typed == [.character("j")] && main.commands.isEmpty)
    dispatcher.dispatch(.key(.character("j")))
    #expect(dispatcher.pendingKeys.isEmpty && main.typed.count == 2)
  }

  @Test func helpIsMadeOfTheTable() {
    let lines = HelpLines(keys: keys) { "<\($0)>" }
    #expect(lines.lines.first == .init(keys: "", text: "<move>"))
    #expect(lines.lines.contains(.init(keys: "g g", text: "<own>")))
    #expect(lines.firstLine(of: .help) == lines.lines.firstIndex { $0.text == "<program>" })
  }

  @Test func aChosenCommandIsPerformedAsIfItsKeyHadBeenTyped() {
    let screens = ScreenStack<Command, Context>()
    let main = MainScreen()
    screens.push(main)
    let loop = ManualLoop()
    var listed: [Context] = []
    let terminal = RecordingTerminal(size: Size(rows: 10, columns: 40))
    let keys = KeyMap<Command, Context>([.init([":"], .list, in: [.main], descriptionKey: "list")])
    let dispatcher = Dispatcher(
      keys: keys, screens: screens, terminal: terminal, loop: loop,
      commands: { context, perform in
        listed.append(context)
        let chosen: [Command] = [.own, .quit]
        return ChooserScreen(
          ChooserState(title: "", items: ["own", "quit"], texts: .init(placeholder: "", noMatch: { $0 })),
          context: .main, style: WidgetStyle(), close: { screens.pop($0) },
          choose: { if case .item(let index) = $0 { perform(chosen[index]) } })
      })
    dispatcher.dispatch(.key(.character(":")))
    #expect(listed == [.main] && screens.screens.count == 2)
    (screens.top as? ChooserScreen<Command, Context>)?.perform(.accept)
    #expect(main.commands == [.own] && screens.screens.count == 1)
    // The key that opens the list closes it.
    dispatcher.perform(.list)
    dispatcher.dispatch(.key(.character(":")))
    #expect(listed == [.main, .main] && screens.top === main)
    dispatcher.perform(.list)
    (screens.top as? ChooserScreen<Command, Context>)?.perform(.down)
    (screens.top as? ChooserScreen<Command, Context>)?.perform(.accept)
    #expect(main.commands == [.own] && loop.isStopped)
  }
}
