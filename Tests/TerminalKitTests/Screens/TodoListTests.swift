import Foundation
import SharedMaterial
import TerminalKit
import TerminalKitTesting
import Testing

/// The to-do list of the article "Screens and keys": list, prompt, help, mouse and the last line.
@MainActor @Suite struct TodoListTests {
  private let terminal = RecordingTerminal(size: Size(rows: 8, columns: 40))
  private let context = ScreenContext(keys: todoKeys, loop: ManualLoop())
  private let dispatcher: Dispatcher<TodoCommand, TodoKeys>

  init() {
    context.push(TodoList())
    dispatcher = Dispatcher(context, terminal: terminal) { asked in
      HelpScreen(
        title: "Keys", help: HelpLines(keys: todoKeys) { $0 }, requestedIn: asked, context: .help,
        style: WidgetStyle())
    }
  }

  private var screen: [String] {
    var canvas = Canvas(size: terminal.size)
    context.draw(on: &canvas, in: Rect(canvas.size))
    return canvas.plainText().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private func type(_ text: String) {
    for character in text { dispatcher.dispatch(.key(.character(character))) }
  }

  private func add(_ text: String) {
    type("a" + text)
    dispatcher.dispatch(.key(Key(.enter)))
  }

  @Test func isAWholeProgram() {
    #expect(screen.last == " a add  Space done, or not  ? keys")
    add("milk")
    add("bread")
    type("j ")
    #expect(screen.prefix(2) == ["  milk", "● bread"])
    dispatcher.dispatch(.mouse(Mouse(.press, at: Point(row: 0, column: 3), clicks: 2)))
    #expect(screen.prefix(2) == ["● milk", "● bread"])
    type("?")
    #expect(screen[0].hasPrefix(" Keys") && screen.last == " j next line  Esc back")
  }

  @Test func thePromptShowsItsKeysInTheLastLine() {
    type("a")
    #expect(screen.last == " Enter save  Esc back" && screen.contains { $0.contains("To do") })
  }

  @Test func theArticleShowsThisProgram() throws {
    let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "TodoList.swift").path
    let article = try DocumentedCode(of: "TerminalKit", article: "ScreensAndKeys")
    // The empty lines between the parts count too.
    #expect(article.code.joined().count + article.code.count <= 48)
    let problems = try article.problems(in: source)
    #expect(problems == [])
  }

  // MARK: The article "Testing without a terminal"

  @Test func aRecordingTerminalShowsTheProgram() {
    let terminal = RecordingTerminal(size: Size(rows: 8, columns: 40))
    let context = ScreenContext(keys: todoKeys, loop: ManualLoop())
    let dispatcher = Dispatcher(context, terminal: terminal)
    func draw() {
      var canvas = Canvas(size: terminal.size)
      context.draw(on: &canvas, in: Rect(canvas.size))
      terminal.present(canvas)
    }
    context.push(TodoList())
    draw()
    dispatcher.dispatch(.key(.character("a")))
    for character in "milk" { dispatcher.dispatch(.key(.character(character))) }
    dispatcher.dispatch(.key(Key(.enter)))
    draw()
    #expect(terminal.text.hasPrefix("▸ milk"))
    #expect(terminal.changedLines == [0])
  }

  @Test func theRealLoopRunsTheProgram() {
    let input = PipeInput()
    let loop = EventLoop(terminal: terminal, input: input)
    let context = ScreenContext(keys: todoKeys, loop: loop)
    context.push(TodoList())
    input.type("amilk\rq")
    loop.run(Dispatcher(context, terminal: terminal))
    var canvas = Canvas(size: terminal.size)
    context.draw(on: &canvas, in: Rect(canvas.size))
    #expect(canvas.plainText().hasPrefix("▸ milk"))
  }

  @Test func theArticleShowsTheseTests() throws {
    let article = try DocumentedCode(of: "TerminalKit", article: "TestingWithoutATerminal")
    let problems = try article.problems(in: #filePath)
    #expect(problems == [])
  }
}
