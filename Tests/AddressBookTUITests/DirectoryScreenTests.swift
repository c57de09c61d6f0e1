import AddressBookModel
import Contacts
import LDAPDirectory
import Messages
import Testing

@testable import AddressBookTUI

/// A company directory on the screen.
@MainActor
struct DirectoryScreenTests {
  private let directory: FakeDirectory
  private let harness: ScreenHarness
  private let screen: DirectoryScreen

  private static let people = ScreenPeople.few

  init() throws { try self.init(rows: 24, columns: 80, .english) }

  private init(
    rows: Int, columns: Int, _ language: Language, _ contacts: [Contact] = DirectoryScreenTests.people,
    isWholeProgram: Bool = true, configuration: Configuration = Configuration()
  ) throws {
    directory = FakeDirectory(contacts)
    harness = try ScreenHarness(rows: rows, columns: columns, language: language, configuration: configuration)
    let actions = DirectoryActions(harness.browser.parts, source: directory)
    screen = DirectoryScreen(
      environment: harness.environment, actions: actions, isWholeProgram: isWholeProgram)
    harness.environment.screens.push(screen)
  }

  /// Types a search, and waits for its results.
  private func search(_ text: String) throws {
    harness.type(text)
    harness.loop.advanceTime()
    try harness.wait("an answer") { screen.state.phase != .searching && screen.state.phase != .idle }
    harness.draw()
    try harness.wait("the photo") { screen.isIdle }
  }

  private func copy() throws {
    harness.press("a")
    try harness.wait("the copy") { harness.browser.parts.work.task == nil }
  }

  // MARK: What it looks like

  @Test(arguments: ScreenGoldenTests.views)
  func matchesTheGoldens(size: (rows: Int, columns: Int), language: Language) throws {
    let test = try DirectoryScreenTests(rows: size.rows, columns: size.columns, language)
    try test.search("l")
    let name = "-\(size.columns)x\(size.rows)-\(language.rawValue)"
    try Golden.check(test.harness.screen, "directory-search" + name)
    test.harness.press("Enter j Space")
    try test.harness.wait("the photo") { test.screen.isIdle }
    try Golden.check(test.harness.screen, "directory-list" + name)
    test.harness.press("Esc k Enter")
    try test.harness.wait("the photo") { test.screen.isIdle }
    try Golden.check(test.harness.screen, "directory-detail" + name)
  }

  @Test(arguments: ScreenGoldenTests.views)
  func showsHintsAndErrors(size: (rows: Int, columns: Int), language: Language) throws {
    let test = try DirectoryScreenTests(rows: size.rows, columns: size.columns, language)
    let name = "-\(size.columns)x\(size.rows)-\(language.rawValue)"
    try Golden.check(test.harness.screen, "directory-empty" + name)
    test.directory.state.withLock { $0.error = DirectoryError(.unreachable, detail: "Can't contact LDAP server") }
    try test.search("ann")
    try Golden.check(test.harness.screen, "directory-failed" + name)
  }

  // MARK: Searching

  @Test func searchesStartAfterAPauseAndTheNewestWins() throws {
    directory.state.withLock { $0.endless = ["m"] }
    harness.type("m")
    #expect(directory.state.withLock { $0.searches } == [])
    harness.loop.advanceTime()
    harness.loop.drain()
    #expect(harness.screen.contains("searching…"))
    // Keys still work while the server is busy.
    harness.type("ü")
    harness.type("l")
    harness.loop.advanceTime()
    try harness.wait(for: "1 found")
    #expect(directory.state.withLock { $0.searches } == ["m", "mül"])
    #expect(harness.screen.contains("Jürgen"))
  }

  @Test func anEmptyFieldSendsNoSearch() throws {
    try search("ma")
    harness.press("^U")
    harness.loop.advanceTime()
    #expect(directory.state.withLock { $0.searches } == ["ma"])
    #expect(harness.screen.contains("Search in ldap.example.com"))
    harness.type("  \"")
    harness.loop.advanceTime()
    harness.loop.drain()
    #expect(directory.state.withLock { $0.searches } == ["ma"])
  }

  @Test func aSearchCanBeStopped() throws {
    directory.state.withLock { $0.endless = ["m"] }
    harness.type("m")
    harness.loop.advanceTime()
    harness.press("Esc")
    #expect(!harness.screen.contains("searching…"))
    harness.press("q")
    #expect(harness.loop.isStopped)
  }

  @Test func aSearchThatIsAboutToStartCanBeStopped() throws {
    harness.type("m")
    harness.press("Esc")
    harness.loop.advanceTime()
    harness.loop.drain()
    #expect(directory.state.withLock { $0.searches } == [])
    #expect(screen.state.phase == .idle)
  }

  @Test func resultsOfThePreviousSearchAreNotShownForAStoppedOne() throws {
    try search("m")
    #expect(!screen.state.entries.isEmpty)
    directory.state.withLock { $0.endless = ["mü"] }
    harness.type("ü")
    harness.loop.advanceTime()
    #expect(!screen.state.entries.isEmpty, "they stay while the next search runs")
    harness.press("Esc")
    #expect(screen.state.entries.isEmpty && harness.screen.contains("Search in ldap.example.com"))
  }

  /// The order is compared with that of a book's list of the same contacts.
  @Test(arguments: NameStyle.Order.allCases)
  func entriesAreInTheOrderOfTheBook(latin: NameStyle.Order) throws {
    let people = [("Zuse", "Anna"), ("Adams", "Zoe"), ("Müller", "Anja"), ("", "Maria"), ("马", "a云")].map { name in
      var contact = Contact()
      (contact.family, contact.given, contact.uid) = (name.0, name.1, name.0 + name.1)
      return contact
    }
    var phonetic = Contact()
    (phonetic.family, phonetic.given, phonetic.uid, phonetic.phoneticFamily) = ("Baker", "Ava", "p", "Yaker")
    var configuration = Configuration()
    configuration.names.latin = latin
    let test = try DirectoryScreenTests(
      rows: 24, columns: 80, .english, people + [phonetic], configuration: configuration)
    try test.search("a")
    let book = try ScreenHarness(configuration: configuration, people + [phonetic])
    let rows = 0..<people.count + 1
    let uids = try book.browser.list.snapshot.ids(inFlatRows: rows).map { try book.book.contact(id: $0)?.uid }
    #expect(test.screen.state.entries.map(\.found.contact.uid) == uids)
  }

  @Test func incompleteResultsAreReported() throws {
    directory.state.withLock { $0.isCut = true }
    try search("l")
    #expect(harness.screen.contains("+ found"))
    #expect(harness.screen.contains("The directory has more"))
  }

  @Test func anErrorIsShownAndTheNextSearchWorks() throws {
    directory.state.withLock { $0.error = DirectoryError(.refused, detail: "no\u{1B}[2J\nmore") }
    try search("l")
    #expect(harness.screen.contains("ldap.example.com refused the search: no"))
    #expect(!harness.screen.contains("\u{1B}"))
    directory.state.withLock { $0.error = nil }
    try search("i")
    #expect(harness.screen.contains("found") && !harness.screen.contains("refused"))
  }

  @Test func textFromAServerIsShownAsText() throws {
    var hostile = Contact()
    hostile.uid = "h"
    hostile.formattedName = "Evil\u{1B}[31m\u{9B}2J\u{202E}\n" + String(repeating: "長い", count: 5000)
    hostile.organization = "\u{1B}]0;x\u{07}"
    hostile.phones = (0..<500).map { LabeledValue(label: "\u{1B}c", value: "\u{1B}\($0)") }
    hostile.note = String(repeating: "\u{1B}[2J\t\u{8}", count: 10_000)
    let test = try DirectoryScreenTests(rows: 24, columns: 120, .english, [hostile])
    try test.search("evil")
    test.harness.press("Enter Enter PgDn")
    let isClean = test.harness.screen.unicodeScalars.allSatisfy {
      $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
    }
    #expect(isClean)
    try test.copy()
    #expect(try test.harness.book.contactCount() == 1)
  }

  // MARK: Copying

  @Test func copyingAgainChangesNothingAndTheCopyIsUndone() throws {
    try search("müller")
    harness.press("Enter")
    try copy()
    #expect(harness.screen.contains("Copied Jürgen Müller to your book. Press u to undo."))
    let stored = try #require(try harness.book.contacts(ids: harness.book.listRows().map(\.id)).first)
    #expect(stored.phones.map(\.value) == ["+49 89 5550 12"])
    try copy()
    #expect(harness.screen.contains("Jürgen Müller is already in your book, unchanged."))
    #expect(try harness.book.contactCount() == 1)
    harness.press("u")
    try harness.wait("the undo") { (try? harness.book.contactCount()) == 0 }
    #expect(harness.screen.contains("Undone: "))
  }

  @Test func copyingAgainKeepsLocalEdits() throws {
    try search("müller")
    harness.press("Enter")
    try copy()
    let id = try #require(try harness.book.listRows().first?.id)
    _ = try harness.book.bulkEdit(
      [id], .change { $0.note = "My note" }, as: StepName(.edit), isCancelled: { false })
    directory.state.withLock { state in
      let index = state.entries.firstIndex { $0.contact.family == "Müller" }!
      var contact = state.entries[index].contact
      contact.title = "Head"
      contact.phones = [LabeledValue(label: "work", value: "+49 89 5550 99")]
      state.entries[index] = DirectoryContact(id: state.entries[index].id, contact: contact)
    }
    try copy()
    #expect(harness.screen.contains("Updated Jürgen Müller in your book."))
    let stored = try #require(try harness.book.contact(id: id))
    #expect(stored.note == "My note" && stored.title == "Head")
    #expect(stored.phones.map(\.value) == ["+49 89 5550 99"])
    #expect(try harness.book.contactCount() == 1)
  }

  @Test func markedEntriesOfSeveralSearchesAreCopiedTogether() throws {
    try search("müller")
    harness.press("Enter Space / ^U")
    try search("lind")
    harness.press("Enter Space")
    #expect(harness.screen.contains("● 2"))
    directory.state.withLock { $0.entries.removeAll { $0.contact.family == "Müller" } }
    try copy()
    #expect(
      harness.screen.contains("Copied to your book: 1 added, 0 updated, 0 unchanged. 1 not copied."))
    #expect(try harness.book.contactCount() == 1)
    #expect(!harness.screen.contains("●"))
  }

  @Test func nothingIsCopiedIfTheServerIsDown() throws {
    try search("l")
    harness.press("Enter A")
    directory.state.withLock { $0.error = DirectoryError(.unreachable, detail: "gone") }
    try copy()
    #expect(harness.screen.contains("✗ Cannot connect to ldap.example.com: gone"))
    #expect(try harness.book.contactCount() == 0)
    #expect(!screen.state.marks.isEmpty)
  }

  // MARK: Keys

  @Test func closingReturnsToTheListOrQuits() throws {
    harness.press("Esc Esc")
    #expect(!harness.loop.isStopped && harness.screen.contains("Press q to quit."))
    harness.press("q")
    #expect(harness.loop.isStopped)
    let inside = try DirectoryScreenTests(rows: 24, columns: 80, .english, isWholeProgram: false)
    inside.harness.press("Esc Esc")
    #expect(inside.harness.environment.screens.top is BrowserScreen)
  }

  @Test func aKeyInTheListOpensTheDirectory() throws {
    let harness = try ScreenHarness(DirectoryScreenTests.people)
    harness.press("L")
    #expect(harness.screen.contains("set “directories” in config.toml"))
    harness.environment.directories = [FakeDirectory()]
    harness.press("L")
    #expect(harness.screen.contains("Search in ldap.example.com"))
    harness.press("Esc q")
    #expect(harness.environment.screens.top is BrowserScreen)
    harness.environment.directories = [FakeDirectory(), FakeDirectory()]
    harness.press("L Enter")
    #expect(harness.environment.screens.top is DirectoryScreen)
  }

  @Test func valuesAreOpenedAndCopied() throws {
    try search("lindström")
    harness.press("Enter o")
    #expect(harness.screen.contains("asa@example.com"))
    harness.press("Enter")
    #expect(harness.opened.arguments.count == 1)
    harness.press("y")
    #expect(harness.screen.contains("+46 31 555 01") && harness.terminal.copiedTexts == [])
    harness.press("Enter")
    #expect(harness.terminal.copiedTexts == ["+46 31 555 01"])
  }

  // MARK: The detail

  @Test func furtherResultsDoNotScrollTheDetail() throws {
    let people = ["Adams", "Berg", "Cole"].map { family in
      var contact = Contact()
      (contact.family, contact.given, contact.uid) = (family, "Anna", family)
      contact.organization = "Acme"
      contact.note = (1...60).map { "Line \($0)" }.joined(separator: "\n")
      return contact
    }
    let test = try DirectoryScreenTests(rows: 12, columns: 40, .english, people)
    test.directory.state.withLock { $0.holdsResults = true }
    test.harness.type("anna")
    test.harness.loop.advanceTime()
    try test.harness.wait("the first result") { test.screen.state.entries.count == 1 }
    test.harness.press("Enter Enter")
    #expect(test.harness.screen.contains("Acme"))
    test.harness.press("PgDn")
    #expect(!test.harness.screen.contains("Acme") && test.harness.screen.contains("Line"))
    test.directory.state.withLock { $0.holdsResults = false }
    try test.harness.wait("the other results") { test.screen.state.entries.count == 3 }
    try test.harness.wait("the end") { test.screen.state.phase != .searching }
    #expect(test.screen.state.selected?.id == "uid=Adams")
    #expect(!test.harness.screen.contains("Acme") && test.harness.screen.contains("Line"))
  }
}
