import AddressBookModel
import Foundation
import GRDB
import Messages
import Testing

@testable import AddressBookTUI

/// What the screen does when another program has the book locked, or has replaced its file.
@MainActor
@Suite struct BookTroubleTests {
  private let folder: BookFolder

  init() throws { folder = try BookFolder() }

  private func harness() throws -> ScreenHarness {
    try ScreenHarness(at: folder.book(), ScreenPeople.few)
  }

  private func typeNewPerson(_ harness: ScreenHarness) {
    harness.press("a")
    harness.type("Quine")
  }

  @Test func aSaveIsRetriedUntilTheOtherProgramHasFinished() throws {
    let harness = try harness()
    typeNewPerson(harness)
    let writer = OtherWriter(harness.book)
    harness.press("^S")
    #expect(harness.screen.contains("Waiting to save"))
    harness.type("x")
    harness.loop.advanceTime()
    #expect(harness.screen.contains("Waiting to save"))
    writer.end()
    harness.loop.advanceTime()
    #expect(try harness.book.contactCount() == ScreenPeople.few.count + 1)
    try harness.wait(for: "Quine")
    #expect(!harness.screen.contains("Quinex"), "what is being saved stays as it is")
    harness.book.close()
  }

  /// The answer to a question before the save is kept while it waits.
  @Test func theRestoringOfADeletedContactIsRetriedToo() throws {
    let harness = try harness()
    harness.press("' m e")
    harness.type("x")
    let id = try #require(harness.browser.list.selectedID)
    let others = harness.book.newContext()
    try others.delete(try #require(try others.person(id)))
    try others.save()
    harness.press("^S")
    #expect(harness.screen.contains("was deleted"))
    let writer = OtherWriter(harness.book)
    harness.press("m")
    #expect(harness.screen.contains("Waiting to save"))
    writer.end()
    harness.loop.advanceTime()
    #expect(harness.environment.screens.top === harness.browser, "\(harness.screen)")
    #expect(try harness.book.contact(id: id) != nil)
    harness.book.close()
  }

  @Test func aSaveThatTimedOutAsksAndLosesNothing() throws {
    let harness = try harness()
    typeNewPerson(harness)
    let writer = OtherWriter(harness.book)
    harness.press("^S")
    for _ in 0..<100 where harness.screen.contains("Waiting to save") { harness.loop.advanceTime() }
    #expect(harness.screen.contains("The book could not be written"))
    harness.type("xyz")
    #expect(harness.screen.contains("The book could not be written"), "it stays until it is answered")
    writer.end()
    harness.press("r")
    #expect(
      try harness.book.contactCount() == ScreenPeople.few.count, "the time brought it up, so no letter answers it")
    harness.press("Up Enter")
    #expect(try harness.book.contactCount() == ScreenPeople.few.count + 1)
    harness.book.close()
  }

  @Test(arguments: ScreenGoldenTests.views)
  func theQuestionMatchesTheGoldens(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.press("' m")
    let error = StoreError(.busy, path: "/home/user/.local/share/addressbook/addressbook.db")
    harness.browser.parts.show(error, again: {})
    try Golden.check(harness.screen, "busy-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func escapeStopsWaiting() throws {
    let harness = try harness()
    typeNewPerson(harness)
    let writer = OtherWriter(harness.book)
    harness.press("^S Esc")
    #expect(!harness.screen.contains("Waiting to save"))
    writer.end()
    harness.loop.advanceTime()
    #expect(try harness.book.contactCount() == ScreenPeople.few.count)
    #expect(harness.screen.contains("Quine"), "the form is open")
    harness.press("^S")
    #expect(try harness.book.contactCount() == ScreenPeople.few.count + 1)
    harness.book.close()
  }

  @Test func aBlockedDeletionCanBeRetried() throws {
    let harness = try harness()
    let writer = OtherWriter(harness.book)
    harness.press("d y")
    #expect(harness.screen.contains("The book could not be written"))
    writer.end()
    harness.press("r")
    #expect(try harness.book.contactCount() == ScreenPeople.few.count - 1)
    harness.book.close()
  }

  private func replaceBook() throws {
    let other = try AddressBook.open(at: folder.book("other.db"))
    try other.bulkWrite { _ = try $0.write(ScreenPeople.few[4]) }
    other.close()
    #expect(rename(folder.file("other.db"), folder.file("book.db")) == 0)
  }

  @Test func aReplacedBookIsReopenedWithTheUnsavedText() throws {
    let harness = try harness()
    let drafts = DraftFolder(folder: folder.file("drafts"), book: folder.book().path ?? "")
    harness.environment.drafts = DraftAutosave(store: drafts, loop: harness.loop)
    typeNewPerson(harness)
    try replaceBook()
    try harness.wait(for: "The book must be opened again")
    harness.press("Esc ^S")
    #expect(harness.screen.contains("The book must be opened again"))
    #expect(harness.screen.contains("What you typed is kept"))
    #expect(!drafts.left().isEmpty)
    harness.press("o")
    #expect(harness.environment.reopening != nil)
    #expect(harness.loop.isStopped)
    harness.book.close()
    let book = try AddressBook.open(at: folder.book())
    #expect(try book.listRows().map(\.displayName) == ["马云"], "the new file is as it was")
    book.close()
  }

  @Test func unsavedTextCanBeSavedToAFile() throws {
    let harness = try harness()
    typeNewPerson(harness)
    try replaceBook()
    try harness.wait(for: "The book must be opened again")
    harness.press("Esc ^S s")
    harness.type(folder.file("book.db"))
    harness.press("Enter")
    #expect(harness.screen.contains("already exists"))
    harness.press("s")
    harness.type(folder.file("typed.vcf"))
    harness.press("Enter")
    #expect(harness.screen.contains("What you typed was saved to"))
    #expect(try String(contentsOfFile: folder.file("typed.vcf"), encoding: .utf8).contains("Quine"))
    harness.press("l")
    #expect(harness.screen.contains("Quine"), "the form is open")
    harness.book.close()
  }

  /// The dialog can appear while the user types, so typed letters are not taken as an answer.
  @Test func aDialogThatAppearsByItselfIgnoresLetters() throws {
    let harness = try harness()
    harness.press("a")
    try replaceBook()
    try harness.wait(for: "The book must be opened again")
    harness.type("so long")
    harness.press("Tab x Tab y")
    #expect(harness.screen.contains("The book must be opened again") && harness.environment.reopening == nil)
    #expect(!harness.screen.contains("o  open the book again"), "no letter is offered")
    harness.press("Enter")
    #expect(!harness.screen.contains("The book must be opened again") && harness.environment.reopening == nil)
    harness.type("Quine")
    harness.press("^S")
    #expect(harness.screen.contains("The book must be opened again"), "asked for by a key, it has its letters")
    harness.press("o")
    #expect(harness.environment.reopening != nil)
    harness.book.close()
  }

  @Test func aDialogThatAppearsByItselfIsAnsweredWithTheArrows() throws {
    let harness = try harness()
    try replaceBook()
    try harness.wait(for: "The book must be opened again")
    harness.press("Up Enter")
    #expect(harness.environment.reopening != nil)
    harness.book.close()
  }

  @Test func theListReportsAReplacedBook() throws {
    let harness = try harness()
    try replaceBook()
    // The watch on the folder wakes the list, which notices the replaced book when it reads.
    try harness.wait(for: "The book must be opened again")
    harness.press("Enter j")
    #expect(harness.screen.contains("李"), "what is there can still be looked at")
    harness.book.close()
  }

  @Test func withoutAFolderForDraftsUnsavedTextIsNotSaidToBeKept() throws {
    let harness = try harness()
    typeNewPerson(harness)
    try replaceBook()
    try harness.wait(for: "The book must be opened again")
    harness.press("Esc ^S")
    #expect(harness.screen.contains("What you typed is not kept."))
    #expect(!harness.screen.contains("What you typed is kept"))
    harness.book.close()
  }

  @Test func unsavedTextThatCannotBeKeptIsNotSaidToBeKept() throws {
    let harness = try harness()
    let drafts = DraftFolder(folder: "/dev/null", book: "/b.db")
    harness.environment.drafts = DraftAutosave(store: drafts, loop: harness.loop)
    typeNewPerson(harness)
    try replaceBook()
    try harness.wait(for: "The book must be opened again")
    harness.press("Esc ^S")
    #expect(harness.screen.contains("What you typed could not be kept: "))
    #expect(!harness.screen.contains("What you typed is kept"))
    harness.press("s")
    harness.type(folder.file("typed.vcf"))
    harness.press("Enter")
    #expect(harness.screen.contains("What you typed was saved to") && !harness.screen.contains("could not be kept"))
    harness.book.close()
  }

  /// Another program makes a smart group with the name of a typed group while the save waits.
  @Test func aRefusedFormCanBeEditedAfterItHasWaited() throws {
    let harness = try harness()
    typeNewPerson(harness)
    let form = try #require(harness.environment.screens.top as? ContactFormScreen)
    form.model.go(to: .row(.single(.groups)))
    harness.type("Team")
    let writer = OtherWriter(harness.book)
    harness.press("^S")
    #expect(harness.screen.contains("Waiting to save"))
    writer.end()
    try harness.book.edit(.addSmart("Team", .search("x")))
    harness.loop.advanceTime()
    #expect(harness.screen.contains("“Team” is a smart group"))
    harness.type("s")
    #expect(form.model.contact.groups == ["Teams"])
    harness.press("^S")
    #expect(try harness.book.contactCount() == ScreenPeople.few.count + 1)
    harness.book.close()
  }
}
