import AddressBookModel
import Foundation
import IDSets
import ResultsController
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Work in the background, above all bulk writes and their undo.
@MainActor
struct BulkUndoTests {
  private let folder: BookFolder

  init() throws { folder = try BookFolder() }

  @Test func escStopsAnUndoInTheBackground() throws {
    let book = try AddressBook.open(at: folder.book())
    let harness = try ScreenHarness(book: book)
    let count = ContactEditor.bulkThreshold + 1
    try book.bulkWrite(as: StepName(.importing, "x"), in: harness.browser.parts.editor.session) { writer in
      for contact in SampleContacts(count: count, seed: 1) { try writer.write(contact) }
    }
    // Another writer holds the lock, so that the undo has not begun when Esc is pressed.
    let writer = OtherWriter(book)
    harness.press("u")
    #expect(harness.screen.contains("Undoing: Import x…"))
    // Commands that would interfere are refused.
    harness.press("^R")
    #expect(harness.screen.contains("Another task is still running."))
    harness.press("Esc")
    writer.end()
    try harness.wait(for: "Undo stopped; nothing was changed.")
    #expect(try book.contactCount() == count)
    harness.press("u")
    try harness.wait(for: "Undone: Import x.")
    #expect(try book.contactCount() == 0)
    harness.press("^R")
    try harness.wait("all contacts to be back") { (try? book.contactCount()) == count }
    harness.browser.list.stop()
    book.close()
  }

  @Test func manyContactsAreDeletedAndGroupedInTheBackground() throws {
    let count = ContactEditor.bulkThreshold + 1
    let harness = try ScreenHarness(Array(SampleContacts(count: count, seed: 3)))
    let (book, browser) = (harness.book, harness.browser)
    browser.parts.listPane.marks = Marks(IDSet(try book.listRows().map(\.id)))
    harness.press("+")
    harness.type("x")
    harness.press("Enter")
    #expect(browser.parts.work.task != nil, "the screen does not wait for it")
    try harness.wait(for: "Added \(count) contacts to “x”")
    #expect(try book.groups().first { $0.name == "x" }?.count == count)
    harness.press("d y")
    #expect(browser.parts.work.task != nil)
    try harness.wait("the deletion to end") { browser.parts.work.task == nil }
    #expect(try book.contactCount() == 0 && browser.parts.listPane.marks.isEmpty)
    for (name, left, members) in [("Delete", count, count), ("Add to x", count, 0)] {
      harness.press("u")
      try harness.wait("the undo of \(name)") { browser.parts.work.task == nil }
      #expect(try book.contactCount() == left)
      #expect(try book.groups().first { $0.name == "x" }?.count ?? 0 == members)
    }
  }

  @Test func escStopsADeletionOfMany() throws {
    let book = try AddressBook.open(at: folder.book())
    try book.bulkWrite { writer in
      for contact in SampleContacts(count: ContactEditor.bulkThreshold + 1, seed: 4) { try writer.write(contact) }
    }
    let harness = try ScreenHarness(book: book)
    let browser = harness.browser
    let all = IDSet(try book.listRows().map(\.id))
    browser.parts.listPane.marks = Marks(all)
    let writer = OtherWriter(book)
    harness.press("d y")
    #expect(harness.screen.contains("Delete 501 contacts…"), "\(harness.screen)")
    harness.press("Esc")
    writer.end()
    try harness.wait(for: "Stopped; nothing was changed.")
    #expect(try book.contactCount() == all.count && browser.parts.listPane.marks.ids == all)
    browser.list.stop()
    book.close()
  }
}
