import AddressBookModel
import Testing

@testable import AddressBookTUI

/// What the screen does when the selected contact or the groups cannot be read, or the contact is gone.
@MainActor
@Suite struct UnreadableContactTests {
  /// Makes a table unreadable.
  private func lose(_ table: String, of harness: ScreenHarness) throws {
    try harness.book.database.write { db in try db.execute(sql: "ALTER TABLE \(table) RENAME TO lost_\(table)") }
  }

  @Test func anUnreadableContactIsNotShownAsThePreviousOne() throws {
    let harness = try ScreenHarness(rows: 30, columns: 120, ScreenPeople.few)
    harness.browser.list.select(id: try #require(try harness.book.contact(uid: "screen-李-小龙")).id)
    #expect(harness.screen.contains("Be water, my friend."))
    try lose("phone", of: harness)
    harness.press("j")
    #expect(!harness.screen.contains("Be water, my friend."))
    #expect(harness.browser.list.detailContact == nil)
    #expect(harness.screen.contains("✗"))
  }

  @Test func anUnreadableContactIsNotDeleted() throws {
    let harness = try ScreenHarness(rows: 24, columns: 60, ScreenPeople.few)
    harness.browser.list.discardDetail()
    try lose("phone", of: harness)
    harness.browser.perform(.delete, in: harness.environment.screens)
    #expect(!harness.screen.contains("marked contact") && harness.screen.contains("✗"))
    #expect(harness.environment.screens.top is BrowserScreen)
  }

  @Test func aContactThatIsGoneIsNotDeletedAgain() throws {
    let harness = try ScreenHarness(rows: 24, columns: 60, ScreenPeople.few)
    harness.browser.list.discardDetail()
    let id = try #require(harness.browser.list.selectedID)
    try harness.book.database.write { db in
      try db.execute(sql: "UPDATE contact SET deleted_at = '2026-03-01T12:00:00Z' WHERE id = \(id)")
    }
    harness.browser.perform(.delete, in: harness.environment.screens)
    #expect(harness.screen.contains("That contact is no longer in the book."))
    #expect(harness.environment.screens.top is BrowserScreen)
  }

  @Test func groupsThatCannotBeReadAreNotCalledNew() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    try lose("contact_group", of: harness)
    harness.press("a")
    let form = try #require(harness.environment.screens.top as? ContactFormScreen)
    form.model.go(to: .row(.single(.groups)))
    harness.type("Friends")
    #expect(form.model.contact.groups == ["Friends"])
    #expect(form.model.newGroups.isEmpty)
    #expect(!harness.screen.contains("new: Friends"))
  }
}
