import AddressBookModel
import Contacts
import Dispatch
import Messages
import Synchronization
import TerminalKit
import TerminalKitTesting
import Testing

@testable import AddressBookTUI

/// The whole screen without a terminal: a book, in memory by default, a recording terminal, and a loop that runs what
/// other threads post.
@MainActor
final class ScreenHarness {
  let terminal: RecordingTerminal
  let loop = ManualLoop()
  let book: AddressBook
  let environment: AppEnvironment
  let browser: BrowserScreen
  private let root: AppRoot
  let clock: Clock
  /// The loop of the timer that waits for midnight, separate from the timers of the screens.
  let midnight = ManualLoop()
  let opened = OpenedLinks()

  init(
    rows: Int = 24, columns: Int = 80, colors: Int = 256, imageCell: PixelSize? = nil,
    imageProtocol: ImageProtocol = .kitty, showsPhotos: Bool = true,
    language: Language = .english, moment: Int = Clock.noon, keys: KeyTable = .standard,
    theme: Theme = .terminal, book shared: AddressBook? = nil, at location: StoreLocation = .inMemory,
    pick: ScreenPick? = nil, configuration: Configuration = Configuration(), _ contacts: [Contact] = []
  ) throws {
    terminal = RecordingTerminal(size: Size(rows: rows, columns: columns), colors: colors)
    terminal.imageCell = imageCell
    terminal.imageProtocol = imageProtocol
    book = try shared ?? AddressBook.open(at: location)
    if !contacts.isEmpty {
      try book.bulkWrite { writer in
        for contact in contacts { try writer.write(contact) }
      }
    }
    let clock = Clock(moment)
    self.clock = clock
    var configuration = configuration
    if !showsPhotos { configuration.pictures = .off }
    environment = AppEnvironment(
      book: book, strings: Strings(Localization(language: language)), configuration: configuration, keys: keys,
      theme: theme, terminal: terminal, loop: loop, pick: pick,
      days: DayClock(loop: midnight) { clock.moment })
    environment.photoFolder = Array(TestPhoto.folder.utf8)
    environment.importFolder = environment.photoFolder
    environment.opener = opened.opener()
    environment.syncRecords = nil
    environment.clipboard = Clipboard(variable: { _ in nil })
    browser = AddressBookApp.browser(environment)
    root = AppRoot(environment: environment)
    environment.screens.push(browser)
    browser.parts.detailPane.debounce.delay = 0
    browser.list.start()
    if browser.list.needsSorting(by: environment.configuration.order) {
      browser.list.sort(by: environment.configuration.order)
    }
    browser.list.readRest()
    try wait("the whole list") { self.browser.list.snapshot.isComplete }
  }

  /// What the screen shows, as text.
  var screen: String {
    draw()
    return terminal.text
  }

  /// The line with the arrow of the selection.
  var selectedLine: String {
    screen.split(separator: "\n").first { $0.contains("▸") }.map(String.init) ?? ""
  }

  /// Draws, and checks that what was kept from the last drawing gives the same result as drawing everything.
  func draw() {
    let canvas = root.draw(size: terminal.size)
    browser.invalidateDrawing()
    if root.draw(size: terminal.size) != canvas {
      Issue.record("What was kept from the last frame is wrong:\n\(canvas.plainText())")
    }
    terminal.present(canvas)
    expectCursorOnSelection(canvas)
  }

  /// Screen readers follow the cursor: without a visible one, the hidden one stands on a selected row, if there is one
  /// and the detail is not open beside it.
  private func expectCursorOnSelection(_ canvas: Canvas) {
    let top = environment.screens.top
    guard canvas.cursor == nil, !browser.parts.detailPane.isOpen, (top as? DirectoryScreen)?.isDetailOpen != true
    else { return }
    let selected = (0..<canvas.size.rows).filter { row in
      canvas.cells(ofLine: row).contains { $0.text == "▸" || $0.style == environment.theme.selection }
    }
    if !selected.isEmpty, !selected.contains(canvas.hiddenCursor?.row ?? -1) {
      Issue.record("The hidden cursor is at \(String(describing: canvas.hiddenCursor)):\n\(canvas.plainText())")
    }
  }

  /// Presses keys in their notation, separated by blanks; the screen is drawn after each.
  func press(_ keys: String) {
    for key in KeySequence(notation: keys)?.keys ?? [] { send(.key(key)) }
  }

  func type(_ text: String) {
    for character in text { send(.key(character == " " ? Key(.character(" ")) : .character(character))) }
  }

  func send(_ event: Event) {
    loop.drain()
    root.handle(event)
    draw()
  }

  /// Returns the cell where a text on the screen begins.
  func position(of text: String) throws -> Point {
    for (row, line) in screen.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let range = line.range(of: text) else { continue }
      return Point(row: row, column: TextWidth.columns(of: String(line[..<range.lowerBound])))
    }
    Issue.record("no \(text) on\n\(screen)")
    throw NotShown()
  }

  func doubleClick(_ text: String) throws {
    send(.mouse(Mouse(.press, at: try position(of: text), clicks: 2)))
  }

  struct NotShown: Error {}

  func resize(rows: Int, columns: Int) {
    terminal.size = Size(rows: rows, columns: columns)
    send(.resize(terminal.size))
  }

  /// Runs what other threads post until the condition holds.
  func wait(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation, until condition: () -> Bool
  ) throws {
    let deadline = DispatchTime.now() + .seconds(20)
    loop.drain()
    while !condition() {
      guard loop.waitForPost(until: deadline) else {
        Issue.record("Waited for \(what). The screen:\n\(screen)", sourceLocation: sourceLocation)
        throw TimedOut()
      }
      loop.drain()
    }
  }

  /// Runs what other threads post until the screen shows the text.
  func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait("the screen to show \(text.debugDescription)", sourceLocation: sourceLocation) {
      self.screen.contains(text)
    }
  }

  func waitForCounts() throws {
    let pane = environment.screens.top as? Chooser
    try wait("everything to be counted") {
      pane?.state.items.allSatisfy { !$0.detail.contains(TextWidth.ellipsis) } == true
    }
  }

  struct TimedOut: Error {}
}

/// Records the programs that would have been started.
final class OpenedLinks: Sendable {
  private let commands = Mutex<[[String]]>([])
  /// The system error to throw instead of starting a program.
  let failure = Mutex<Int32?>(nil)
  /// The exit status with which a program ends.
  let status = Mutex<Int32>(0)

  /// Programs with their arguments.
  var arguments: [[String]] { commands.withLock { $0 } }

  /// Returns an opener that starts nothing.
  func opener(command: [String]? = nil, variables: [String: String] = ["DISPLAY": ":0"]) -> LinkOpener {
    LinkOpener(command: command, variable: { variables[$0] }) {
      [self] (arguments, failed) throws(DetachedProgram.Failure) in
      if let code = failure.withLock({ $0 }) { throw DetachedProgram.Failure(code: code) }
      commands.withLock { $0.append(arguments) }
      let status = status.withLock { $0 }
      if status != 0 { failed(status) }
    }
  }
}

/// The time that a test pretends it is.
@MainActor
final class Clock {
  /// 12:00 UTC on 21 November 2026, which is that day nearly everywhere.
  nonisolated static let noon = 1_795_262_400
  /// Seconds since 1970.
  var moment: Int

  init(_ moment: Int) { self.moment = moment }
}

/// Contacts for the screen tests, similar to those of the end-to-end tests.
enum ScreenPeople {
  static let few: [Contact] = {
    func person(_ family: String, _ given: String, _ phone: String, _ change: (inout Contact) -> Void = { _ in })
      -> Contact
    {
      var contact = Contact()
      contact.uid = "screen-\(family)-\(given)"
      contact.family = family
      contact.given = given
      contact.phones = [LabeledValue(label: "mobile", value: phone)]
      change(&contact)
      return contact
    }
    return [
      person("李", "小龙", "13922223333") {
        $0.organization = "Golden Harvest"
        $0.title = "Actor"
        $0.emails = [LabeledValue(label: "home", value: "lee@example.com")]
        $0.birthday = PartialDate("1940-11-27")
        $0.groups = ["Friends", "Hong Kong"]
        $0.note = "Be water, my friend.\nSecond line."
        $0.addresses = [
          PostalAddress(label: "home", street: "41 Cumberland Road", city: "Kowloon", country: "Hong Kong")
        ]
      },
      person("李", "强", "138 0000 1111") { $0.organization = "Acme" },
      person("林", "青霞", "+852 5555 0101"),
      person("Lindström", "Åsa", "+46 31 555 01") {
        $0.emails = [LabeledValue(label: "", value: "asa@example.com")]
      },
      person("马", "云", "136 1111 0000") { $0.organization = "阿里巴巴" },
      person("Müller", "Jürgen", "+49 89 5550 12"),
      person("曾", "国藩", "13812345678"),
      person("Family", "The 👨‍👩‍👧‍👦", "110"),
      person("สมชาย", "", "+66 81 555 0101"),
      person("", "Zalgo e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", "1"),
    ]
  }()
}
