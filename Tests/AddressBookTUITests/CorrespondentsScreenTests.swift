import AddressBookModel
import BookInterchange
import Contacts
import Foundation
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Who exchanges email with the user, and the order of the list by the last contact.
@MainActor
struct CorrespondentsScreenTests {
  private let books: BookFolder

  init() throws {
    books = try BookFolder()
    try FileManager.default.createDirectory(atPath: books.file("mail/cur"), withIntermediateDirectories: true)
    for (number, mail) in [
      "From: Me <me@example.org>\nTo: =?UTF-8?B?5p2O5by6?= <li@example.com>, bob@example.com",
      "From: me@example.org\nTo: li@example.com", "From: Ann Lee <ann@example.com>\nTo: me@example.org",
      "From: me@example.org\nTo: 小龙 <xiaolong@example.com>",
    ].enumerated() {
      try write("\(number)", "\(mail)\nDate: Mon, 0\(number + 1) Mar 2024 12:00:00 +0000\n\n")
    }
  }

  private func write(_ name: String, _ mail: String) throws {
    try Data(mail.utf8).write(to: URL(filePath: books.file("mail/cur/" + name)))
  }

  private func harness(
    rows: Int = 24, columns: Int = 80, language: Language = .english
  ) throws -> ScreenHarness {
    var lee = Contact()
    (lee.family, lee.given, lee.emails) = ("李", "小龙", [LabeledValue(value: "xiaolong@example.com")])
    var ann = Contact()
    ann.given = "Ann"
    return try ScreenHarness(rows: rows, columns: columns, language: language, [lee, ann])
  }

  private func read(_ harness: ScreenHarness) throws {
    harness.press("C C-u")
    harness.type(books.file("mail"))
    harness.press("Enter")
    try harness.wait("the mail") { harness.browser.parts.work.task == nil }
  }

  /// Waits until the screen shows who is in the book.
  private func waitForPeople(_ harness: ScreenHarness) throws {
    let screen = try #require(harness.environment.screens.top as? CorrespondentsScreen)
    try harness.wait("the people") { screen.isIdle && harness.browser.parts.work.task == nil }
  }

  @Test(arguments: ScreenGoldenTests.views)
  func matchesTheGoldens(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try harness(rows: size.rows, columns: size.columns, language: language)
    try read(harness)
    harness.press("j Space")
    try Golden.check(harness.screen, "correspondents-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func markedPeopleAreAddedInOneStep() throws {
    let harness = try harness()
    try read(harness)
    #expect(harness.screen.contains("4; you are me@example.org"))
    harness.press("A a")
    try waitForPeople(harness)
    #expect(harness.screen.contains("Added 3 contacts."))
    harness.press("n")
    #expect(harness.screen.contains("Nobody."))
    harness.press("u")
    try harness.wait("the undo") { harness.browser.parts.work.task == nil }
    try harness.wait("one to add") { harness.screen.contains("bob@example.com") }
    #expect(try harness.book.contactCount() == 2)
  }

  @Test func whoIsInTheBookIsShown() throws {
    let harness = try harness(columns: 120)
    try read(harness)
    harness.press("Enter")
    #expect(harness.screen.contains("This person is not in the book."))
    for _ in 0..<4 where !harness.selectedLine.contains("xiaolong") { harness.press("j") }
    harness.press("Enter")
    #expect(harness.selectedLine.contains("李小龙") && harness.screen.contains("last contact"))
  }

  @Test func ownAddressesCanBeChanged() throws {
    let harness = try harness()
    try read(harness)
    harness.press("m C-u")
    harness.type("me@example.org, li@example.com")
    harness.press("Enter")
    try waitForPeople(harness)
    #expect(harness.screen.contains("3; you are"))
  }

  @Test func noMailIsSaid() throws {
    let harness = try harness()
    harness.press("C C-u")
    harness.type(books.file("none"))
    harness.press("Enter")
    try harness.wait("the error") { harness.browser.parts.work.task == nil }
    #expect(harness.screen.contains("none"))
  }

  /// Another program keeps a later contact: the list moves the contact at once.
  @Test func theListFollowsTheLastContact() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.browser.list.sort(by: .contacted)
    try harness.wait("the order") { harness.browser.list.shown.order == .contacted }
    #expect(harness.screen.contains("Last contact unknown"))
    let last = try #require(harness.browser.list.snapshot.id(atFlatRow: harness.browser.list.rowCount - 1))
    try harness.book.recordLastContact([last: 1_709_208_000])
    try harness.wait("the contact at the top") { harness.browser.list.snapshot.id(atFlatRow: 0) == last }
    #expect(harness.screen.contains("February 2024") && harness.screen.contains("2024-02-29"), "\(harness.screen)")
  }
}
