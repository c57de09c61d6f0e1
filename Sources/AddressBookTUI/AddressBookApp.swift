import AddressBookModel
import Glibc
import TerminalKit

/// The full-screen program.
@MainActor
public enum AddressBookApp {
  /// Why the screen could not be opened.
  public enum Failure: Error {
    /// There is no terminal that it could be shown on; the reason in the person's language.
    case terminal(String)
  }

  /// Shows a book until the person quits.
  /// - Parameters:
  ///   - localization: the words.
  ///   - open: opens the book; called when there is a terminal to show it on. The book is closed at the end.
  /// - Throws: ``Failure`` when there is no usable terminal, or what `open` throws; nothing was shown then.
  public static func run(localization: Localization = .shared, open: () throws -> AddressBook) throws {
    // A program that is not at a terminal must not make a book.
    if isatty(STDIN_FILENO) == 0 { throw Failure.terminal(message(of: .inputIsNotATerminal, localization)) }
    if isatty(STDOUT_FILENO) == 0 { throw Failure.terminal(message(of: .outputIsNotATerminal, localization)) }
    let book = try open()
    let terminal: NcursesTerminal
    do {
      terminal = try NcursesTerminal()
    } catch {
      book.close()
      throw Failure.terminal(message(of: error, localization))
    }
    let loop = EventLoop(terminal: terminal, input: terminal.input)
    let environment = AppEnvironment(
      book: book, words: Words(localization), keys: .standard, theme: .named(.terminal, colors: terminal.colors),
      terminal: terminal, loop: loop)
    let browser = Self.browser(environment)
    environment.screens.push(browser)
    browser.list.start()
    let root = AppRoot(environment: environment)
    loop.run(draw: { root.draw(size: terminal.size) }, handle: { root.handle($0) })
    terminal.restore()
    browser.list.stop()
    book.close()
    if let signal = loop.terminationSignal { TerminalGuard.die(bySignal: signal) }
  }

  /// The main screen with its list and its editor.
  static func browser(_ environment: AppEnvironment) -> BrowserScreen {
    let loop = environment.loop
    let list = ContactList(book: environment.book) { work in loop.post(work) }
    let browser = BrowserScreen(
      environment: environment, list: list, editor: ContactEditor(book: environment.book, words: environment.words))
    list.onError = { [weak browser] error in browser?.show(reading: error) }
    return browser
  }

  private static func message(of error: TerminalError, _ localization: Localization) -> String {
    func text(_ key: String, _ arguments: String...) -> String {
      localization.text("error.terminal." + key, arguments: arguments, table: "Screen")
    }
    return switch error {
    case .inputIsNotATerminal: text("input")
    case .outputIsNotATerminal: text("output")
    case .noTerminalType: text("noType")
    case .unknownTerminalType(let name): text("unknownType", name)
    case .unsuitableTerminalType(let name): text("unsuitableType", name)
    case .system(let number): text("system", String(cString: strerror(number)))
    }
  }
}
