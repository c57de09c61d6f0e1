import TerminalKit
import TerminalKitTesting
import Testing

private enum Command { case down, help, redraw, suspend, quit, close, own, list, accept }

private enum Context { case main, help }

private final class MainScreen: Screen {
  var keyContext: Context { .main }
  var commands: [Command] = []
  var typed: [Key] = []
  var claimed: Key?
  var events: [Event] = []

  func claims(_ key: Key) -> Bool { key == claimed }
  func perform(_ command: Command, in context: ScreenContext<Command, Context>) { commands.append(command) }
  func type(_ key: Key, in context: ScreenContext<Command, Context>) { typed.append(key) }
  func handle(_ event: Event, in context: ScreenContext<Command, Context>) { events.append(event) }
  func draw(on canvas: inout Canvas, in rect: Rect) {}
}

/// A program other than the address book, with its own commands and contexts.
@MainActor @Suite struct DispatcherTests {
  private let keys = KeyMap<Command, Context>([
    .init(["j"], .down, .move(.down), in: [.main, .help], help: "down", group: "move"),
    .init(["g g"], .own, in: [.main], help: "own", group: "move"),
    .init(["?"], .help, .help, in: [.main, .help], help: "help", group: "program"),
    .init(["^L"], .redraw, .redraw, in: [.main, .help], help: "redraw", group: "program"),
    .init(["^Z"], .suspend, .suspend, in: [.main, .help], help: "suspend", group: "program"),
    .init(["q"], .quit, .quit, in: [.main], help: "quit", group: "program"),
    .init(["q"], .close, .cancel, in: [.help], help: "close", group: "program"),
  ])

  @Test func aProgramRunsOnTheRealLoop() {
    let terminal = RecordingTerminal(size: Size(rows: 10, columns: 40))
    let input = PipeInput()
    let loop = EventLoop(terminal: terminal, input: input)
    let screens = ScreenContext(keys: keys, loop: loop)
    let main = MainScreen()
    screens.push(main)
    let dispatcher = Dispatcher(screens, terminal: terminal) { context in
      HelpScreen(
        title: "Keys", help: HelpLines(keys: self.keys) { $0 }, requestedIn: context, context: .help,
        style: WidgetStyle())
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
    let screens = ScreenContext(keys: keys, loop: ManualLoop())
    let main = MainScreen()
    screens.push(main)
    let dispatcher = Dispatcher(screens, terminal: terminal)
    dispatcher.dispatch(.key(.character("g")))
    #expect(dispatcher.pendingKeys == [.character("g")] && main.commands.isEmpty)
    dispatcher.dispatch(.key(.character("g")))
    #expect(dispatcher.pendingKeys.isEmpty && main.commands == [.own])
  }

  @Test func aNumberRepeatsAStep() {
    let terminal = RecordingTerminal(size: Size(rows: 10, columns: 40))
    let table = KeyMap<Command, Context>(
      keys.bindings + [
        .init(["G"], .list, .move(.last), in: [.main], help: "last"),
        .init(["0"], .accept, .move(.first), in: [.main], help: "first"),
      ])
    let screens = ScreenContext(keys: table, loop: ManualLoop())
    let main = MainScreen()
    screens.push(main)
    let dispatcher = Dispatcher(screens, terminal: terminal)
    func type(_ keys: String) -> [Command] {
      main.commands = []
      for key in keys { dispatcher.dispatch(.key(.character(key))) }
      return main.commands
    }
    #expect(type("3j") == [.down, .down, .down] && type("j") == [.down] && type("G") == [.list])
    #expect(type("3G") == [.accept, .down, .down] && type("1G") == [.accept])
    #expect(type("4gg") == [.own] && type("0") == [.accept])
  }

  @Test func aClaimedKeyIsNoCommand() {
    let terminal = RecordingTerminal(size: Size(rows: 10, columns: 40))
    let screens = ScreenContext(keys: keys, loop: ManualLoop())
    let main = MainScreen()
    main.claimed = .character("j")
    screens.push(main)
    let dispatcher = Dispatcher(screens, terminal: terminal)
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
    let loop = ManualLoop()
    let keys = KeyMap<Command, Context>([
      .init([":"], .list, .commands, in: [.main], help: "list"),
      .init([], .accept, .accept, in: [.main], help: ""), .init([], .down, .move(.down), in: [.main], help: ""),
      .init([], .quit, .quit, in: [.main], help: ""),
    ])
    let screens = ScreenContext(keys: keys, loop: loop)
    let main = MainScreen()
    screens.push(main)
    var listed: [Context] = []
    let terminal = RecordingTerminal(size: Size(rows: 10, columns: 40))
    let dispatcher = Dispatcher(
      screens, terminal: terminal,
      commands: { context, perform in
        listed.append(context)
        let chosen: [Command] = [.own, .quit]
        return ChooserScreen(
          ChooserState(title: "", items: ["own", "quit"], texts: .init(placeholder: "", noMatch: { $0 })),
          context: .main, style: WidgetStyle(),
          choose: { if case .item(let index) = $0 { perform(chosen[index]) } })
      })
    dispatcher.dispatch(.key(.character(":")))
    #expect(listed == [.main] && screens.screens.count == 2)
    (screens.top as? ChooserScreen<Command, Context>)?.perform(.accept, in: screens)
    #expect(main.commands == [.own] && screens.screens.count == 1)
    // The key that opens the list closes it.
    dispatcher.perform(.list)
    dispatcher.dispatch(.key(.character(":")))
    #expect(listed == [.main, .main] && screens.top === main)
    dispatcher.perform(.list)
    (screens.top as? ChooserScreen<Command, Context>)?.perform(.down, in: screens)
    (screens.top as? ChooserScreen<Command, Context>)?.perform(.accept, in: screens)
    #expect(main.commands == [.own] && loop.isStopped)
  }
}
