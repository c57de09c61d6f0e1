import AddressBookModel
import Contacts
import Dispatch
import TerminalKit
import Testing

@testable import AddressBookTUI

/// What the main screen and its form do, without a terminal.
@MainActor
struct BrowserTests {
  @Test func aMatchThatNoColumnShowsIsNamed() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("/ w a t e r")
    try harness.wait("one match") { harness.browser.list.rowCount == 1 }
    #expect(harness.selectedLine.contains("note: Be water, my fr"))
  }

  @Test func aLetterWithoutContactsLeadsToTheNextWithSome() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' u")
    #expect(harness.selectedLine.contains("曾国藩"))
  }

  @Test func aChangedFamilyNameMovesTheContactToItsSection() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' m e")
    #expect(harness.screen.contains("Section M"))
    harness.press("Backspace")
    harness.type("白")
    #expect(harness.screen.contains("Section B"))
    harness.press("^S")
    try harness.wait("the new name") { harness.selectedLine.contains("白云") }
    harness.press("u")
    try harness.wait("the name before") { harness.selectedLine.contains("马云") }
  }

  @Test func searchKeepsTheSelectionWhenItEnds() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' z")
    #expect(harness.selectedLine.contains("曾国藩"))
    harness.press("/ l i n")
    try harness.wait("the matches") { harness.browser.list.rowCount == 3 }
    #expect(harness.selectedLine.contains("林青霞"), "the best match is selected")
    harness.press("^P Esc")
    try harness.wait("all contacts") { harness.browser.list.rowCount == 10 }
    #expect(harness.selectedLine.contains("李小龙"))
    harness.press("/ Esc")
    try harness.wait("all contacts") { harness.browser.list.rowCount == 10 }
    #expect(harness.selectedLine.contains("李小龙"))
  }

  /// Of equally good matches, the first in the list is selected, whatever their ids are, and the list begins at its first
  /// match.
  @Test(arguments: [ContactSortOrder.name, .organization])
  func equallyGoodMatchesGoByTheOrderOfTheList(order: ContactSortOrder) throws {
    let others = (0..<40).map { number -> Contact in
      var contact = Contact()
      contact.given = "Person \(number)"
      return contact
    }
    let kims = ["Eve", "Cem", "Dan", "Ann", "Bob"].enumerated().map { number, given -> Contact in
      var contact = Contact()
      (contact.given, contact.family, contact.organization) = (given, "Kim", "Company \(number)")
      return contact
    }
    let harness = try ScreenHarness(others + kims)
    if order != .name {
      harness.browser.list.sort(by: order)
      try harness.wait("the order") { harness.browser.list.shown.order == order }
    }
    harness.press("G / k i m")
    try harness.wait("the matches") { harness.browser.list.rowCount == 5 }
    #expect(harness.selectedLine.contains(order == .name ? "Ann Kim" : "Eve Kim"))
    #expect(harness.browser.list.top == 0)
    #expect(!harness.screen.contains("similar"))
  }

  @Test func withNothingFoundOneErrorIsForgivenAndSaid() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("/ m u l l a r")
    try harness.wait("the similar one") { harness.browser.list.rowCount == 1 && harness.browser.list.shown.isCorrected }
    #expect(harness.selectedLine.contains("Müller") && harness.screen.contains("no match, 1 similar"))
    harness.press("Backspace Backspace")
    try harness.wait("the match") { !harness.browser.list.shown.isCorrected && harness.browser.list.rowCount > 0 }
    #expect(!harness.screen.contains("similar"))
    harness.press("Esc")
    try harness.wait("all") { harness.browser.list.rowCount == 10 }
  }

  @Test func deletingTheLastMatchLeavesTheSearchUsable() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("/ m a y u n")
    try harness.wait("one match") { harness.browser.list.rowCount == 1 }
    harness.press("Enter d y")
    try harness.wait("no match") { harness.browser.list.rowCount == 0 }
    #expect(harness.screen.contains("No match"))
    harness.press("u")
    try harness.wait("the match to be back") { harness.browser.list.rowCount == 1 }
    harness.press("Esc")
    try harness.wait("all contacts") { harness.browser.list.rowCount == 10 }
    #expect(harness.selectedLine.contains("马云"))
  }

  @Test func aContactThatMatchesAfterAnEditAppears() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("/ a c m e")
    try harness.wait("one match") { harness.browser.list.rowCount == 1 }
    let context = harness.book.newContext()
    let person = try #require(try harness.book.listRows().first { $0.displayName == "马云" })
    try context.person(person.id)?.set("organization", to: "Acme")
    try context.save()
    try harness.wait("the second match") { harness.browser.list.rowCount == 2 }
    #expect(harness.selectedLine.contains("李强"), "the selection stays")
  }

  /// Adds a contact, and waits until the list has selected it.
  private func addContact(_ harness: ScreenHarness) throws {
    harness.press("a")
    harness.type("安")
    harness.press("^S")
    try harness.wait("the new contact to be selected") { harness.selectedLine.contains("安") }
  }

  @Test func aNewContactIsShownEvenIfTheSearchWouldHideIt() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("/ l x l")
    try harness.wait("one match") { harness.browser.list.rowCount == 1 }
    harness.press("Enter")
    try addContact(harness)
    #expect(harness.browser.list.rowCount == 11)
  }

  @Test func escAsksOnlyWhenTheFormWasChanged() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' m e Esc")
    #expect(!harness.screen.contains("Discard changes"))
    harness.press("e")
    harness.type("x")
    harness.press("Esc")
    #expect(harness.screen.contains("Discard changes"))
    harness.press("n")
    #expect(harness.screen.contains("马x"))
    harness.press("Esc y")
    #expect(harness.selectedLine.contains("马云"))
  }

  @Test func errorsAndWarningsAreShownAtTheirField() throws {
    let harness = try ScreenHarness(rows: 40, ScreenPeople.few)
    harness.press("' m e")
    for _ in 0..<9 { harness.press("Tab") }
    harness.press("Enter")
    harness.type("not an address")
    #expect(!harness.screen.contains("! "), "no warning while the text is typed")
    harness.press("Tab")
    #expect(harness.screen.contains("! "))
    harness.press("^S")
    #expect(harness.selectedLine.contains("马云"), "a warning does not prevent saving")
    harness.press("a ^S")
    #expect(harness.screen.contains("✗ "))
    #expect(harness.screen.contains("Fix 1 field before saving."))
    harness.type("x")
    #expect(!harness.screen.contains("✗ "))
  }

  @Test func editsDeletionsAndAdditionsAreUndoneAndRedone() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    func names() throws -> [String] { try harness.book.listRows().map(\.displayName) }
    let original = try names()
    harness.press("' m e")
    harness.type("x")
    harness.press("^S")
    let edited = try names()
    harness.press("d y")
    let deleted = try names()
    harness.press("a")
    harness.type("New")
    harness.press("^S")
    let added = try names()
    for expected in [deleted, edited, original] {
      harness.press("u")
      #expect(try names() == expected)
    }
    harness.press("u")
    #expect(harness.screen.contains("Nothing to undo"))
    for expected in [edited, deleted, added] {
      harness.press("^R")
      #expect(try names() == expected)
    }
  }

  @Test func markedContactsAreDeletedAndRestoredTogether() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("Space Space Space d y")
    try harness.wait("seven contacts to be left") { harness.browser.list.rowCount == 7 }
    harness.press("u")
    try harness.wait("all contacts to be back") { harness.browser.list.rowCount == 10 }
  }

  @Test func theScreenSurvivesAnySize() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    for rows in [1, 2, 5, 10, 11, 40, 200] {
      for columns in [1, 2, 20, 39, 40, 60, 95, 96, 97, 120, 300] {
        harness.resize(rows: rows, columns: columns)
        for keys in ["j", "Enter", "Esc", "?", "q", "e", "Esc", "/", "Esc", "f", "Esc"] { harness.press(keys) }
      }
    }
    harness.resize(rows: 24, columns: 80)
    #expect(harness.screen.contains("李小龙"))
  }

  @Test func movingTheCursorTouchesTwoLines() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' l")
    harness.press("j")
    #expect(harness.terminal.changedLines.count == 2)
  }

  @Test func aSearchInAGroupStaysInItAndEscEndsOneAtATime() throws {
    let harness = try ScreenHarness(ScreenPeople.few + [Self.friend("Li", "Na"), Self.friend("Wu", "Na")])
    harness.press("f Down Enter")
    try harness.wait("the group") { harness.browser.list.rowCount == 3 }
    harness.press("/ l i")
    try harness.wait("the matches in the group") { harness.browser.list.rowCount == 2 }
    #expect(harness.screen.split(separator: "\n")[0].hasPrefix(" Friends / li"))
    harness.press("Esc")
    try harness.wait("the group again") { harness.browser.list.rowCount == 3 }
    #expect(harness.browser.list.filter == ContactFilter(group: "Friends"))
    #expect(harness.screen.contains("Friends"))
    harness.press("/ l i Enter")
    try harness.wait("the matches in the group") { harness.browser.list.rowCount == 2 }
    #expect(harness.screen.split(separator: "\n").last?.contains("end search") == true)
    harness.press("Esc")
    try harness.wait("the group again") { harness.browser.list.rowCount == 3 }
    #expect(harness.screen.split(separator: "\n").last?.contains("all contacts") == true)
    harness.press("Esc")
    try harness.wait("all contacts") { harness.browser.list.rowCount == 12 }
  }

  @Test func addingAContactKeepsTheGroupShown() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("f Down Enter")
    try harness.wait("the group") { harness.browser.list.rowCount == 1 }
    harness.press("/ z z z Enter a")
    harness.type("安")
    harness.press("^S")
    try harness.wait("the new contact to be selected in the group") { harness.selectedLine.contains("安") }
    #expect(harness.browser.list.filter == ContactFilter(group: "Friends"))
    #expect(harness.browser.list.rowCount == 2)
  }

  @Test(arguments: ["smart", "birth"]) func aNewContactIsShownEvenIfItIsNotInTheCollection(shown: String) throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    try harness.book.edit(.addSmart("Smart", .condition("organization = 'Acme'")))
    harness.press("f")
    harness.type(shown)
    harness.press("Enter")
    try harness.wait("the collection") { harness.browser.list.rowCount == 1 }
    try addContact(harness)
    #expect(harness.browser.list.filter.isEmpty && harness.browser.list.rowCount == 11)
  }

  @Test func addingAContactKeepsTheRecentlyAddedOnesShown() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("f")
    harness.type("recently added")
    harness.press("Enter")
    try harness.wait("the collection") { harness.browser.list.filter.collection != nil }
    try addContact(harness)
    #expect(harness.browser.list.filter.collection == .recentlyAdded(days: 30))
  }

  @Test func aLongNameExtendsOverEmptyColumns() throws {
    let name = "Wolfeschlegelsteinhausenbergerdorff von und zu der Au"
    var alone = Contact()
    alone.family = name
    var called = alone
    called.phones = [LabeledValue(label: "", value: "110")]
    called.emails = [LabeledValue(label: "", value: "w@example.com")]
    let harness = try ScreenHarness([alone, called])
    let lines = harness.screen.split(separator: "\n").filter { $0.contains("Wolfe") }
    #expect(lines.count == 2)
    #expect(lines.contains { $0.contains(name) })
    #expect(lines.contains { $0.contains("…") && $0.contains("110") })
  }

  @Test func typingOnAnAddRowStartsANewValue() throws {
    let harness = try ScreenHarness(rows: 40, ScreenPeople.few)
    harness.press("' m e")
    let form = try #require(harness.environment.screens.top as? ContactFormScreen)
    for _ in 0..<8 { harness.press("Tab") }
    #expect(form.contact.phones.count == 1)
    harness.type("+1 2")
    #expect(form.contact.phones.last?.value == "+1 2", "\(harness.screen)")
    harness.press("Tab Tab")
    harness.send(.paste("a@example.com"))
    #expect(form.contact.emails.map(\.value) == ["a@example.com"])
    harness.press("Tab Tab")
    harness.type("1 Road")
    #expect(form.contact.addresses.map(\.street) == ["1 Road"])
  }

  @Test func typingOnMoreNameFieldsStartsTheFirstOfThem() throws {
    func form() throws -> (ScreenHarness, ContactFormScreen) {
      let harness = try ScreenHarness(rows: 40, ScreenPeople.few)
      harness.press("' m e Tab Tab")
      #expect(harness.screen.contains("+ more name fields"))
      return (harness, try #require(harness.environment.screens.top as? ContactFormScreen))
    }
    let (typed, first) = try form()
    typed.type("Dr")
    #expect(first.contact.prefix == "Dr" && !typed.screen.contains("+ more name fields"), "\(typed.screen)")
    let (pasted, second) = try form()
    pasted.send(.paste("Prof"))
    #expect(second.contact.prefix == "Prof")
    // A space presses the button, as it does every other button.
    let (pressed, third) = try form()
    pressed.press("Space")
    #expect(third.contact.prefix == "" && !pressed.screen.contains("+ more name fields"))
  }

  private static func friend(_ family: String, _ given: String) -> Contact {
    var contact = Contact()
    contact.family = family
    contact.given = given
    contact.groups = ["Friends"]
    return contact
  }

  /// After a search without results is cleared, its list stays for a moment.
  @Test func anEmptyListIsNotTakenForAnEmptyBook() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("/")
    harness.type("qqqq")
    try harness.wait("no results") { harness.browser.list.rowCount == 0 }
    harness.browser.perform(.searchCancel, in: harness.environment.screens)
    #expect(harness.browser.list.rowCount == 0 && !harness.browser.list.isBookEmpty)
    #expect(!harness.screen.contains("Your address book is empty."))
    try harness.wait("all contacts") { harness.browser.list.rowCount == ScreenPeople.few.count }
  }

  // MARK: What was searched for before

  @Test func earlierSearchesAreFoundByTheirBeginning() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    for text in ["lind", "ma yun", "lee"] {
      harness.press("/")
      harness.type(text)
      harness.press("Enter Esc")
    }
    harness.press("/ M-p")
    #expect(harness.browser.parts.search.text == "lee")
    harness.press("M-p M-p")
    #expect(harness.browser.parts.search.text == "lind")
    harness.press("M-n")
    #expect(harness.browser.parts.search.text == "ma yun")
    harness.press("^U")
    harness.type("li")
    harness.press("M-p")
    #expect(harness.browser.parts.search.text == "lind")
    harness.press("M-n")
    #expect(harness.browser.parts.search.text == "li")
  }

  @Test func aSearchWithoutAMatchNamesTheOperators() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("/")
    harness.type("qqqqqq")
    try harness.wait(for: "No match")
    #expect(harness.screen.contains("org:acme") && harness.screen.contains("has:photo"))
    harness.press("F1")
    #expect(harness.screen.contains("only in one field: name nick"))
  }

  @Test func someRowsStayVisibleAroundTheSelection() throws {
    var configuration = Configuration()
    configuration.scrollOff = 2
    let harness = try ScreenHarness(
      rows: 14, columns: 60, configuration: configuration, Array(SampleContacts(count: 60, seed: 7)))
    for _ in 0..<20 { harness.press("j") }
    let list = harness.browser.list
    let height = harness.browser.parts.listPane.height
    let rows = list.viewport.lines(top: list.top, height: height).compactMap(\.row)
    let selected = try #require(list.selectedRow)
    #expect(rows.contains(selected + 2) && rows.contains(selected - 2))
    for _ in 0..<3 { harness.press("k") }
    harness.press("g g")
    #expect(list.top == 0 && list.selectedRow == 0)
  }

  /// A changed setting reopens the book, which would stop an import.
  @Test func settingsAreNotChangedWhileWorkIsRunning() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    let mayEnd = DispatchSemaphore(value: 0)
    harness.browser.parts.work.run("working", stopped: "status.writeStopped") { _ in
      mayEnd.wait()
    } done: {
    }
    harness.press(",")
    #expect(harness.screen.contains(harness.environment.strings("status.busy")))
    mayEnd.signal()
    try harness.wait("the end of the work") { harness.browser.parts.work.task == nil }
  }
}
