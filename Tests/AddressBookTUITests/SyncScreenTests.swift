import AddressBookModel
import FolderSync
import Foundation
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Accounts and synced folders on the screen.
@MainActor
struct SyncScreenTests {
  private let books: BookFolder
  private let book: AddressBook

  init() throws {
    books = try BookFolder()
    book = try AddressBook.open(at: books.book())
    for (folder, uid, name) in [("private", "ann", "Ann Lee"), ("work", "bob", "Bob Berg")] {
      try FileManager.default.createDirectory(atPath: books.file(folder), withIntermediateDirectories: true)
      try write(folder, uid, name)
      let sync = FolderSync(book: book, path: books.file(folder))
      sync.adoptsFreeContacts = false
      _ = try sync.run()
    }
  }

  private func write(_ folder: String, _ uid: String, _ name: String, _ lines: String = "") throws {
    let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:\(name)\r\n\(lines)END:VCARD\r\n"
    try Data(card.utf8).write(to: URL(filePath: books.file(folder) + "/\(uid).vcf"))
  }

  private func harness(
    rows: Int = 24, columns: Int = 80, language: Language = .english, _ configuration: Configuration = Configuration()
  ) throws -> ScreenHarness {
    let harness = try ScreenHarness(
      rows: rows, columns: columns, language: language, book: book, configuration: configuration)
    harness.environment.syncRecords = SyncRecords(book: book, environment: ["HOME": books.file("home")])
    return harness
  }

  /// The screen with the same time and the same folder each time.
  private func masked(_ harness: ScreenHarness) -> String {
    harness.screen.replacing(#/\d{4}-\d\d-\d\d \d\d:\d\d/#, with: "2026-03-01 10:30")
      .replacing(#/  [/…][^ \n]*/(private|work)[^ \n]*/#) { "  …/\($0.output.1)" }
  }

  private func wait(_ harness: ScreenHarness) throws {
    try harness.wait("the end of the sync") { harness.browser.syncing.progress == nil }
  }

  /// Both sides change the title of Ann, and a new card comes.
  private func makeConflict() throws {
    let id = try #require(try book.contact(uid: "ann")?.id)
    _ = try book.newContext().edit(id) { $0.title = "Poet" }
    try write("private", "ann", "Ann Lee", "TITLE:Painter\r\n")
    try write("work", "cy", "Cy Twombly")
  }

  @Test(arguments: ScreenGoldenTests.views)
  func whatCameAndWentIsShown(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try harness(rows: size.rows, columns: size.columns, language: language)
    let name = "sync-\(size.columns)x\(size.rows)-\(language.rawValue)"
    harness.press("S")
    try Golden.check(masked(harness), name + "-never")
    try makeConflict()
    harness.press("s")
    try wait(harness)
    try Golden.check(masked(harness), name)
    harness.press("p")
    try Golden.check(masked(harness), name + "-decide")
  }

  @Test func aConflictIsDecided() throws {
    try makeConflict()
    let harness = try harness()
    harness.press("S s")
    try wait(harness)
    #expect(harness.screen.contains("“Poet” in the book, “Painter” in the folder"))
    #expect(try book.contact(uid: "cy") != nil)
    harness.press("p Down Enter")
    try wait(harness)
    #expect(try book.contact(uid: "ann")?.title == "Painter")
    harness.press("p")
    #expect(harness.screen.contains("There is nothing to decide here."))
  }

  @Test func whatIsMissingIsDeletedOnlyWhenDecided() throws {
    let folder = books.file("work")
    for number in 1...12 { try write("work", "p\(number)", "Person \(number)") }
    _ = try FolderSync(book: book, path: folder).run()
    for number in 1...12 { try FileManager.default.removeItem(atPath: folder + "/p\(number).vcf") }
    let harness = try harness()
    harness.press("S s")
    try wait(harness)
    harness.press("j")
    #expect(harness.screen.contains("Nothing was changed."))
    #expect(try book.contactCount() == 14)
    harness.press("p Down Down Enter")
    try wait(harness)
    #expect(try book.contactCount() == 2)
  }

  @Test func aFolderIsRemovedAndItsContactsStay() throws {
    let harness = try harness()
    harness.press("S x y")
    #expect(try book.folders().map(\.name) == ["work"] && book.contactCount() == 2)
    #expect(harness.screen.contains("Its contacts are still in the book."))
  }

  @Test func accountsAreSyncedAtTheStartAndAtIntervals() throws {
    var configuration = Configuration()
    (configuration.syncsAtStart, configuration.syncMinutes) = (true, 10)
    try write("work", "cy", "Cy Twombly")
    let harness = try harness(configuration)
    harness.browser.syncing.start()
    try wait(harness)
    #expect(try book.contact(uid: "cy") != nil)
    try write("work", "dee", "Dee Dee")
    harness.loop.advanceTime()
    try harness.wait("the next sync") { (try? book.contact(uid: "dee")) != nil }
    try wait(harness)
  }

  @Test(arguments: ScreenGoldenTests.views)
  func anAccountIsAdded(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try harness(rows: size.rows, columns: size.columns, language: language)
    let name = "account-\(size.columns)x\(size.rows)-\(language.rawValue)"
    harness.press("S a")
    harness.type("https://dav.example.org/")
    harness.press("Enter")
    harness.type("me@example.org")
    harness.press("^S")
    try Golden.check(masked(harness), name)
    harness.type("pass show dav")
    harness.press("Tab")
    harness.type("dav")
    harness.press("Enter Space Enter")
    let account = try #require(AccountFolder(book.location).accounts().first)
    #expect(account.name == "dav" && account.keepsLocal && account.passwordCommand == "pass show dav")
    harness.press("k k")
    try Golden.check(masked(harness), name + "-added")
  }

  @Test(arguments: [
    ("dav.example.org", "is not the address of a server"),
    ("https://carddav.google.com/", "Google accepts no password"),
    ("https://me:x@example.org/", "Leave the password out"),
  ])
  func aWrongAddressIsExplained(address: String, message: String) throws {
    let harness = try harness()
    harness.press("S a")
    harness.type(address)
    harness.press("^S")
    #expect(harness.screen.contains(message))
    harness.press("Esc")
    #expect(AccountFolder(book.location).accounts().isEmpty)
  }

  @Test(arguments: ScreenGoldenTests.views)
  func theGuide(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language)
    harness.press("S")
    try Golden.check(harness.screen, "sync-\(size.columns)x\(size.rows)-\(language.rawValue)-empty")
    harness.press("i")
    try Golden.check(harness.screen, "sync-\(size.columns)x\(size.rows)-\(language.rawValue)-guide")
  }
}
