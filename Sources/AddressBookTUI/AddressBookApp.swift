import AddressBookModel
import AvatarImage
import Glibc
import LDAPDirectory
import Messages
import SystemCalls
import TerminalKit

/// The full-screen interface.
@MainActor
public enum AddressBookApp {
  /// The descriptors that a screen and its searches need.
  private static let descriptors = 24

  /// Why the interface could not be opened.
  public enum Failure: Error {
    /// There is no suitable terminal. The value is the reason, in the user's language.
    case terminal(String)
  }

  /// Shows a book until the user quits.
  /// - Parameters:
  ///   - localization: the user-visible strings.
  ///   - pictureDecoder: decodes photos in another process; nil to decode them in this process, which then crashes if a
  ///     decoder does.
  ///   - pick: what the user is asked to choose; nil to show the book until the user quits. With a choice, standard
  ///     output may be a pipe: the interface uses the controlling terminal.
  ///   - directory: a company directory to show instead of the book, whose entries can be copied to the book; nil to
  ///     show the book.
  ///   - locate: returns the location of the book, to repair it if it is damaged.
  ///   - open: opens the book; called when there is a terminal to show it on, and again to reopen it. The book is
  ///     closed at the end.
  /// - Throws: ``Failure`` if there is no usable terminal, `StoreError` if the system lacks resources, or errors of
  ///   `locate` and `open`, unless the user had the book repaired.
  public static func run(
    localization: Localization = .shared, pictureDecoder: DecodingProcess? = nil, pick: ScreenPick? = nil,
    directory: DirectoryAccess? = nil, locate: () throws -> StoreLocation,
    open: () throws -> AddressBook
  ) throws {
    // Without a terminal, do not create a book. In a pipeline, the keys come from the controlling terminal, and the
    // pipe is not read.
    if !NcursesTerminal.hasKeyboard { throw Failure.terminal(message(of: .inputIsNotATerminal, localization)) }
    if pick == nil, isatty(STDOUT_FILENO) == 0 {
      throw Failure.terminal(message(of: .outputIsNotATerminal, localization))
    }
    // Before threads use memory: each would otherwise get its own heap.
    HeapLimits.set()
    // Prepares what the screen needs besides the book.
    let isPreparing = SystemThread.start {
      localization.prepare(table: "Screen")
      // The first call of `joined` in a process is slow, because Swift looks up its generic types by name.
      _ = KeyTable.standard.label(of: .help, in: .list)
    }
    // Without these, the program would hang or crash as soon as it starts background work.
    guard isPreparing, SystemLimits.canOpen(Self.descriptors) else {
      throw StoreError(.outOfResources, path: try locate().path ?? "")
    }
    let folders = UserFolders.ofProcess
    let screen = BookRescue(folders, localization)
    defer { screen.terminal?.restore() }
    let book = try screen.open(locate: locate, open)
    let terminal: NcursesTerminal
    do {
      terminal = try screen.openTerminal()
    } catch {
      book.close()
      throw Failure.terminal(message(of: error, localization))
    }
    var session = Session(book: book, reopening: nil, lost: [], signal: nil)
    var localization = localization
    var lost: [String] = []
    var issues: [ConfigurationIssue] = []
    show: while true {
      // Settings may have been changed since.
      let configuration = screen.settings.configuration
      issues = screen.settings.issues
      session = run(
        session.book, on: terminal, configuration, issues, folders, localization, pictureDecoder, pick,
        directory.map { DirectoryServerSource($0) }, isReopened: session.reopening != nil)
      // Reopening the book does not bring back what could not be saved.
      for message in session.lost where !lost.contains(message) { lost.append(message) }
      switch session.reopening {
      case .asItIs?: break
      case .inLanguage(let language)?: localization = Localization(language: language)
      case .examined?: try screen.examine(locate())
      case nil: break show
      }
      screen.rereadSettings()
      session.book = try screen.open(locate: locate, open)
    }
    terminal.restore()
    // The status line had room for only one issue.
    if issues.count > 1 { report(issues.map { $0.text(Strings(localization)) }) }
    report(lost)
    if let signal = session.signal { TerminalGuard.die(bySignal: signal) }
  }

  /// The result of showing a book, until the user quit or had it reopened.
  private struct Session {
    var book: AddressBook
    /// Why the book should be reopened; nil if the user quit.
    var reopening: AppEnvironment.Reopening?
    /// Messages about state that could not be saved for the next session.
    var lost: [String]
    /// The signal that ended the program; nil if none did.
    var signal: Int32?
  }

  /// Shows a book, and closes it.
  private static func run(
    _ book: AddressBook, on terminal: NcursesTerminal, _ configuration: Configuration, _ issues: [ConfigurationIssue],
    _ folders: UserFolders, _ localization: Localization, _ pictureDecoder: DecodingProcess?, _ pick: ScreenPick?,
    _ directory: (any DirectorySource)?, isReopened: Bool
  ) -> Session {
    let loop = EventLoop(terminal: terminal, input: terminal.input)
    loop.aroundStop = { stop in book.betweenWrites(stop) }
    let environment = AppEnvironment(
      book: book, strings: Strings(localization), configuration: configuration,
      theme: .named(configuration.theme, colors: terminal.colors), terminal: terminal, loop: loop, pick: pick,
      pictureDecoder: pictureDecoder, configurationFolder: folders.configuration)
    let browser = Self.browser(environment)
    if !isReopened {
      if let type = terminal.missingType { browser.parts.status.say(environment.strings("terminal.missingType", type)) }
      browser.parts.status.show(issues)
    }
    environment.screens.push(browser)
    if let directory {
      let actions = DirectoryActions(browser.parts, source: directory)
      environment.screens.push(DirectoryScreen(environment: environment, actions: actions, isWholeProgram: true))
    }
    browser.list.start()
    let shortening = LogShortening(book: book, loop: loop)
    let maintenance = DailyMaintenance(
      book: book, count: configuration.backups, trashDays: configuration.trashDays, status: browser.parts.status,
      strings: environment.strings, loop: loop)
    let following = SyncFollowing(browser.parts)
    browser.list.onEvent = { [weak browser] event in
      browser?.follow(event)
      switch event {
      case .written: following.follow()
      case .applied:
        shortening.schedule()
        maintenance.schedule()
      case .answered, .damaged, .failed: break
      }
    }
    let root = AppRoot(environment: environment)
    let state = SessionState(browser: browser, folder: folders.state, path: book.location.path)
    var isFirst = true
    let draw = { () -> Canvas? in
      // The saved state, the rest of the list and the search index can wait until the first frame is shown.
      if isFirst {
        loop.post {
          // Restore the sort order first: the rest of the list is read in that order.
          if directory == nil { state.restore() }
          browser.list.readRest()
          browser.list.buildIndex()
          maintenance.schedule()
          following.start()
          if directory == nil, pick == nil { browser.syncing.start() }
        }
      }
      isFirst = false
      return root.draw(size: terminal.size)
    }
    let handle = { (event: Event) in
      maintenance.recordEvent()
      root.handle(event)
    }
    loop.run(draw: draw, handle: handle)
    // Saving and closing can take a moment; before reopening the book, the last frame stays visible meanwhile.
    if environment.reopening == nil { terminal.restore() }
    let lost = directory == nil ? state.save() : []
    browser.list.stop()
    browser.syncing.stopAndWait()
    maintenance.stop()
    environment.screens.popAll()
    book.close()
    return Session(
      book: book, reopening: environment.reopening, lost: lost, signal: loop.terminationSignal)
  }

  /// The main screen with its list and its editor.
  static func browser(_ environment: AppEnvironment) -> BrowserScreen {
    let (loop, configuration) = (environment.loop, environment.configuration)
    let list = ContactList(book: environment.book, sections: configuration.sections) { work in loop.post(work) }
    list.searchOptions = .init(fuzzy: configuration.searchesFuzzily, t9: configuration.searchesByPhoneKeys)
    list.names = configuration.names
    list.layout.chosen = configuration.columns
    list.scrollOff = configuration.scrollOff
    let browser = BrowserScreen(
      environment: environment, list: list, editor: ContactEditor(book: environment.book))
    environment.fail = { [weak browser] in browser?.parts.status.fail($0) }
    list.onEvent = { [weak browser] in browser?.follow($0) }
    let localization = environment.strings.localization
    environment.book.onFileLoss { [weak browser] error in
      loop.post { browser?.parts.reopening.offer(error.message(in: localization), isRequested: false) }
    }
    browser.picking?.begin()
    return browser
  }

  private static func report(_ lines: [String]) {
    for line in lines {
      // A line may quote the configuration or a file name, which can contain control characters.
      let bytes = Array(("addressbook: " + DisplayText.clean(line) + "\n").utf8)
      _ = write(STDERR_FILENO, bytes, bytes.count)
    }
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

/// Draws the window, which has the open screens or, if it is too small for them, a plain message; passes events on.
@MainActor
final class AppRoot {
  private let environment: AppEnvironment
  private let dispatcher: Dispatcher<Command, KeyContext>

  init(environment: AppEnvironment) {
    self.environment = environment
    dispatcher = Dispatcher(
      environment.screens, terminal: environment.terminal,
      help: { [unowned environment] context in HelpScreen(environment: environment, requestedIn: context) },
      commands: { [unowned environment] context, perform in
        CommandPalette.screen(environment: environment, of: context, perform: perform)
      },
      refuses: { [unowned environment] in
        guard let refusal = environment.refusal else { return false }
        environment.fail(refusal)
        return true
      })
  }

  func draw(size: Size) -> Canvas {
    var canvas = Canvas(size: size, style: environment.theme.text)
    let window = Rect(size)
    let smallest = BrowserLayout.smallest
    if size.rows < smallest.rows || size.columns < smallest.columns {
      drawTooSmall(on: &canvas, in: window)
    } else {
      environment.screens.draw(on: &canvas, in: window)
    }
    return canvas
  }

  private func drawTooSmall(on canvas: inout Canvas, in window: Rect) {
    guard !window.isEmpty else { return }
    let smallest = BrowserLayout.smallest
    let text = environment.strings("screen.tooSmall", String(smallest.columns), String(smallest.rows))
    for (row, line) in TextWidth.wrap(text, columns: window.columns).prefix(window.rows).enumerated() {
      canvas.put(line, at: Point(row: row, column: 0), limit: window.columns, style: environment.theme.text)
    }
  }

  /// Passes an event to the dispatcher, except mouse events if the mouse is turned off.
  func handle(_ event: Event) {
    environment.days.refresh()
    environment.followTerminal()
    if case .mouse = event, !environment.configuration.usesMouse { return }
    dispatcher.dispatch(event)
  }
}
