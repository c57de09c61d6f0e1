import Contacts
import Testing

@testable import ContactInterchange

/// What of a contact a QR code contains.
struct CompactCardTests {
  private let contact: Contact = {
    var contact = Contact()
    contact.uid = "a"
    contact.family = "王"
    contact.given = "小明"
    contact.phones = [LabeledValue(label: "mobile", value: "138 0000 1111"), LabeledValue(label: "work", value: "110")]
    contact.emails = [LabeledValue(label: "home", value: "xm@example.com")]
    contact.organization = "Acme; Inc"
    contact.title = "Chief"
    contact.addresses = [PostalAddress(label: "home", street: "1 Main St", city: "Leeds")]
    contact.note = "a\nb"
    contact.birthday = PartialDate("1990-02-28")
    contact.photo = PhotoSummary(mediaType: "image/png", bytes: 1, sha256: "0")
    contact.cardLines = ["X-OTHER:1", "NOTE:a"]
    return contact
  }()

  private func card(_ capacity: Int) throws -> CompactCard {
    try #require(CompactCard(of: contact, capacity: capacity))
  }

  @Test func allFiveKindsFitIntoALargeCode() throws {
    let card = try card(1000)
    #expect(
      card.text == """
        BEGIN:VCARD
        VERSION:3.0
        N:王;小明;;;
        FN:王小明
        ORG:Acme\\; Inc
        TITLE:Chief
        TEL;TYPE=CELL:138 0000 1111
        TEL;TYPE=WORK,VOICE:110
        EMAIL;TYPE=INTERNET,HOME:xm@example.com
        ADR;TYPE=HOME:;;1 Main St;Leeds;;;
        END:VCARD
        """)
    #expect(card.leftOut.map(\.field.name) == ["photo", "birthday", "note"])
    #expect(!card.isShortened && !card.lacksLabels)
  }

  /// The labels go first, and then the last of name, numbers, emails, organization, address.
  @Test func aSmallCodeHasTheFirstKinds() throws {
    let whole = try card(1000)
    let most = whole.text.utf8.count
    let without = try card(most - 1)
    #expect(without.lacksLabels && without.isShortened && !without.text.contains("TYPE"))
    #expect(without.leftOut == whole.leftOut)
    var left: [String] = []
    for capacity in stride(from: most, to: 0, by: -1) {
      guard let card = CompactCard(of: contact, capacity: capacity) else { break }
      #expect(card.text.utf8.count <= capacity)
      if card.text.contains("110"), !card.text.contains("138 ") {
        #expect(card.leftOut.contains { $0.field.name == "phones" && $0.count == 1 && $0.total == 2 })
      }
      for field in card.leftOut.map(\.field.name) where !left.contains(field) { left.append(field) }
    }
    #expect(left == ["photo", "birthday", "note", "addresses", "title", "organization", "emails", "phones"])
  }

  /// A shorter value of a later kind takes the room that a longer one left.
  @Test func whatDoesNotFitIsSkipped() throws {
    var contact = contact
    contact.phones = [LabeledValue(value: String(repeating: "1", count: 100))]
    let card = try #require(CompactCard(of: contact, capacity: 106))
    #expect(card.text.contains("EMAIL:xm@example.com") && !card.text.contains("TEL"))
    #expect(card.leftOut.map(\.field.name).contains("phones"))
  }

  @Test func aNameAloneIsNotWorthACode() {
    #expect(CompactCard(of: contact, capacity: 69) == nil)
    #expect(CompactCard(of: contact, capacity: 0) == nil)
    var bare = Contact()
    bare.given = "Ann"
    #expect(CompactCard(of: bare, capacity: 78) != nil)
  }

  @Test func anOrganizationAndAContactWithoutANameHaveAFullName() throws {
    var organization = Contact()
    organization.kind = .organization
    organization.organization = "Acme"
    organization.phones = [LabeledValue(value: "1")]
    let text = try #require(CompactCard(of: organization, capacity: 106)).text
    #expect(text.contains("\nFN:Acme\n") && text.contains("\nORG:Acme\n"))
    var nameless = Contact()
    nameless.emails = [LabeledValue(value: "a@example.com")]
    let card = try #require(CompactCard(of: nameless, capacity: 106))
    #expect(card.text.contains("\nFN:a@example.com\n") && card.leftOut.isEmpty)
  }

  /// Korean and Japanese names are written with the family name first.
  @Test func theFullNameIsTheDisplayedOne() throws {
    var contact = Contact()
    contact.formattedName = "Dr. Ann Lee"
    contact.given = "Ann"
    contact.family = "Lee"
    let card = try #require(CompactCard(of: contact, capacity: 106))
    #expect(card.text.contains("\nFN:Dr. Ann Lee\n") && card.leftOut.isEmpty)
  }
}
