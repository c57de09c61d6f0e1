import AddressBookModel
import Foundation
import Testing

@testable import AddressBookTUI

/// What the screen says about a contact that was changed by damage, not by a program.
@MainActor
@Suite struct DamageTests {
  private let folder: BookFolder

  init() throws {
    folder = try BookFolder()
    let book = try AddressBook.open(at: folder.book())
    try book.bulkWrite { for person in ScreenPeople.few { try $0.write(person) } }
    book.close()
    // Flips one bit of the name wherever it is in the file.
    let file = folder.file("book.db")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    while let range = bytes.range(of: Data("Müller".utf8)) { bytes[range.lowerBound] ^= 2 }
    try bytes.write(to: URL(fileURLWithPath: file))
  }

  /// Shows the damaged contact: only whole contacts are compared with their checksums.
  private func screen() throws -> ScreenHarness {
    let harness = try ScreenHarness(at: folder.book(), [])
    harness.browser.list.select(
      id: try #require(try harness.book.listRows().first { $0.displayName == "Jürgen Oüller" }).id)
    harness.press("Enter")
    try harness.wait(for: "The book is damaged")
    return harness
  }

  @Test func aDamagedContactIsMarkedEverywhere() throws {
    let harness = try screen()
    #expect(harness.environment.reopening != .examined)
    harness.press("Esc")
    try harness.wait(for: "This contact is damaged")
    harness.press("Esc")
    try harness.wait(for: "⚠ Jürgen Oüller")
    harness.press("e")
    #expect(harness.screen.contains("Check every field"))
    // The user checks the contact and saves it.
    harness.type("x")
    harness.press("^S")
    try harness.wait(for: "Saved")
    #expect(harness.book.damage.isEmpty)
    #expect(!harness.screen.contains("⚠"))
    harness.book.close()
  }

  @Test func aContactStaysDamagedIfItsSaveIsStopped() throws {
    let harness = try screen()
    harness.press("Esc Esc")
    try harness.wait(for: "⚠ Jürgen Oüller")
    let id = try #require(harness.book.damage.contacts.first)
    harness.press("e")
    harness.type("x")
    let writer = OtherWriter(harness.book)
    harness.press("^S")
    #expect(harness.screen.contains("Waiting to save"))
    harness.press("Esc")
    writer.end()
    #expect(harness.book.damage.has(id))
    harness.press("Esc y")
    #expect(harness.screen.contains("⚠ Jürgen Oüller"))
    harness.book.close()
  }

  @Test func noMarksArePromisedIfNoContactCouldBeCompared() throws {
    let intact = try BookFolder()
    let book = try AddressBook.open(at: intact.book())
    try book.bulkWrite { for person in ScreenPeople.few { try $0.write(person) } }
    book.close()
    // Flips a bit in the type of every page with this number in its cells.
    let file = intact.file("book.db")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    let found = try #require(bytes.range(of: Data("13922223333".utf8)))
    bytes[found.lowerBound / 4096 * 4096] ^= 0x40
    try bytes.write(to: URL(fileURLWithPath: file))
    let harness = try ScreenHarness(at: intact.book(), [])
    try harness.wait(for: "The book is damaged")
    #expect(harness.book.damage.contacts.isEmpty)
    #expect(!harness.screen.contains("⚠"), "\(harness.screen)")
    harness.book.close()
  }

  /// The list reads the book through its results controller, whose errors know nothing of the book.
  @Test func aPageOfTheListThatCannotBeReadIsDamageOfTheBook() throws {
    let large = try BookFolder()
    let book = try AddressBook.open(at: large.book())
    try book.bulkWrite { for person in SampleContacts(count: 300, seed: 9) { try $0.write(person) } }
    let first = try #require(try book.listRows().first)
    let uid = try #require(try book.contact(id: first.id)).uid
    book.close()
    let file = large.file("book.db")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    var start = bytes.startIndex
    while let found = bytes.range(of: Data(uid.utf8), in: start..<bytes.endIndex) {
      bytes[found.lowerBound / 4096 * 4096] ^= 0x40
      start = found.upperBound
    }
    try bytes.write(to: URL(fileURLWithPath: file))
    let harness = try ScreenHarness(at: large.book(), [])
    try harness.wait(for: "The book is damaged")
    harness.press("Esc")
    #expect(harness.screen.contains("Parts of the book are damaged. “addressbook doctor” examines the book."))
    harness.book.close()
  }

  @Test func damageOffersToExamineTheBook() throws {
    let harness = try screen()
    harness.press("Up Enter")
    #expect(harness.environment.reopening == .examined)
    harness.book.close()
  }
}
