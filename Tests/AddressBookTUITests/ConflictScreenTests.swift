import AddressBookModel
import Contacts
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Two screens, or a screen and another program, changed the same field: the user decides between both versions.
@MainActor
struct ConflictScreenTests {
  private func screens(
    rows: Int = 24, columns: Int = 80, _ language: Language = .english
  ) throws -> (mine: ScreenHarness, theirs: ScreenHarness) {
    let mine = try ScreenHarness(rows: rows, columns: columns, language: language, ScreenPeople.few)
    return (mine, try ScreenHarness(book: mine.book))
  }

  private func lee(_ screen: ScreenHarness) throws -> Contact {
    try #require(try screen.book.contact(uid: "screen-李-小龙"))
  }

  /// Opens the form of Lee.
  private func open(_ screen: ScreenHarness) throws {
    try screen.wait("all contacts") { screen.browser.list.rowCount == ScreenPeople.few.count }
    screen.browser.list.select(id: try lee(screen).id)
    screen.press("e")
  }

  /// Replaces the text of the field that contains `old`.
  private func replace(_ old: String, by new: String, on screen: ScreenHarness) {
    for _ in 0..<30 where !screen.focusedLine.contains(old) { screen.press("Tab") }
    #expect(screen.focusedLine.contains(old))
    screen.press("C-u")
    screen.type(new)
  }

  /// Opens the form on both screens; theirs is saved first, then mine.
  private func collide(_ mine: ScreenHarness, _ theirs: ScreenHarness) throws {
    try open(mine)
    try open(theirs)
    for (screen, name) in [(mine, "Mine"), (theirs, "Theirs")] {
      replace("Golden Harvest", by: name + " Film Company", on: screen)
      replace("Actor", by: name, on: screen)
    }
    theirs.press("C-s")
    mine.press("C-s")
  }

  @Test func twoScreensResolveFieldByField() throws {
    let (mine, theirs) = try screens()
    try collide(mine, theirs)
    #expect(mine.screen.contains("李小龙: changed on both sides"))
    #expect(mine.screen.contains("0 of 2 decided"))
    mine.press("C-s")
    #expect(mine.screen.contains("2 fields are still undecided."))
    mine.press("m j t")
    #expect(mine.screen.contains("2 of 2 decided"))
    #expect(try lee(mine).organization == "Theirs Film Company")
    mine.press("C-s")
    #expect(mine.screen.contains("Saved 李小龙"))
    #expect(try lee(mine).organization == "Mine Film Company")
    #expect(try lee(mine).title == "Theirs")
    // One undo restores what the other screen saved.
    mine.press("u")
    #expect(try lee(mine).organization == "Theirs Film Company" && lee(mine).title == "Theirs")
  }

  @Test func escapeGoesBackToTheFormAndTheDecisionsStay() throws {
    let (mine, theirs) = try screens()
    try collide(mine, theirs)
    mine.press("b Esc")
    #expect(mine.screen.contains("Edit 李小龙") && mine.screen.contains("Mine Film Company"))
    #expect(try lee(mine).title == "Theirs")
    mine.press("C-s")
    #expect(mine.screen.contains("1 of 2 decided"))
    mine.press("t C-s")
    #expect(try lee(mine).organization == "Golden Harvest" && lee(mine).title == "Theirs")
  }

  @Test func aConflictCanBeResolvedWithATypedValue() throws {
    let (mine, theirs) = try screens()
    try collide(mine, theirs)
    mine.press("t e")
    mine.type("!")
    mine.press("Enter j e")
    mine.type("x")
    mine.press("Esc m e C-u")
    mine.type("Both")
    mine.press("Tab")
    #expect(mine.screen.contains("Theirs Film Company!"))
    mine.press("C-s")
    #expect(try lee(mine).organization == "Theirs Film Company!" && lee(mine).title == "Both")
  }

  @Test func aTypedValueIsTrimmedAsInTheForm() throws {
    let (mine, theirs) = try screens()
    try collide(mine, theirs)
    mine.press("e C-u")
    mine.type("  Both ")
    mine.press("Enter j m C-s")
    #expect(try lee(mine).organization == "Both")
  }

  @Test func aWholeContactCannotBeEdited() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    let lee = try lee(harness)
    var changed = lee
    changed.title = "Director"
    let conflicts = WholeContactMerge(base: lee, mine: changed, theirs: nil).conflicts
    harness.environment.screens.push(
      ConflictScreen(conflicts, name: "Lee", environment: harness.environment) { _, _ in })
    harness.press("e")
    #expect(harness.screen.contains("This cannot be edited here."))
  }

  @Test func theLabelOfANumberIsDecidedOrChosen() throws {
    let (mine, _) = try screens()
    let before = try lee(mine)
    try open(mine)
    replace("Actor", by: "Director", on: mine)
    for _ in 0..<30 where !mine.focusedLine.contains("139 2222 3333") && !mine.focusedLine.contains("13922223333") {
      mine.press("Tab")
    }
    mine.press("C-t")
    mine.type("work")
    mine.press("Enter")
    _ = try mine.book.newContext().edit(before.id) { $0.phones[0].label = "home" }
    mine.press("C-s")
    #expect(mine.screen.contains("phone") && mine.screen.contains("0 of 1 decided"))
    mine.press("e")
    mine.type("other")
    mine.press("Enter C-s")
    #expect(try lee(mine).phones == [LabeledValue(label: "other", value: "13922223333")])
    #expect(try lee(mine).title == "Director")
  }

  @Test func aNoteCanBeEditedAndABirthdayIsValidated() throws {
    let (mine, _) = try screens(rows: 40, columns: 120)
    let before = try lee(mine)
    try open(mine)
    replace("27 November 1940", by: "28 Nov 1940", on: mine)
    for _ in 0..<30 where !mine.focusedLine.contains("Second line.") { mine.press("Tab") }
    mine.type(" Mine.")
    _ = try mine.book.newContext().edit(before.id) {
      $0.note += " Theirs."
      $0.birthday = PartialDate("1940-11-29")
    }
    mine.press("C-s")
    #expect(mine.screen.contains("28 November 1940") && mine.screen.contains("29 November 1940"))
    mine.press("e C-u")
    mine.type("soon")
    mine.press("Enter")
    #expect(mine.screen.contains("Enter a date"))
    mine.press("C-u")
    mine.type("30 Nov 1940")
    mine.press("Enter j e Enter")
    mine.type("Both.")
    mine.press("C-s C-s")
    #expect(try lee(mine).birthday == PartialDate("1940-11-30"))
    #expect(try lee(mine).note == before.note + " Mine.\nBoth.")
  }

  @Test func theMouseChooses() throws {
    let (mine, theirs) = try screens()
    try collide(mine, theirs)
    for text in ["Mine Film", "Theirs "] {
      mine.send(.mouse(Mouse(.press, at: try mine.position(of: text), clicks: 1)))
    }
    #expect(mine.screen.contains("1 of 2 decided"))
    mine.press("C-s m C-s")
    #expect(try lee(mine).organization == "Theirs Film Company" && lee(mine).title == "Mine")
  }

  // MARK: While the form is open

  @Test func theFormShowsChangesOfOthersAtOnce() throws {
    let (mine, _) = try screens()
    let before = try lee(mine)
    try open(mine)
    _ = try mine.book.newContext().edit(before.id) {
      $0.phones[0].value = "110"
      $0.note = ""
    }
    try mine.wait(for: "! Another program changed: Phones, Note")
    let context = mine.book.newContext()
    try context.delete(try #require(try context.person(before.id)))
    try context.save()
    try mine.wait(for: "! Deleted by another program; saving asks what to do")
    try context.restore(try #require(try context.deletedPerson(before.id)))
    try context.save()
    try mine.wait(for: "! Another program changed")
    mine.press("Esc e")
    #expect(!mine.screen.contains("by another program"), "it begins with what is there now")
  }

  @Test func theFormNoticesChangesOfAContactHiddenByASearch() throws {
    let (mine, _) = try screens()
    try open(mine)
    mine.press("Esc / 1 3 9 2 2 2 2 3 3 3 3 Enter")
    try mine.wait("only Lee") { mine.browser.list.rowCount == 1 }
    mine.press("e")
    _ = try mine.book.newContext().edit(try lee(mine).id) { $0.phones[0].value = "110" }
    try mine.wait(for: "! Another program changed: Phones")
  }

  @Test func aDeletedContactComesBackAfterAConflict() throws {
    let (mine, theirs) = try screens()
    try open(mine)
    replace("Actor", by: "Mine", on: mine)
    try open(theirs)
    replace("Actor", by: "Theirs", on: theirs)
    theirs.press("C-s d y")
    #expect(try mine.book.contact(uid: "screen-李-小龙") == nil)
    mine.press("C-s m")
    #expect(mine.screen.contains("changed on both sides"))
    mine.press("m C-s")
    #expect(try lee(mine).title == "Mine")
  }

  @Test func aDraftDoesNotOverwriteWhatWasWrittenSince() throws {
    let (mine, _) = try screens()
    let before = try lee(mine)
    var changed = before
    changed.title = "Draft"
    changed.nickname = "Draft"
    let draft = Draft(original: before, changed: changed)
    _ = try mine.book.newContext().edit(before.id) { $0.title = "Theirs" }
    let file = PrivateFile("/nonexistent/draft.json")
    mine.browser.forms.offer([(file, draft)])
    mine.press("Up Up Enter")
    #expect(mine.screen.contains("! Another program changed: Job title"))
    mine.press("C-s")
    #expect(mine.screen.contains("changed on both sides"))
    mine.press("t C-s")
    #expect(try lee(mine).title == "Theirs" && lee(mine).nickname == "Draft")
  }

  // MARK: What it looks like

  @Test(arguments: ScreenGoldenTests.views)
  func matchesTheGoldens(size: (rows: Int, columns: Int), language: Language) throws {
    let (mine, _) = try screens(rows: size.rows, columns: size.columns, language)
    let before = try lee(mine)
    let context = mine.book.newContext()
    func edit(_ word: String) -> Contact {
      var contact = before
      contact.organization = word + " Film Company of Hong Kong"
      contact.title = word == "Mine" ? "" : "Director"
      contact.note = "Be water, my friend.\n\(word) changed the second line of this note."
      contact.phones[0].label = word == "Mine" ? "work" : "home"
      return contact
    }
    _ = try context.save(ContactEdit(of: before, to: edit("Theirs")))
    let error = #expect(throws: EditError.self) { try context.save(ContactEdit(of: before, to: edit("Mine"))) }
    guard case .conflict(let conflict?)? = error else { return #expect(Bool(false)) }
    try open(mine)
    try #require(mine.environment.screens.top as? ContactFormScreen).ask(about: conflict)
    mine.press("m j t j e")
    mine.press("Esc j")
    let name = "conflict-\(size.columns)x\(size.rows)-\(language.rawValue)"
    try Golden.check(mine.screen, name)
    mine.press("k k e")
    mine.type(" 2")
    try Golden.check(mine.screen, name + "-typing")
  }
}
