import AddressBookModel
import Dispatch
import Foundation
import Testing

@testable import AddressBookTUI

/// Undo of what was written in bulk, and the bounds of what can be undone.
@MainActor
struct BulkUndoTests {
  @Test func escStopsAnUndoInTheBackground() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("undo-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let book = try AddressBook.open(at: .file(folder.appendingPathComponent("book.db").path))
    let harness = try ScreenHarness(book: book)
    let journal = try book.bulkWrite { writer in
      writer.keepsJournal = true
      for contact in DemoPeople(count: 20, seed: 1) { try writer.write(contact) }
      return writer.journal
    }
    harness.browser.editor.record(journal, name: "Import x")
    // Somebody writes, so that the undo has not begun when Esc is pressed.
    let (isWriting, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue.global().async {
      _ = try? book.database.write { _ in
        isWriting.signal()
        mayEnd.wait()
      }
    }
    isWriting.wait()
    harness.press("u")
    #expect(harness.screen.contains("Undoing: Import x…"))
    // What would get in the way waits.
    harness.press("^R")
    #expect(harness.screen.contains("Another task is still running."))
    harness.press("Esc")
    mayEnd.signal()
    try harness.wait(for: "Undo stopped; nothing was changed.")
    #expect(try book.contactCount() == 20)
    harness.press("u")
    try harness.wait(for: "Undone: Import x.")
    #expect(try book.contactCount() == 0)
    harness.press("^R")
    try harness.wait("everybody is back") { (try? book.contactCount()) == 20 }
    harness.browser.list.stop()
    book.close()
  }

  @Test func manyContactsAreDeletedAndChangedInBulk() throws {
    let count = ContactEditor.bulkThreshold + 1
    let harness = try ScreenHarness(Array(DemoPeople(count: count, seed: 3)))
    let (book, browser) = (harness.book, harness.browser)
    browser.marked = Set(try book.listRows().map(\.id))
    harness.press("+")
    harness.type("x")
    harness.press("Enter")
    #expect(browser.task != nil, "the screen does not wait for it")
    try harness.wait(for: "Added \(count) contacts to “x”")
    #expect(try book.groups().first { $0.name == "x" }?.count == count)
    harness.press("d y")
    #expect(browser.task != nil)
    try harness.wait("all are deleted") { browser.task == nil }
    #expect(try book.contactCount() == 0 && browser.marked.isEmpty)
    for (name, left, members) in [("Delete", count, count), ("Add to x", count, 0)] {
      harness.press("u")
      try harness.wait("\(name) is undone") { browser.task == nil }
      #expect(try book.contactCount() == left)
      #expect(try book.groups().first { $0.name == "x" }?.count ?? 0 == members)
    }
  }

  @Test func escStopsADeletionOfMany() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("delete-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let book = try AddressBook.open(at: .file(folder.appendingPathComponent("book.db").path))
    try book.bulkWrite { writer in
      for contact in DemoPeople(count: ContactEditor.bulkThreshold + 1, seed: 4) { try writer.write(contact) }
    }
    let harness = try ScreenHarness(book: book)
    let browser = harness.browser
    let all = Set(try book.listRows().map(\.id))
    browser.marked = all
    let (isWriting, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue.global().async {
      _ = try? book.database.write { _ in
        isWriting.signal()
        mayEnd.wait()
      }
    }
    isWriting.wait()
    harness.press("d y")
    #expect(harness.screen.contains("Delete 501 contacts…"), "\(harness.screen)")
    harness.press("Esc")
    mayEnd.signal()
    try harness.wait(for: "Stopped; nothing was changed.")
    #expect(try book.contactCount() == all.count && browser.marked == all)
    browser.list.stop()
    book.close()
  }

  @Test func stepsAreBoundedAndTheNewestStay() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    let editor = harness.browser.editor
    let id = try #require(try harness.book.listRows().first?.id)
    for number in 0..<(ContactEditor.limit + 5) { try editor.change([id], name: "\(number)") { $0.note = "\(number)" } }
    var undone: [String] = []
    while let step = try editor.undo() { undone.append(step.name) }
    #expect(undone == (5..<(ContactEditor.limit + 5)).reversed().map(String.init))
    #expect(try harness.book.contact(id: id)?.note == "4")
    for _ in 0..<ContactEditor.limit { #expect(try editor.redo() != nil) }
    #expect(try harness.book.contact(id: id)?.note == "\(ContactEditor.limit + 4)")
  }

  @Test func tabCompletesAPathWithoutWaitingForTheFolder() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tab-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try "x".write(to: folder.appendingPathComponent("people.vcf"), atomically: true, encoding: .utf8)
    let harness = try ScreenHarness(columns: 200, ScreenPeople.few)
    harness.press("w")
    harness.type(folder.path + "/pe")
    harness.press("Tab")
    try harness.wait(for: "/people.vcf")
    // What is typed before the answer comes stays.
    harness.press("Backspace Backspace Backspace Tab")
    harness.type("x")
    harness.loop.drain()
    #expect(harness.screen.contains("/people.x") || harness.screen.contains("/people.vcfx"))
  }
}
