import AddressBookModel
import BookSearching
import Contacts
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Going to related contacts and back, and what the form takes over from them.
@MainActor
struct RelatedTests {
  private static let people: [Contact] = {
    func person(_ uid: String, _ family: String, _ given: String, _ related: [LabeledValue] = []) -> Contact {
      var contact = Contact()
      (contact.uid, contact.family, contact.given, contact.related) = (uid, family, given, related)
      return contact
    }
    var bob = person("b", "Byron", "Bob")
    bob.addresses = [PostalAddress(label: "home", street: "1 Main Street", city: "London", country: "UK")]
    bob.organization = "Acme"
    return [
      person("a", "Ames", "Ada", [LabeledValue(label: "spouse", value: "Bob Byron")]), bob,
      person("c", "Cole", "Cy", [.init(label: "parent", value: "Ada Ames"), .init(label: "", value: "Nobody Here")]),
      person("d", "Dodd", "Di", [LabeledValue(label: "friend", value: "Nobody Here")]),
    ]
  }()

  private func harness(_ size: (rows: Int, columns: Int) = (24, 80), _ language: Language = .english) throws
    -> ScreenHarness
  {
    try ScreenHarness(rows: size.rows, columns: size.columns, language: language, Self.people)
  }

  private func selected(_ harness: ScreenHarness) throws -> String? {
    try harness.browser.list.selectedID.flatMap { try harness.book.contact(id: $0)?.given }
  }

  @Test func enterGoesToARelatedContactAndEscComesBack() throws {
    let harness = try harness()
    harness.press("' b Enter")
    #expect(harness.screen.contains("← spouse  Ada Ames") && harness.screen.contains("Enter related"))
    harness.press("Enter")
    #expect(try selected(harness) == "Ada", "Ada names Bob")
    #expect(harness.screen.contains("Enter related"))
    harness.press("Enter")
    #expect(harness.screen.contains("Related contacts") && harness.screen.contains("parent ← Cy Cole"))
    harness.type("cy")
    harness.press("Enter")
    #expect(try selected(harness) == "Cy" && harness.screen.contains("Nobody Here"))
    harness.press("Esc")
    #expect(try selected(harness) == "Ada")
    harness.press("Esc")
    #expect(try selected(harness) == "Bob" && harness.browser.parts.detailPane.isOpen)
    harness.press("Esc")
    #expect(try selected(harness) == "Bob" && !harness.browser.parts.detailPane.isOpen)
  }

  @Test func aSearchEndsIfTheRelatedContactIsNotFoundByIt() throws {
    let harness = try harness()
    harness.press("/")
    harness.type("cole")
    try harness.wait("the search") { harness.browser.list.rowCount == 1 }
    harness.press("Enter Enter Enter")
    try harness.wait("Ada") { (try? selected(harness)) == "Ada" }
    harness.press("Esc")
    #expect(try selected(harness) == "Cy")
  }

  @Test func aNameThatIsNotInTheBookIsSaid() throws {
    let harness = try harness()
    harness.press("' d Enter Enter")
    #expect(harness.screen.contains("Not in the book: Nobody Here."))
    #expect(try selected(harness) == "Di")
  }

  @Test func aRelatedContactIsChosenInTheFormAndGivesItsAddress() throws {
    let harness = try harness()
    harness.press("' d e ^G")
    harness.type("related")
    harness.press("Enter ^O M-r")
    #expect(harness.screen.contains("Type part of a name first."), "\(harness.screen)")
    harness.type("byr")
    harness.press("M-r")
    try harness.wait(for: "Acme")
    harness.press("Enter")
    #expect(harness.screen.contains("Bob Byron"))
    harness.press("^G")
    harness.type("address")
    harness.press("Enter M-r")
    #expect(harness.screen.contains("1 Main Street"), "\(harness.screen)")
    harness.press("Enter ^S")
    let id = try #require(harness.browser.list.selectedID)
    let contact = try #require(try harness.book.contact(id: id))
    #expect(contact.related.map(\.value) == ["Nobody Here", "Bob Byron"])
    #expect(contact.addresses.map(\.city) == ["London"] && contact.addresses[0].label == "home")
  }

  @Test func contactsAreRelatedInBothDirections() throws {
    let harness = try harness()
    func related(_ uid: String) throws -> [String] {
      let contact = try #require(try harness.book.contact(uid: uid))
      return try harness.book.relatedContacts(of: contact).map { ($0.isInverse ? "<" : ">") + $0.name + $0.label }
    }
    #expect(try related("a") == [">Bob Byronspouse", "<Cy Coleparent"])
    #expect(try related("b") == ["<Ada Amesspouse"])
    #expect(try related("d").isEmpty)
    let ada = try #require(try harness.book.contact(uid: "a"))
    #expect(try harness.book.bulkEdit([ada.id], .delete, as: nil) == 1)
    #expect(try related("b").isEmpty && related("c").isEmpty)
  }
}
