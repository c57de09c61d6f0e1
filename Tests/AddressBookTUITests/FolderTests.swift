import AddressBookModel
import FolderSync
import Foundation
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Folders that the book is synced with, on the screen.
@MainActor
struct FolderTests {
  private let books: BookFolder
  private let book: AddressBook

  init() throws {
    books = try BookFolder()
    book = try AddressBook.open(at: books.book())
    for (folder, uid, name) in [("private", "ann", "Ann Lee"), ("work", "bob", "Bob Berg")] {
      let path = books.file(folder)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:\(name)\r\nCATEGORIES:Friends\r\nEND:VCARD\r\n"
      try Data(card.utf8).write(to: URL(filePath: path + "/\(uid).vcf"))
      try Data("#ff8800".utf8).write(to: URL(filePath: path + "/color"))
      _ = try FolderSync(book: book, path: path).run()
    }
  }

  @Test(arguments: ScreenGoldenTests.views)
  func choosingAFolder(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, book: book)
    harness.press("f")
    try harness.waitForCounts()
    try Golden.check(harness.screen, "folders-\(size.columns)x\(size.rows)-\(language.rawValue)")
    harness.press("Down Down Enter")
    try harness.wait("the folder") { harness.browser.list.rowCount == 1 }
    try Golden.check(harness.screen, "folder-\(size.columns)x\(size.rows)-\(language.rawValue)")
    harness.press("Esc")
    try harness.wait("all contacts") { harness.browser.list.rowCount == 2 }
  }

  @Test(arguments: ScreenGoldenTests.views)
  func choosingAColor(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, book: book)
    harness.press("f Down")
    try harness.waitForCounts()
    try Golden.check(harness.screen, "folder-selected-\(size.columns)x\(size.rows)-\(language.rawValue)")
    harness.press("M-c")
    try Golden.check(harness.screen, "folder-color-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func aFolderGetsAColorOnTheScreen() throws {
    let harness = try ScreenHarness(book: book)
    harness.press("f Down M-c")
    harness.type("green")
    harness.press("Enter")
    #expect(
      harness.screen.contains("Changed the color of the folder “private”.") && harness.screen.contains("▸ ● private"))
    #expect(try book.folders().map(\.color) == ["#43A047", "#ff8800"])
    #expect(try String(contentsOfFile: books.file("private/color"), encoding: .utf8) == "#43A047")
    harness.press("M-c")
    harness.type("#0000fg")
    harness.press("Enter")
    #expect(harness.screen.contains("Enter a color as #RRGGBB"))
    harness.press("M-c")
    harness.type("#0000ff")
    harness.press("Enter")
    #expect(try book.folders()[0].color == "#0000ff")
    harness.press("M-c End Enter")
    #expect(try book.folders()[0].color.isEmpty && harness.screen.contains("▸ ▤ private"))
    harness.press("Up M-c")
    #expect(harness.screen.contains("Only a folder has a color."))
  }

  @Test func thePaneReopensIfNoColorIsChosen() throws {
    let harness = try ScreenHarness(book: book)
    harness.press("f Down Down M-c Esc")
    #expect(harness.environment.screens.top?.keyContext == .groups && harness.screen.contains("▸ ● work"))
  }

  @Test func aMovedContactLeavesTheShownFolder() throws {
    let harness = try harnessInFolder()
    harness.press("m")
    #expect(harness.screen.contains("only in this book"))
    harness.press("Enter")
    try harness.wait("an empty list") { harness.browser.list.rowCount == 0 }
    #expect(try book.folders().map(\.count) == [2, 0])
  }

  @Test func aMoveIsUndoneAndRedone() throws {
    let harness = try harnessInFolder()
    harness.press("m Enter")
    try harness.wait("an empty list") { harness.browser.list.rowCount == 0 }
    #expect(harness.screen.contains("Moved 1 contact to “private”. Press u to undo."))
    harness.press("u")
    try harness.wait("the contact to be back") { harness.browser.list.rowCount == 1 }
    #expect(harness.screen.contains("Undone: Move to folder private"))
    #expect(try book.folders().map(\.count) == [1, 1])
    harness.press("^R")
    try harness.wait("an empty list") { harness.browser.list.rowCount == 0 }
    #expect(try book.folders().map(\.count) == [2, 0])
  }

  /// Opens the screen with the list of the folder “work”.
  private func harnessInFolder() throws -> ScreenHarness {
    let harness = try ScreenHarness(book: book)
    harness.press("f Down Down Enter")
    try harness.wait("the folder") { harness.browser.list.rowCount == 1 }
    return harness
  }

  @Test func aMoveByAnotherProcessShows() throws {
    let harness = try harnessInFolder()
    let other = try AddressBook.open(at: books.book())
    let (ann, work) = (try #require(try other.contact(uid: "ann")), try #require(try other.folders().last))
    try other.move([ann.id], to: work)
    try harness.wait("two contacts in the folder") { harness.browser.list.rowCount == 2 }
  }

  /// A new contact and its folder are one step.
  @Test func undoingAnAdditionInAFolderDeletesTheContact() throws {
    let harness = try harnessInFolder()
    harness.press("a")
    harness.type("安")
    harness.press("^S")
    try harness.wait("the new contact in the folder") { harness.browser.list.rowCount == 2 }
    harness.press("u")
    try harness.wait("the new contact to be gone") { harness.browser.list.rowCount == 1 }
    #expect(try book.contactCount() == 2)
  }

  @Test func aFolderIsRenamed() throws {
    let harness = try harnessInFolder()
    harness.press("f ^R")
    harness.press("^U")
    harness.type("Company 公司")
    harness.press("Enter")
    #expect(harness.screen.contains("▸ ● Company 公司"))
    #expect(harness.screen.contains("Renamed the folder “work” to “Company 公司”."))
    #expect(harness.browser.list.filter.folder?.name == "Company 公司")
    let written = try String(contentsOf: URL(filePath: books.file("work/displayname")), encoding: .utf8)
    #expect(written == "Company 公司")
  }

  @Test func aFolderThatAnotherProgramRenamesKeepsItsTitleCurrent() throws {
    let harness = try harnessInFolder()
    let following = SyncFollowing(harness.browser.parts)
    following.start()
    #expect(harness.screen.contains("work · 1"))
    let other = try AddressBook.open(at: books.book())
    try other.rename(try #require(other.folders().last), to: "Company")
    harness.loop.advanceTime()
    try harness.wait(for: "Company · 1")
  }

  @Test func aNewContactStartsInTheFolderThatIsShown() throws {
    let harness = try harnessInFolder()
    harness.press("a")
    harness.type("安")
    harness.press("^S")
    try harness.wait("the new contact in the folder") { harness.browser.list.rowCount == 2 }
    #expect(try book.folders().map(\.count) == [1, 2])
    #expect(harness.browser.list.filter.folder?.name == "work")
  }

  @Test func aSyncByAnotherProcessIsReported() throws {
    let harness = try ScreenHarness(book: book)
    let following = SyncFollowing(harness.browser.parts)
    following.start()
    #expect(!harness.environment.isSyncing)
    harness.browser.list.onEvent = { event in
      harness.browser.follow(event)
      if case .written = event { following.follow() }
    }
    let other = try AddressBook.open(at: books.book())
    let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:eva\r\nFN:Eva Ek\r\nEND:VCARD\r\n"
    try Data(card.utf8).write(to: URL(filePath: books.file("work/eva.vcf")))
    _ = try FolderSync(book: other, path: books.file("work")).run()
    try harness.wait("the contact") { harness.browser.list.rowCount == 3 }
    try harness.wait(for: "A sync changed 1 contact.")
  }

  @Test func aWholeContactIsShownWithItsFolders() throws {
    let harness = try ScreenHarness(book: book)
    harness.press("A M o")
    #expect(harness.screen.contains("folder  private"), "\(harness.screen)")
  }

  @Test func noUndoIsOfferedIfNothingWasMoved() throws {
    let harness = try ScreenHarness(book: book)
    harness.press("m Enter m Enter")
    #expect(harness.screen.contains("The contact is already in “private”.") && !harness.screen.contains("to undo"))
    harness.press("m End Enter m End Enter")
    #expect(
      harness.screen.contains("The contact is not in a folder.") && !harness.screen.contains("to undo"))
  }

  /// Another program may remove the folder while the form is open.
  @Test func aNewContactWhoseFolderIsGoneSaysSo() throws {
    let harness = try harnessInFolder()
    harness.press("a")
    harness.type("安")
    try book.removeFolder(try #require(book.folders().last).id)
    harness.press("^S")
    #expect(harness.screen.contains("✗ Added 安, but not to the folder “work”:"))
    #expect(try book.contactCount() == 3)
  }

  @Test func aFailedWriteOfAFolderIsNotCalledARead() throws {
    let harness = try ScreenHarness(book: book)
    try book.database.write { db in
      try db.execute(
        sql: "CREATE TEMP TRIGGER refuse BEFORE UPDATE ON sync_folder BEGIN SELECT RAISE(ABORT, 'refused'); END")
    }
    harness.press("f Down ^R")
    harness.type("x")
    harness.press("Enter")
    #expect(harness.screen.contains("✗ Not saved:"))
    harness.press("f Down M-c")
    harness.type("green")
    harness.press("Enter")
    #expect(harness.screen.contains("✗ Not saved:"))
  }
}
