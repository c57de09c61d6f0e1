import Foundation
import TerminalKit

/// Lists the files of a folder, by default the current one.
@main
struct FileLister {
  @MainActor static func main() {
    let path = CommandLine.arguments.dropFirst().first ?? FileManager.default.currentDirectoryPath
    do {
      let terminal = try NcursesTerminal()
      let loop = EventLoop(terminal: terminal, input: terminal.input)
      let screens = ScreenStack<Command, KeyContext>()
      let style = WidgetStyle()
      let folder = URL(fileURLWithPath: path).standardizedFileURL
      screens.push(FileScreen(folder, screens: screens, loop: loop, style: style))
      let dispatcher = Dispatcher(keys: keys, screens: screens, terminal: terminal, loop: loop) { context in
        HelpScreen(
          title: "Keys", help: HelpLines(keys: keys) { $0 }, requestedIn: context, context: .help,
          hints: [Hint(key: "Esc", word: "back")], style: style, close: { screens.pop($0) })
      }
      loop.run(dispatcher)
      terminal.restore()
      if let signal = loop.terminationSignal { TerminalGuard.die(bySignal: signal) }
    } catch {
      FileHandle.standardError.write(Data("file-lister: \(error)\n".utf8))
      exit(3)
    }
  }
}
