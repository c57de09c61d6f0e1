import AddressBookModel
import Contacts
import IDSets
import Messages
import ResultsController
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Duplicates on the screen: found, compared, and merged with the chosen values or marked as not the same; and the undo
/// of both.
@MainActor
struct DuplicatesScreenTests {
  private static let people: [Contact] = {
    func person(_ family: String, _ given: String, _ change: (inout Contact) -> Void) -> Contact {
      var contact = Contact()
      (contact.family, contact.given, contact.uid) = (family, given, "duplicate-\(family)-\(given)")
      change(&contact)
      return contact
    }
    return [
      person("Ek", "Bo") {
        $0.organization = "Acme"
        $0.title = "Actor"
        $0.phones = [LabeledValue(label: "mobile", value: "070-111 22 33")]
        $0.emails = [LabeledValue(label: "home", value: "bo@example.com")]
        $0.birthday = PartialDate("1980-05-01")
        $0.groups = ["Friends"]
        $0.note = "Met in Oslo."
      },
      person("Lee", "Ann") { $0.phones = [LabeledValue(label: "", value: "555 0100")] },
      person("Ek", "Bo") {
        $0.uid = "duplicate-Bo-2"
        $0.organization = "Bolaget AB"
        $0.nickname = "Bosse"
        $0.phones = [
          LabeledValue(label: "work", value: "+46 70 111 22 33"), LabeledValue(label: "home", value: "08-555 1234"),
        ]
        $0.emails = [LabeledValue(label: "work", value: "bo@example.com")]
        $0.note = "Likes tea."
      },
      person("Ek", "B.") {
        $0.phones = [LabeledValue(label: "", value: "08-555 1234")]
        $0.nickname = "Bobo"
      },
      person("王", "小明") { $0.phones = [LabeledValue(label: "mobile", value: "13812345678")] },
      person("王", "小明") {
        $0.uid = "duplicate-wang-2"
        $0.phones = [LabeledValue(label: "mobile", value: "+86 138 1234 5678")]
        $0.organization = "阿里巴巴"
      },
    ]
  }()

  /// Contacts that have only their names in common come last, in a class of their own.
  @Test func namesakesComeLast() throws {
    func namesake(_ number: Int, _ change: (inout Contact) -> Void = { _ in }) -> Contact {
      var contact = Contact()
      (contact.family, contact.given, contact.uid) = ("Abel", "Ada", "namesake-\(number)")
      change(&contact)
      return contact
    }
    let harness = try opened(
      Self.people + [
        namesake(1) { $0.phones = [LabeledValue(value: "1")] }, namesake(2) { $0.birthday = PartialDate("1990-01-01") },
      ])
    #expect(harness.screen.contains("1 with the same name only"), "\(harness.screen)")
    let lines = harness.screen.split(separator: "\n").filter { $0.contains("(2)") || $0.contains("(3)") }
    #expect(lines.last?.contains("Ada Abel (2)") == true && lines.last?.contains("same name only") == true)
    // Marked as not the same, they are not shown again.
    harness.press("G n")
    try harness.wait("the pair to go") { !harness.screen.contains("same name only") }
    harness.press("q M")
    try harness.wait("the search to end") { !harness.screen.contains("Looking") }
    #expect(!harness.screen.contains("same name only"))
  }

  private func opened(
    rows: Int = 24, columns: Int = 80, language: Language = .english, configuration: Configuration = Configuration(),
    _ contacts: [Contact] = people
  ) throws -> ScreenHarness {
    let harness = try ScreenHarness(
      rows: rows, columns: columns, language: language, configuration: configuration, contacts)
    harness.press("M")
    try wait(harness)
    return harness
  }

  /// Waits until the search for duplicates has ended.
  private func wait(_ harness: ScreenHarness) throws {
    let none = harness.environment.strings("duplicates.none")
    let looking = harness.environment.strings("duplicates.finding", "").prefix(8)
    try harness.wait("all duplicates") { !harness.screen.contains(looking) || harness.screen.contains(none) }
  }

  private func contact(_ uid: String, _ harness: ScreenHarness) throws -> Contact? {
    try harness.book.contact(uid: uid)
  }

  private func mark(_ harness: ScreenHarness, _ uids: String...) throws {
    let ids = try uids.map { try #require(try harness.book.contact(uid: $0)).id }
    harness.browser.parts.listPane.marks = Marks(IDSet(ids))
  }

  // MARK: Looks

  @Test(arguments: ScreenGoldenTests.views)
  func matchesTheGoldens(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try opened(rows: size.rows, columns: size.columns, language: language)
    let name = "duplicates-\(size.columns)x\(size.rows)-\(language.rawValue)"
    try Golden.check(harness.screen, name)
    harness.press("j Enter")
    try Golden.check(harness.screen, name + "-open")
  }

  @Test(arguments: ScreenGoldenTests.views)
  func matchesTheGoldensWithoutDuplicates(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try opened(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    try Golden.check(harness.screen, "duplicates-none-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func everySizeCanBeDrawn() throws {
    let harness = try opened()
    for rows in stride(from: 10, through: 45, by: 5) {
      for columns in stride(from: 40, through: 140, by: 9) {
        harness.resize(rows: rows, columns: columns)
        harness.press("Enter l j j")
        harness.press("Esc")
      }
    }
    #expect(harness.screen.contains("Duplicates"))
  }

  @Test func theFavoritesHaveTheirNameInTheComparison() {
    var contact = Contact()
    contact.groups = ["Work", "starred"]
    let text = ValueText(strings: Strings(Localization(language: .english)))
    #expect(text.lines(of: .special(.groups), contact) == ["★ Favorites, Work"])
  }

  // MARK: Merging

  @Test func undoOfAMergeShowsTheCandidateAgain() throws {
    let harness = try opened()
    let before = try harness.book.contactCount()
    harness.press("m")
    try harness.wait(for: "Merged 2 contacts into one: 王小明. Press u to undo.")
    try harness.wait("the other suggestion alone") { harness.screen.contains("1 suggestion") }
    let merged = try #require(try contact("duplicate-王-小明", harness))
    #expect(merged.phones.map(\.value) == ["+86 138 1234 5678"] && merged.organization == "阿里巴巴")
    #expect(try harness.book.contactCount() == before - 1)
    harness.press("u")
    try harness.wait("both contacts to be back, and selected") {
      harness.screen.contains("2 suggestions") && harness.selectedLine.contains("王小明")
    }
    #expect(try harness.book.contactCount() == before)
    #expect(try contact("duplicate-王-小明", harness)?.organization == "")
    harness.press("^R")
    try harness.wait("the merge to be redone") { (try? harness.book.contactCount()) == before - 1 }
    harness.press("u Esc")
    #expect(try harness.book.contactCount() == before)
  }

  @Test func aMergeCanBeUndoneFromTheList() throws {
    let harness = try opened()
    harness.press("m")
    try harness.wait(for: "Merged 2 contacts")
    harness.press("Esc u")
    #expect(harness.screen.contains("Undone: Merge into 王小明."))
    #expect(try harness.book.contactCount() == Self.people.count)
  }

  @Test func valuesAreChosenOneByOne() throws {
    let harness = try opened(columns: 120)
    harness.press("j Enter")
    #expect(harness.screen.contains("likely: name, email, phone"))
    // The nickname of the third, the organization of the second; values that are not chosen go into the note.
    harness.press("j l l Enter j h Enter")
    #expect(harness.screen.contains("◉ Bobo") && harness.screen.contains("◉ Bolaget AB"))
    harness.press("m")
    try harness.wait(for: "Merged 3 contacts into one: Bo Ek")
    let merged = try #require(try contact("duplicate-Ek-Bo", harness))
    #expect(merged.nickname == "Bobo" && merged.organization == "Bolaget AB" && merged.title.isEmpty)
    #expect(
      merged.note.contains("Job title: Actor") && merged.note.contains("Nickname: Bosse")
        && merged.note.contains("Organization: Acme"))
    #expect(merged.phones.map(\.value) == ["+46 70 111 22 33", "08-555 1234"])
    harness.press("u")
    try harness.wait("three contacts again") { (try? harness.book.contactCount()) == Self.people.count }
  }

  @Test func theMainContactCanBeChangedAndOneLeftOut() throws {
    let harness = try opened()
    harness.press("j Enter l c")
    #expect(harness.screen.contains("main contact"))
    harness.press("l x")
    #expect(harness.screen.contains("left out"))
    harness.press("h x")
    #expect(harness.screen.contains("At least two contacts must remain."))
    harness.press("m")
    try harness.wait(for: "Merged 2 contacts")
    let merged = try #require(try contact("duplicate-Bo-2", harness))
    #expect(merged.organization == "Bolaget AB" && merged.birthday == PartialDate("1980-05-01"))
    #expect(try contact("duplicate-Ek-Bo", harness) == nil && contact("duplicate-Ek-B.", harness) != nil)
  }

  @Test func aFieldWithoutChoicesSaysSo() throws {
    let harness = try opened()
    harness.press("j Enter j j j j j j j j j j j j Enter")
    #expect(harness.screen.contains("Nothing to choose here: every value is kept."))
  }

  @Test func theFocusStaysWhenAContactChanges() throws {
    let harness = try opened()
    harness.press("j Enter j j l")
    let others = harness.book.newContext()
    let id = try #require(try contact("duplicate-Bo-2", harness)).id
    let person = try #require(try others.person(id))
    try person.set("organization", to: "Nya Bolaget AB")
    try others.save()
    try harness.wait(for: "Nya Bolaget")
    harness.press("Enter")
    #expect(harness.screen.contains("◉ Nya Bolaget AB"), "\(harness.screen)")
  }

  @Test func aWholeContactIsShownWithItsPhoto() throws {
    let harness = try ScreenHarness(rows: 24, columns: 80, Self.people)
    let id = try #require(try contact("duplicate-wang-2", harness)).id
    let context = harness.book.newContext()
    try context.person(id)?.setPhoto(TestPhoto.stored("jpeg-baseline.jpg"))
    try context.save()
    harness.press("M")
    try wait(harness)
    harness.press("Enter l o")
    let initial = harness.screen
    #expect(initial.contains("阿里巴巴") && initial.contains("█王█"))
    try harness.wait("the drawing") { !harness.screen.contains("█") }
    #expect(harness.terminal.canvas?[2, 3].style.background != .standard, "\(harness.screen)")
  }

  @Test func aWholeContactIsShown() throws {
    let harness = try opened()
    harness.press("Enter l o")
    #expect(harness.screen.contains("wáng xiǎo míng") && harness.screen.contains("阿里巴巴"))
    harness.press("q")
    #expect(harness.screen.contains("1 of 2"))
    harness.press("J")
    #expect(harness.screen.contains("2 of 2"))
    harness.press("K Esc")
    #expect(harness.screen.contains("2 suggestions"))
  }

  // MARK: Not the same

  @Test func notTheSameIsStoredAndUndone() throws {
    let harness = try opened()
    harness.press("n")
    try harness.wait(for: "Marked 2 contacts as not the same. Press u to undo.")
    #expect(harness.screen.contains("1 suggestion"))
    harness.press("q M")
    try wait(harness)
    #expect(!harness.screen.contains("王小明"))
    harness.press("u")
    try harness.wait(for: "Undone: marked as not the same.")
    try harness.wait("the candidate to be back") {
      harness.screen.contains("2 suggestions") && harness.screen.contains("王小明")
    }
    #expect(try harness.book.duplicates().count == 2)
    harness.press("^R")
    try harness.wait(for: "Redone: marked as not the same.")
    #expect(harness.screen.contains("1 suggestion") && !harness.screen.contains("王小明"))
    #expect(try harness.book.duplicates().count == 1)
  }

  @Test func whileASearchRunsAgainDuplicatesAreNotDenied() throws {
    let harness = try opened(Array(Self.people.suffix(2)))
    harness.press("n")
    try harness.wait(for: "There are no duplicates.")
    harness.press("q M")
    try harness.wait(for: "There are no duplicates.")
    harness.press("u")
    try harness.wait(for: "Undone: marked as not the same.")
    #expect(!harness.screen.contains("There are no duplicates."))
    try harness.wait(for: "1 suggestion")
  }

  @Test func undoRevertsTheLastAction() throws {
    let harness = try opened()
    harness.press("n")
    try harness.wait(for: "Marked 2 contacts as not the same.")
    harness.press("m")
    try harness.wait(for: "Merged 3 contacts")
    try harness.wait(for: "There are no duplicates.")
    harness.press("u")
    try harness.wait("the merge to be undone") { (try? harness.book.contactCount()) == Self.people.count }
    harness.press("u")
    try harness.wait(for: "Undone: marked as not the same.")
    #expect(try harness.book.duplicates().count == 2)
  }

  // MARK: Names and errors

  @Test func namesAreShownInTheConfiguredOrder() throws {
    var configuration = Configuration()
    configuration.names.latin = .family
    let harness = try opened(configuration: configuration)
    #expect(harness.screen.contains("Ek, Bo") && !harness.screen.contains("Bo Ek"))
    harness.press("j m")
    try harness.wait(for: "Merged 3 contacts into one: Ek, Bo.")
  }

  @Test func anUnreadableBookIsReportedInTheComparison() throws {
    let harness = try opened()
    harness.press("Enter")
    try harness.book.database.write { try $0.execute(sql: "DROP TABLE address") }
    harness.press("J")
    #expect(harness.screen.contains("The book could not be read"))
  }

  // MARK: Marked contacts

  @Test func markedContactsAreMergedByHand() throws {
    let harness = try ScreenHarness(Self.people)
    try mark(harness, "duplicate-Ek-Bo", "duplicate-Lee-Ann")
    harness.press("M")
    #expect(harness.screen.contains("Merge 2 contacts") && harness.screen.contains("1 Bo Ek"))
    #expect(harness.screen.contains("2 Ann Lee"))
    harness.press("l Enter m")
    try harness.wait(for: "Merged 2 contacts into one: Ann Lee. Press u to undo.")
    #expect(harness.environment.screens.top is BrowserScreen && harness.browser.parts.listPane.marks.isEmpty)
    #expect(try contact("duplicate-Ek-Bo", harness)?.note.contains("Full name: Bo Ek") == true)
    harness.press("u")
    #expect(try contact("duplicate-Lee-Ann", harness) != nil && contact("duplicate-Ek-Bo", harness)?.given == "Bo")
  }

  @Test func oneMarkedContactIsNotEnough() throws {
    let harness = try ScreenHarness(Self.people)
    harness.press("Space M")
    #expect(harness.screen.contains("Only one contact is marked. Mark another one to merge them."))
  }

  // MARK: Other programs, and the mouse

  @Test func changesOfOtherProgramsAreShown() throws {
    let harness = try opened()
    let others = harness.book.newContext()
    others.mergePolicy = .objectWins
    let id = try #require(try contact("duplicate-wang-2", harness)).id
    harness.press("Enter")
    try #require(try others.person(id)).set("organization", to: "Taobao")
    try others.save()
    try harness.wait(for: "Taobao")
    try others.delete(try #require(try others.person(id)))
    try others.save()
    try harness.wait("the candidate to be gone") {
      !harness.screen.contains("Taobao") && harness.screen.contains("1 of 1")
    }
    harness.press("Esc")
    #expect(harness.screen.contains("1 suggestion"))
  }

  @Test func theSearchForDuplicatesCanBeStopped() throws {
    let harness = try ScreenHarness(Array(SampleContacts(count: 3000, seed: 4)))
    harness.press("M Esc")
    #expect(harness.environment.screens.top is DuplicatesScreen)
    try harness.wait(for: "Stopped. There may be duplicates that were not found.")
    #expect(!harness.screen.contains("There are no duplicates."))
    harness.press("Esc")
    #expect(harness.environment.screens.top is BrowserScreen)
  }

  @Test func theMouseChoosesAValue() throws {
    let harness = try opened()
    harness.press("j Enter")
    let point = try harness.position(of: "Bolaget")
    harness.send(.mouse(Mouse(.press, at: point)))
    #expect(harness.screen.contains("◉ Bolaget AB"))
    harness.press("Esc g g")
    try harness.doubleClick("Bo Ek")
    #expect(harness.screen.contains("2 of 2"))
  }
}
