import TerminalKit

// The program of the article "Screens and keys".

enum TodoCommand { case down, up, add, done, save, back, help, quit }
enum TodoKeys { case list, text, help }

let todoKeys = KeyMap<TodoCommand, TodoKeys>(
  [
    .init(["j", "Down"], .down, .move(.down), in: [.list, .help], help: "next line"),
    .init(["k", "Up"], .up, .move(.up), in: [.list, .help], help: "previous line"),
    .init(["a"], .add, in: [.list], help: "add"),
    .init(["Space"], .done, in: [.list], help: "done, or not"),
    .init(["Enter"], .save, .accept, in: [.text], help: "save"),
    .init(["Esc"], .back, .cancel, in: [.text, .help], help: "back"),
    .init(["?"], .help, .help, in: [.list, .help], help: "keys"),
    .init(["q"], .quit, .quit, in: [.list], help: "quit"),
  ], textContexts: [.text])

final class TodoList: Screen {
  let keyContext = TodoKeys.list
  private var items: [(text: String, isDone: Bool)] = []
  private var selection = ListSelection(count: 0)

  func perform(_ command: TodoCommand, in context: ScreenContext<TodoCommand, TodoKeys>) {
    if case .move(let movement) = context.keys.role(of: command) { selection.move(movement) }
    if command == .done, !items.isEmpty { items[selection.selected].isDone.toggle() }
    guard command == .add else { return }
    let state = PromptState(title: "To do")
    context.push(
      PromptScreen(state, context: .text, style: context.style) { [self] text, prompt in
        items.append((text, false))
        selection.count = items.count
        context.pop(prompt)
      })
  }

  func handle(_ event: Event, in context: ScreenContext<TodoCommand, TodoKeys>) {
    if case .mouse(let mouse) = event, selection.handle(mouse) { perform(.done, in: context) }
  }

  func prepare(in rect: Rect) { selection.layOut(in: rect.split(bottom: 1).middle) }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    selection.draw(on: &canvas, style: .init()) { TextRow(items[$0].text, isMarked: items[$0].isDone) }
  }
}

/// Its main program; no test opens a terminal.
@MainActor func runTodoList() throws {
  try Program.run(keys: todoKeys, help: (.help, "Keys")) { _ in TodoList() }
}
