import AddressBookModel
import Messages
import TerminalKit

/// Opens the book. If it is damaged, offers to repair it first, on the terminal on which the book is then shown.
@MainActor
final class BookRescue {
  /// The terminal, once it has been opened.
  private(set) var terminal: NcursesTerminal?
  /// The user's settings, read when first needed: by then, another thread has usually made the key table.
  private(set) lazy var settings = ConfigurationFile.read(in: folders.configuration)
  private var configuration: Configuration { settings.configuration }
  private let folders: UserFolders
  private let localization: Localization

  init(_ folders: UserFolders, _ localization: Localization) {
    self.folders = folders
    self.localization = localization
  }

  /// Returns the terminal, which is opened when first needed.
  func openTerminal() throws(TerminalError) -> NcursesTerminal {
    if let terminal { return terminal }
    let opened = try NcursesTerminal(
      options: .init(
        mouse: configuration.usesMouse, focus: configuration.usesMouse, background: configuration.theme == .terminal,
        ambiguousWidth: configuration.ambiguousWidth.option,
        images: configuration.pictures.images, links: configuration.links.links))
    terminal = opened
    return opened
  }

  /// Opens the book, and tries again after each repair.
  /// - Throws: the error of `open` if the user quits, if there is no terminal, or if a repair cannot help; errors of
  ///   `locate`.
  func open(locate: () throws -> StoreLocation, _ open: () throws -> AddressBook) throws -> AddressBook {
    while true {
      do {
        return try open()
      } catch let error as StoreError where RescueScreen.helps(error) {
        // Without a terminal, only the error message is shown.
        guard let terminal = try? openTerminal() else { throw error }
        if try show(locate(), on: terminal, error) == .quit { throw error }
      }
    }
  }

  /// Examines a book that was open, and offers to repair it, if there is a terminal.
  func examine(_ location: StoreLocation) throws {
    if let terminal { _ = try show(location, on: terminal, nil) }
  }

  private func show(_ location: StoreLocation, on terminal: NcursesTerminal, _ error: StoreError?) throws
    -> RescueScreen.Outcome
  {
    let loop = EventLoop(terminal: terminal, input: terminal.input)
    // Screens get a book from their environment, but this screen shows none.
    let environment = AppEnvironment(
      book: try AddressBook.inMemory(), strings: Strings(localization), configuration: configuration,
      theme: .named(configuration.theme, colors: terminal.colors), terminal: terminal, loop: loop)
    let screen = RescueScreen(location, isOpenable: error == nil, environment: environment)
    environment.screens.push(screen)
    if let error { screen.offer(error) } else { screen.examine() }
    let root = AppRoot(environment: environment)
    loop.run(draw: { root.draw(size: terminal.size) }, handle: { root.handle($0) })
    environment.book.close()
    if let signal = loop.terminationSignal {
      terminal.restore()
      TerminalGuard.die(bySignal: signal)
    }
    return screen.outcome
  }
}
