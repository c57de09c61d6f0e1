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

  /// To read cards once more is no edit: what was done before can still be undone.
  @Test func stepsBeforeARereadingAreUndone() throws {
    defer { CustomFields.offered = [] }
    try folder.fill()
    var cards = ""
    for (index, lines) in ["X-AGAIN:1\r\n", "", "X-AGAIN:2\r\n", "X-AGAIN:3\r\n", "", "X-AGAIN:4\r\n"].enumerated() {
      cards += "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:again-\(index)\r\nFN:A\r\nN:;A;;;\r\n\(lines)END:VCARD\r\n"
    }
    try cards.write(toFile: folder.file("cards.vcf"), atomically: true, encoding: .utf8)
    func contacts(_ book: AddressBook) throws -> [Contact] {
      try (0..<6).compactMap { try book.contact(uid: "again-\($0)") }
    }
    try withBook { book in
      _ = try Importer(book: book).run([folder.file("cards.vcf")])
      try edit(try #require(try book.contact(uid: "again-3")).id, in: book) { $0.nickname = "Ace" }
    }
    CustomFields.offered = ["X-AGAIN"]
    try withBook { book in
      #expect(try contacts(book).map { $0.custom.first?.value } == ["1", nil, "2", "3", nil, "4"])
      _ = try book.reverse(try #require(try book.stepToUndo()))
      #expect(try contacts(book).map(\.nickname) == ["", "", "", "", "", ""])
      _ = try book.reverse(try #require(try book.stepToUndo()))
      #expect(try contacts(book).isEmpty)
      _ = try book.reverse(try #require(try book.stepToRedo()))
      _ = try book.reverse(try #require(try book.stepToRedo()))
      #expect(try contacts(book).map(\.nickname) == ["", "", "", "Ace", "", ""])
      #expect(try contacts(book).map { $0.custom.first?.value } == ["1", nil, "2", "3", nil, "4"])
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
