import AddressBookModel
import BookInterchange
import Contacts
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Moving values up and down in the form, from the key to the book and back.
@MainActor
struct ReorderTests {
  private static var lee: Contact {
    var contact = Contact()
    contact.family = "李"
    contact.given = "小龙"
    contact.phones = [
      LabeledValue(label: "mobile", value: "13922223333"), LabeledValue(label: "home", value: "01055550101"),
      LabeledValue(label: "mobile", value: "13922223333"),
    ]
    contact.emails = [LabeledValue(label: "home", value: "a@example.com"), LabeledValue(value: "b@example.com")]
    contact.birthday = PartialDate("--02-29")
    return contact
  }

  private func values(_ harness: ScreenHarness) throws -> [String] {
    let contact = try #require(try harness.book.contacts(ids: [1]).first)
    return (contact.phones + contact.emails).map { $0.label + ":" + $0.value.prefix(3) }
  }

  private static let before = ["mobile:139", "home:010", "mobile:139", "home:a@e", ":b@e"]

  @Test(arguments: ScreenGoldenTests.views)
  func theFormShowsTheKeysForReordering(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, [Self.lee])
    harness.press("e")
    for _ in 0..<7 { harness.press("Tab") }
    try Golden.check(harness.screen, "form-phone-\(size.columns)x\(size.rows)-\(language.rawValue)")
    for _ in 0..<11 { harness.press("Tab") }
    try Golden.check(harness.screen, "form-birthday-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func theOrderIsSavedUndoneAndExported() throws {
    let harness = try ScreenHarness([Self.lee])
    harness.press("e")
    for _ in 0..<8 { harness.press("Tab") }
    harness.press("M-Up")
    #expect(harness.screen.contains("changed"))
    harness.press("M-Down C-Down C-Down C-Up C-Up M-Up M-Up ^S")
    let after = ["home:010", "mobile:139", "mobile:139", "home:a@e", ":b@e"]
    #expect(try values(harness) == after)
    let saved = try #require(try harness.book.contacts(ids: [1]).first)
    let card = String(decoding: CardExporter(version: nil).card(of: saved, photo: nil), as: UTF8.self)
    let numbers = card.split(separator: "\r\n").filter { $0.hasPrefix("TEL") }.compactMap {
      $0.split(separator: ":").last
    }
    #expect(numbers == ["01055550101", "13922223333", "13922223333"])
    harness.press("u")
    #expect(try values(harness) == Self.before)
    harness.press("^R")
    #expect(try values(harness) == after)
  }

  @Test func leavingTheFormDiscardsTheOrder() throws {
    let harness = try ScreenHarness([Self.lee])
    harness.press("e")
    for _ in 0..<8 { harness.press("Tab") }
    harness.press("M-Up M-Down Esc")
    #expect(harness.environment.screens.top is BrowserScreen, "a value moved up and down again is not a change")
    harness.press("e")
    for _ in 0..<8 { harness.press("Tab") }
    harness.press("M-Up Esc")
    #expect(harness.screen.contains("Discard changes"))
    harness.press("y")
    #expect(try values(harness) == Self.before)
  }

  @Test func theFormShowsThePhotosFormatAndSize() throws {
    let photo = try TestPhoto.stored("jpeg-baseline.jpg")
    let harness = try ScreenHarness([Self.lee])
    try harness.book.bulkWrite { writer in
      var contact = Self.lee
      contact.uid = "with-picture"
      contact.family = "Zoë"
      try writer.write(contact, photo: photo)
    }
    try harness.wait(for: "Zoë")
    harness.press("G e")
    #expect(harness.screen.contains("PNG · \((photo.data.count + 1023) / 1024) KB"))
  }
}
