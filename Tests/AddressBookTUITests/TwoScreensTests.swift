import AddressBookModel
import Contacts
import Testing

@testable import AddressBookTUI

/// Two screens on one book, and another program that writes SQL: nothing is overwritten without asking.
@MainActor
struct TwoScreensTests {
  private let mine: ScreenHarness
  private let theirs: ScreenHarness

  init() throws {
    mine = try ScreenHarness(ScreenPeople.few)
    theirs = try ScreenHarness(book: mine.book)
  }

  /// Returns the contact that all of them write.
  private func lee() throws -> Contact {
    var found: Contact?
    try mine.book.forEachContact { contact in
      if contact.uid == "screen-李-小龙" { found = contact }
      return found == nil
    }
    return try #require(found)
  }

  /// Opens the form of Lee, with the cursor in the organization.
  private func open(_ screen: ScreenHarness) throws {
    try screen.wait("all contacts") { screen.browser.list.rowCount == ScreenPeople.few.count }
    screen.browser.list.select(id: try lee().id)
    screen.press("e")
    let organization = try lee().organization
    for _ in 0..<20 where !screen.focusedLine.contains(organization) { screen.press("Tab") }
    #expect(screen.focusedLine.contains(organization))
  }

  private func write(_ text: String, on screen: ScreenHarness) throws {
    try open(screen)
    screen.press("C-u")
    screen.type(text)
    screen.press("C-s")
  }

  private func run(_ sql: String) throws { try mine.book.database.write { try $0.execute(sql: sql) } }

  @Test func undoAsksAboutChangesOfAnotherScreen() throws {
    try write("Mine", on: mine)
    try write("Theirs", on: theirs)
    mine.press("u")
    #expect(mine.screen.contains("李小龙 was changed after that."))
    #expect(mine.screen.contains("Changed since: "))
    mine.press("Esc")
    #expect(try lee().organization == "Theirs")
    mine.press("u m")
    #expect(try lee().organization == "Golden Harvest")
    #expect(mine.screen.contains("Undone: Edit 李小龙."))
    mine.press("C-r")
    #expect(try lee().organization == "Mine")
    mine.press("u")
    #expect(try lee().organization == "Golden Harvest")
  }

  @Test func theirVersionCanBeKept() throws {
    try write("Mine", on: mine)
    try write("Theirs", on: theirs)
    mine.press("u t")
    #expect(try lee().organization == "Theirs")
    #expect(mine.screen.contains("Nothing was left to undo: Edit 李小龙."))
    theirs.press("u")
    #expect(try lee().organization == "Mine")
  }

  @Test func aDeletionByTheOtherScreenCanBeKept() throws {
    try write("Mine", on: mine)
    theirs.browser.list.select(id: try lee().id)
    theirs.press("d y")
    mine.press("u")
    #expect(mine.screen.contains("李小龙 was deleted after that."))
    #expect(mine.screen.contains("t  leave it deleted"))
    mine.press("t")
    #expect(try mine.book.contactCount() == ScreenPeople.few.count - 1)
  }

  @Test func anUndoThatOthersHaveDoneIsNotReportedAsDone() throws {
    try write("Mine", on: mine)
    try write("Golden Harvest", on: theirs)
    mine.press("u")
    #expect(mine.screen.contains("Nothing was left to undo: Edit 李小龙."))
    mine.press("C-r")
    #expect(mine.screen.contains("Nothing was left to redo: Edit 李小龙."))
    #expect(try lee().organization == "Golden Harvest")
  }

  @Test func redoReportsConflictsToo() throws {
    try write("Mine", on: mine)
    mine.press("u")
    try write("Theirs", on: theirs)
    mine.press("C-r")
    #expect(mine.screen.contains("redo anyway"))
    mine.press("b")
    #expect(try lee().organization == "Theirs")
  }

  @Test func anImportIsUndoneInTheBackgroundAndAsks() throws {
    let before = try lee()
    var contact = before
    contact.organization = "Imported"
    try mine.book.bulkWrite(
      groups: .replace, as: StepName(.importing, "x"), in: mine.browser.parts.editor.session
    ) { writer in
      try writer.write(contact)
      for other in SampleContacts(count: ContactEditor.bulkThreshold, seed: 5) { try writer.write(other) }
    }
    try write("Theirs", on: theirs)
    mine.press("u")
    try mine.wait(for: "李小龙 was changed after that.")
    mine.press("m")
    #expect(mine.screen.contains("undo anyway"), "it came by itself, so no letter answers it")
    mine.press("Esc")
    #expect(try lee().organization == "Theirs")
    mine.press("u")
    try mine.wait(for: "undo anyway")
    mine.press("Up Up Enter")
    try mine.wait(for: "Undone: Import x.")
    #expect(try lee().organization == "Golden Harvest")
    mine.press("C-r")
    try mine.wait(for: "Import x.")
    try mine.wait("the import to be redone") { (try? lee().organization) == "Imported" }
  }

  @Test func aPhoneChangedBySQLWhileTheFormIsOpenIsNotOverwritten() throws {
    let before = try lee()
    try open(mine)
    mine.press("C-u")
    mine.type("Mine")
    try run("UPDATE phone SET value = '110' WHERE contact_id = \(before.id)")
    mine.press("C-s")
    #expect(mine.screen.contains("Saved 李小龙"))
    #expect(try lee().phones.map(\.value) == ["110"])
    #expect(try lee().organization == "Mine")
  }

  @Test func aSaveNamesTheContactAsItIsNow() throws {
    try open(mine)
    mine.press("C-u")
    mine.type("Mine")
    let context = theirs.book.newContext()
    let person = try #require(try context.person(try lee().id))
    try person.set("given", to: "大龙")
    try context.save()
    mine.press("C-s")
    #expect(mine.screen.contains("Saved 李大龙"), "\(mine.screen)")
    #expect(try lee().organization == "Mine")
  }

  @Test(arguments: ["m", "t"]) func aContactRemovedBySQLWhileTheFormIsOpenIsAConflict(answer: String) throws {
    let before = try lee()
    try open(mine)
    mine.press("C-u")
    mine.type("Typed")
    try run("DELETE FROM contact WHERE id = \(before.id)")
    mine.press("C-s")
    #expect(mine.screen.contains("李小龙 was deleted by another program while you were editing."))
    mine.press(answer)
    if answer == "m" {
      let after = try lee()
      #expect(after.organization == "Typed" && after.phones == before.phones && after.groups == before.groups)
      #expect(mine.screen.contains("Saved 李小龙"))
    } else {
      #expect(try mine.book.contact(id: before.id) == nil)
      #expect(mine.screen.contains("That contact is no longer in the book."))
    }
  }
}

extension ScreenHarness {
  /// The line that the cursor is in.
  var focusedLine: String {
    draw()
    guard let row = terminal.canvas?.cursor?.row else { return "" }
    let lines = terminal.text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.dropFirst(row).first.map(String.init) ?? ""
  }
}
