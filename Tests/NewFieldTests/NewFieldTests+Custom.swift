import GRDB
import TerminalKit
import Testing

@testable import AddressBookModel
@testable import AddressBookTUI
@testable import BookInterchange
@testable import Contacts

/// Fields of the user's own are settings of the whole process too.
extension NewFieldTests {
  /// A book that is open learns what another process, with other settings, read its cards for.
  @Test func whatAnotherProcessReadIsKnown() throws {
    try folder.fill()
    let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:bob\r\nFN:Bob\r\nN:;Bob;;;\r\nX-LEARNED:Blue\r\nEND:VCARD\r\n"
    try card.write(toFile: folder.file("bob.vcf"), atomically: true, encoding: .utf8)
    try withBook { book in
      _ = try Importer(book: book).run([folder.file("bob.vcf")])
      #expect(try book.contact(uid: "bob")?.custom == [])
      let queue = try DatabaseQueue(path: folder.file("book.db"))
      try queue.write { try StoreInfo.set("card_reading", to: "5 X-LEARNED", $0) }
      try queue.close()
      #expect(!CustomFields.properties.contains("X-LEARNED"))
      try card.replacing("bob", with: "eve").write(toFile: folder.file("eve.vcf"), atomically: true, encoding: .utf8)
      _ = try Importer(book: book).run([folder.file("eve.vcf")])
      #expect(CustomFields.properties.contains("X-LEARNED"))
      #expect(try book.contact(uid: "eve")?.custom == [LabeledValue(label: "learned", value: "Blue")])
    }
  }

  /// A form has a row for each.
  @Test func aFormHasTheFieldsOfTheSettings() throws {
    CustomFields.offered = ["X-SHIRT-SIZE", "X-TEAM"]
    defer { CustomFields.offered = [] }
    var contact = Contact()
    contact.given = "Bob"
    contact.custom = [LabeledValue(label: "Lucky number", value: "7"), LabeledValue(label: "team", value: "Blue")]
    var form = FormModel(contact)
    let own = form.rows.filter { $0.multiField?.name == "custom" }
    #expect(own.map(\.label) == ["Lucky number", "team", "shirt size", ""])
    #expect(!form.isChanged && form.contact == contact)
    form.go(to: .row(try #require(form.rows.first { $0.label == "shirt size" }).identity))
    _ = form.handle(Key(.character("L")), columns: 40)
    #expect(form.isChanged && form.contact.custom == contact.custom + [LabeledValue(label: "shirt size", value: "L")])
  }
}
