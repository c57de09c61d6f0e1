import Contacts
import Foundation
import Testing

@testable import AddressBookModel
@testable import BookInterchange

/// Contacts that are copied from a company directory to a book.
struct CopyingTests {
  private func ann() -> Contact {
    var contact = Contact()
    contact.uid = "8d2c0f4e-0000-1041-9310-d394d46e6be9"
    contact.given = "Ann"
    contact.family = "Archer, \"A\"; B"
    contact.organization = "Example"
    contact.department = "Sales"
    contact.phones = [LabeledValue(label: "work", value: "+46 8 555 0101"), LabeledValue(label: "fax", value: "1")]
    contact.emails = [LabeledValue(label: "", value: "ann@example.com")]
    contact.addresses = [PostalAddress(label: "work", street: "1 High Street\nStockholm")]
    contact.urls = [LabeledValue(label: "Web", value: "https://example.com")]
    contact.note = "Line\n\tline"
    return contact
  }

  private func stored(_ book: AddressBook) throws -> [Contact] {
    try book.contacts(ids: book.listRows().map(\.id)).map { contact in
      var contact = contact
      contact.id = 0
      contact.version = 0
      contact.created = ""
      contact.modified = ""
      contact.cardLines = []
      return contact
    }
  }

  @Test func nothingIsLost() throws {
    let book = try AddressBook.inMemory()
    var organization = Contact()
    organization.uid = "o"
    organization.kind = .organization
    organization.organization = "重庆火锅"
    let contacts = [ann(), organization]
    let report = try book.copy(contacts.map { CopiedContact(contact: $0) }, from: "ldap.example.com")
    #expect(report.cards.imported == 2 && report.recordedCount == 2)
    #expect(try Set(stored(book)) == Set(contacts))
    let steps = try book.history()
    #expect(steps.map(\.name) == [StepName(.importing, "ldap.example.com")])
  }

  @Test func copyingAgainChangesNothing() throws {
    let book = try AddressBook.inMemory()
    for round in 0..<3 {
      let report = try book.copy([CopiedContact(contact: ann())], from: "d")
      #expect(report.cards.imported == (round == 0 ? 1 : 0) && report.cards.unchanged == (round == 0 ? 0 : 1))
      #expect(report.recordedCount == (round == 0 ? 1 : 0))
    }
    #expect(try book.history().count == 1)
  }

  @Test func changesOfBothSidesAreMerged() throws {
    let book = try AddressBook.inMemory()
    _ = try book.copy([CopiedContact(contact: ann())], from: "d")
    let id = try #require(try book.listRows().first?.id)
    _ = try book.bulkEdit(
      [id],
      .change {
        $0.nickname = "Annie"
        $0.title = "Mine"
        $0.phones.removeAll { $0.label == "fax" }
      }, as: StepName(.edit), isCancelled: { false })
    var now = ann()
    now.title = "Theirs"
    now.department = ""
    now.emails.append(LabeledValue(label: "", value: "ann@example.org"))
    let report = try book.copy([CopiedContact(contact: now)], from: "d")
    #expect(report.cards.updated == 1)
    let merged = try #require(try stored(book).first)
    // A field that both changed keeps the value of the book.
    #expect(merged.nickname == "Annie" && merged.title == "Mine" && merged.department.isEmpty)
    #expect(merged.emails.count == 2 && merged.phones.map(\.label) == ["work"])
  }

  @Test func aValidPhotoIsCopied() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/Images")
    let book = try AddressBook.inMemory()
    let photo = try Array(Data(contentsOf: folder.appendingPathComponent("jpeg-baseline.jpg")))
    for _ in 0..<2 { _ = try book.copy([CopiedContact(contact: ann(), picture: photo)], from: "d") }
    let first = try #require(try stored(book).first)
    #expect(first.photo != nil)
    #expect(try book.history().count == 1)
    // The entry no longer has a photo, or has one that cannot be shown.
    for picture in [nil, [0xFF, 0xD8, 0x00]] as [[UInt8]?] {
      _ = try book.copy([CopiedContact(contact: ann(), picture: picture)], from: "d")
      #expect(try stored(book).map(\.photo) == [first.photo], "\(String(describing: picture))")
    }
  }

  @Test func cancelingCopiesNothing() throws {
    let book = try AddressBook.inMemory()
    #expect(throws: StoreError.self) {
      try book.copy([CopiedContact(contact: ann())], from: "d", isCancelled: { true })
    }
    #expect(try book.contactCount() == 0)
  }
}
