import AddressBookModel
import Contacts
import Foundation
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// The groups pane: what the list can show, and changes to groups.
@MainActor
struct GroupsPaneTests {
  private func harness(
    rows: Int = 24, columns: Int = 80, language: Language = .english
  ) throws -> ScreenHarness {
    let harness = try ScreenHarness(rows: rows, columns: columns, language: language, ScreenPeople.few)
    harness.press("' m +")
    harness.type("Friends")
    harness.press("Enter")
    return harness
  }

  private func groups(_ harness: ScreenHarness) throws -> [String: Int] {
    Dictionary(uniqueKeysWithValues: try harness.book.groups().map { ($0.name, $0.count) })
  }

  /// Opens the pane and types a text, which filters its lines.
  private func open(_ text: String, _ harness: ScreenHarness) {
    harness.press("f")
    harness.type(text)
  }

  @Test(arguments: ScreenGoldenTests.views)
  func looksAsItShould(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try harness(rows: size.rows, columns: size.columns, language: language)
    harness.press("* f Down Down")
    try harness.waitForCounts()
    try Golden.check(harness.screen, "groups-pane-\(size.columns)x\(size.rows)-\(language.rawValue)")
    harness.press("^X")
    try Golden.check(harness.screen, "groups-delete-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func aNewGroupIsThereAtOnceAndCanBeUndone() throws {
    let harness = try harness()
    open("Kung fu", harness)
    harness.press("^O Enter")
    try harness.wait(for: "Added the group “Kung fu”. Press u to undo.")
    #expect(harness.environment.screens.top?.keyContext == .groups && harness.screen.contains("▸ Kung fu"))
    harness.press("Esc u")
    #expect(try groups(harness) == ["Friends": 2, "Hong Kong": 1])
  }

  @Test func aNameThatIsTakenCanBeCorrected() throws {
    let harness = try harness()
    open("Hong", harness)
    harness.press("^R ^U")
    harness.type("Friends")
    harness.press("Enter")
    try harness.wait(for: "The group “Friends” already exists.")
    harness.press("Backspace")
    harness.press("Enter")
    try harness.wait(for: "Renamed the group “Hong Kong” to “Friend”")
    #expect(try groups(harness) == ["Friends": 2, "Friend": 1])
  }

  @Test func theListFollowsTheGroupThatItShows() throws {
    let harness = try harness()
    open("Hong", harness)
    harness.press("Enter")
    try harness.wait("the group") { harness.browser.list.rowCount == 1 }
    harness.press("f ^R ^U")
    harness.type("HK")
    harness.press("Enter")
    try harness.wait(for: "Renamed")
    harness.press("Esc")
    try harness.wait("the group under its new name") { harness.screen.contains("HK · 1") }
    harness.press("f ^X y")
    try harness.wait("all contacts") { harness.browser.list.filter.isEmpty && harness.browser.list.rowCount == 10 }
    #expect(try groups(harness) == ["Friends": 2])
    harness.press("Esc u")
    #expect(try groups(harness) == ["Friends": 2, "HK": 1])
  }

  @Test func aGroupIsMergedIntoAnotherAndBack() throws {
    let harness = try harness()
    open("Friends", harness)
    harness.press("^T")
    #expect(
      harness.screen.contains("Merge “Friends” into") && harness.screen.contains("Its 2 contacts are moved there."))
    harness.press("Enter")
    try harness.wait(for: "Merged the group “Friends” into “Hong Kong”.")
    #expect(try groups(harness) == ["Hong Kong": 2])
    harness.press("Esc u")
    #expect(try groups(harness) == ["Friends": 2, "Hong Kong": 1])
    harness.press("^R")
    #expect(try groups(harness) == ["Hong Kong": 2])
  }

  @Test func thePaneReopensIfNoGroupIsChosenToMergeInto() throws {
    let harness = try harness()
    open("Friends", harness)
    harness.press("^T Esc")
    #expect(harness.environment.screens.top?.keyContext == .groups && harness.screen.contains("▸ Friends"))
    try harness.book.edit(.delete("Hong Kong"))
    harness.press("^T")
    #expect(harness.environment.screens.top?.keyContext == .groups && harness.screen.contains("▸ Friends"))
    #expect(harness.screen.contains("There is no other group."))
  }

  @Test func aGroupWithoutContactsIsNotCounted() throws {
    let harness = try harness()
    open("Kung fu", harness)
    harness.press("^O Enter")
    try harness.wait(for: "Added the group “Kung fu”.")
    harness.press("^X")
    #expect(harness.screen.contains("Delete the group “Kung fu”?") && harness.screen.contains("It has no contacts."))
    harness.press("n ^T")
    #expect(harness.screen.contains("Merge “Kung fu” into") && harness.screen.contains("It has no contacts."))
  }

  @Test func onlyGroupsOfTheUserAreChanged() throws {
    let harness = try harness()
    harness.press("f ^X")
    #expect(harness.screen.contains("The selected line does not support this."))
    harness.press("End ^R")
    #expect(harness.environment.screens.top?.keyContext == .groups)
    harness.press("Enter")
    #expect(harness.environment.screens.top is TrashScreen)
  }

  @Test func favoritesAreAGroupThatOtherProgramsKnow() throws {
    let harness = try harness()
    harness.press("' l *")
    #expect(harness.screen.contains("Added 1 contact to “★ Favorites”."))
    #expect(try groups(harness)["starred"] == 1)
    harness.press("f Down Enter")
    try harness.wait("the favorites") { harness.browser.list.rowCount == 1 }
    #expect(harness.screen.contains("★ Favorites · 1"))
    harness.press("Enter")
    #expect(harness.screen.contains("★ Favorites") && !harness.screen.contains("starred"))
    harness.press("Esc *")
    try harness.wait("an empty list") { harness.browser.list.rowCount == 0 }
    harness.press("u")
    try harness.wait("the contact to be back") { harness.browser.list.rowCount == 1 }
    #expect(harness.screen.contains("Undone: Remove from ★ Favorites."))
    // If some of several marked contacts are favorites, the others become favorites too.
    harness.press("Esc")
    try harness.wait("all contacts") { harness.browser.list.rowCount == 10 }
    harness.press("A *")
    #expect(try groups(harness)["starred"] == 10)
    harness.press("*")
    #expect(try groups(harness)["starred"] == 0)
  }

  @Test func theSearchIsSavedAsASmartGroup() throws {
    let harness = try harness()
    harness.press("/")
    harness.type("li")
    try harness.wait("the matches") { harness.browser.list.rowCount < 10 }
    let found = harness.browser.list.rowCount
    harness.press("Enter f ^S")
    #expect(harness.screen.contains("What the smart group finds") && harness.screen.contains("│ li"))
    harness.press("Enter ^U")
    harness.type("My Li")
    harness.press("Enter")
    try harness.wait(for: "Added the group “My Li”")
    harness.press("Esc Esc")
    try harness.wait("all contacts") { harness.browser.list.rowCount == 10 }
    harness.press("f")
    try harness.waitForCounts()
    harness.type("my")
    #expect(harness.screen.contains("▸ ◇ My Li") && harness.screen.contains(" \(found) │"), "\(harness.screen)")
    harness.press("Enter")
    try harness.wait("the smart group's contacts") { harness.browser.list.rowCount == found }
    #expect(harness.screen.contains("◇ My Li · \(found)"))
    // The smart group also finds a new contact.
    let other = harness.book.newContext()
    try other.insertPerson().set("family", to: "Lima")
    try other.save()
    try harness.wait("the smart group's new contact") { harness.browser.list.rowCount == found + 1 }
    harness.press("f ^X")
    #expect(harness.screen.contains("Delete the group “My Li”?") && harness.screen.contains("It finds: li"))
    harness.press("y")
    try harness.wait("all contacts") { harness.browser.list.rowCount == 11 }
    harness.press("Esc u")
    #expect(try harness.book.smartGroups().map(\.name) == ["My Li"])
  }

  @Test func nobodyIsAddedToASmartGroup() throws {
    let harness = try harness()
    try harness.book.edit(.addSmart("Work", .search("li")))
    harness.press("+")
    harness.type("Work")
    harness.press("Enter")
    #expect(harness.screen.contains("“Work” is a smart group"))
    #expect(try groups(harness) == ["Friends": 2, "Hong Kong": 1])
  }

  @Test func whatASmartGroupFindsIsChanged() throws {
    let harness = try harness()
    try harness.book.edit(.addSmart("Work", .condition("organization = 'Acme'")))
    harness.press("f")
    harness.type("work")
    harness.press("Enter")
    try harness.wait("the smart group's contact") { harness.browser.list.rowCount == 1 }
    harness.press("f ^E")
    #expect(
      harness.screen.contains("What “Work” finds") && harness.screen.contains("where organization"), "\(harness.screen)"
    )
    // Leaving the prompt changes nothing, and the group is still selected.
    harness.press("Esc")
    #expect(harness.screen.contains("▸ ◇ Work"), "\(harness.screen)")
    harness.press("^E ^U")
    harness.type("where organization =")
    harness.press("Enter")
    #expect(harness.screen.contains("✗"), "\(harness.screen)")
    harness.press("^U")
    harness.type("li")
    harness.press("Enter")
    try harness.wait(for: "Changed what “Work” finds.")
    // The list already shows the new contacts.
    try harness.wait("the results of the changed search") { harness.browser.list.rowCount > 1 }
    harness.press("Esc")
    #expect(harness.screen.contains("◇ Work · "))
    #expect(try harness.book.smartGroups().map(\.rule) == [.search("li")])
    harness.press("u")
    #expect(try harness.book.smartGroups().map(\.rule) == [.condition("organization = 'Acme'")], "undone")
  }

  @Test func onlyASmartGroupHasASearchToChange() throws {
    let harness = try harness()
    open("Friends", harness)
    harness.press("^E")
    #expect(harness.environment.screens.top?.keyContext == .groups)
    #expect(harness.screen.contains("Only a smart group has a search to change."))
  }

  @Test func aConditionIsCheckedBeforeItIsSaved() throws {
    let harness = try harness()
    harness.press("f ^S")
    harness.type("where organization =")
    harness.press("Enter")
    #expect(harness.screen.contains("✗"), "\(harness.screen)")
    harness.type("= 'Acme'")
    harness.press("Enter ^U")
    harness.type("Friends")
    harness.press("Enter")
    try harness.wait(for: "The group “Friends” already exists.")
    harness.press("^U")
    harness.type("Acme only")
    harness.press("Enter")
    try harness.wait(for: "Added the group")
    harness.press("Enter")
    try harness.wait("the smart group's contact") { harness.browser.list.rowCount == 1 }
    #expect(harness.screen.contains("李强"))
  }

  @Test func collectionsAreCountedAndShown() throws {
    let harness = try harness()
    harness.press("f")
    try harness.waitForCounts()
    let counts = harness.screen.split(separator: "\n").filter { $0.contains("Recently") || $0.contains("Birthdays") }
    #expect(counts.count == 3 && counts[0].contains(" 10 ") && counts[1].contains(" 0 "), "\(counts)")
    #expect(counts[2].contains(" 1 "), "李小龙 on 27 November: \(counts)")
    harness.type("birth")
    harness.press("Enter")
    try harness.wait("the birthdays") { harness.browser.list.rowCount == 1 }
    #expect(harness.screen.contains("Birthdays in the next 30 days · 1") && harness.screen.contains("李小龙"))
    harness.press("/")
    harness.type("zzz")
    try harness.wait("no match among the birthdays") { harness.browser.list.rowCount == 0 }
    harness.press("Esc")
    try harness.wait("the birthdays to be back") { harness.browser.list.rowCount == 1 }
    harness.press("Esc")
    try harness.wait("all contacts") { harness.browser.list.rowCount == 10 }
  }

  // MARK: Nothing changed

  @Test func noUndoIsOfferedIfNothingChanged() throws {
    let harness = try harness()
    harness.press("+")
    harness.type("Friends")
    harness.press("Enter")
    #expect(harness.screen.contains("The contact is already in “Friends”.") && !harness.screen.contains("to undo"))
    open("Hong", harness)
    harness.press("^R Enter")
    #expect(harness.environment.screens.top?.keyContext == .groups && harness.screen.contains("▸ Hong Kong"))
    #expect(!harness.screen.contains("Renamed") && !harness.screen.contains("to undo"))
  }

  @Test func onlyChangedContactsAreCounted() throws {
    let harness = try harness()
    harness.press("A +")
    harness.type("Friends")
    harness.press("Enter")
    #expect(harness.screen.contains("Added 8 contacts to “Friends”. Press u to undo."))
    harness.press("+")
    harness.type("Friends")
    harness.press("Enter")
    #expect(harness.screen.contains("All 10 contacts are already in “Friends”."))
  }

  @Test func noUndoIsOfferedIfNothingChangedInTheBackground() throws {
    let count = ContactEditor.bulkThreshold + 1
    let harness = try ScreenHarness(Array(SampleContacts(count: count, seed: 5)))
    harness.press("A")
    let messages = [
      "Added \(count) contacts to “Chess”. Press u to undo.", "All \(count) contacts are already in “Chess”.",
    ]
    for text in messages {
      harness.press("+")
      harness.type("Chess")
      harness.press("Enter")
      try harness.wait(for: text)
    }
    #expect(!harness.screen.contains("to undo"))
  }
}
