import SharedMaterial
import TerminalKit
import TerminalKitTesting
import Testing

@MainActor struct TheFirstPageTests {
  @Test func theFirstPagePrintsThis() throws {
    let print = PrintedLines()

    enum Command { case down, help, quit }
    enum Keys { case names, help }

    let keys = KeyMap<Command, Keys>([
      .init(["j", "Down"], .down, .move(.down), in: [.names, .help], help: "next line"),
      .init(["?"], .help, .help, in: [.names, .help], help: "keys"),
      .init(["q"], .quit, .quit, in: [.names], help: "quit"),
    ])

    final class Names: Screen {
      let keyContext = Keys.names
      private let names = ["王小明", "김민준", "Zoë"]
      private var selection = ListSelection(count: 3)

      func perform(_ command: Command, in context: ScreenContext<Command, Keys>) {
        if case .move(let movement) = context.keys.role(of: command) { selection.move(movement) }
      }

      func prepare(in rect: Rect) { selection.layOut(in: rect.split(bottom: 1).middle) }

      func draw(on canvas: inout Canvas, in rect: Rect) {
        selection.draw(on: &canvas, style: WidgetStyle()) { TextRow(names[$0], right: "line \($0 + 1)") }
      }
    }

    let context = ScreenContext(keys: keys, loop: ManualLoop())
    context.push(Names())
    Dispatcher(context, terminal: RecordingTerminal()).dispatch(.key(.character("j")))
    var canvas = Canvas(size: Size(rows: 4, columns: 24))
    context.draw(on: &canvas, in: Rect(canvas.size))
    print(canvas.plainText())

    for line in HelpLines(keys: keys, text: { $0 }).lines { print(line.keys, line.text, separator: ": ") }

    let problems = try DocumentedCode(of: "TerminalKit").problems(in: #filePath, printed: print.lines)
    #expect(problems == [])
  }
}
