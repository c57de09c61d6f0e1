import Contacts
import GRDB
import Testing

@testable import AddressBookModel
@testable import Messages

/// Every field of the table of fields is stored, read, indexed, kept in the history and named in both languages.
struct FieldStorageTests {
  private var filled: Contact {
    var contact = Contact()
    contact.uid = "u"
    contact.birthday = PartialDate("--02-29")
    for field in ContactFields.standard.texts { contact[field] = "<\(field.name)>" }
    for field in ContactFields.standard.values {
      contact[keyPath: field.property] = [1, 2].map { LabeledValue(label: "l\($0)", value: "<\(field.name) \($0)>") }
    }
    contact.addresses = [PostalAddress(label: "home") { "<\($0.rawValue)>" }]
    contact.groups = ["a", "b"]
    contact.cardLines = ["X-A:1"]
    return contact
  }

  @Test func bulkWritesAndContextsStoreEachField() throws {
    let book = try AddressBook.inMemory()
    let id = try book.bulkWrite { try $0.write(filled).id }
    #expect(try book.contact(id: id)?.comparable == filled.comparable)
    let reading = book.newContext()
    #expect(try reading.person(id)?.contact.comparable == filled.comparable)

    var empty = Contact()
    empty.uid = filled.uid
    empty.note = "only"
    _ = try book.bulkWrite(groups: .replace) { try $0.write(empty) }
    #expect(try book.contact(id: id)?.comparable == empty.comparable)

    let context = book.newContext()
    let person = try #require(try context.person(id))
    try person.apply(filled)
    try context.save()
    #expect(try book.contact(id: id)?.comparable == filled.comparable)
  }

  @Test func eachFieldHasItsColumn() throws {
    let book = try AddressBook.inMemory()
    try book.bulkWrite { _ = try $0.write(filled) }
    func texts(_ sql: String) throws -> [String] { try book.store.read { try String.fetchAll($0, sql: sql) } }
    for field in ContactFields.standard.texts {
      #expect(try texts("SELECT \(field.column) FROM contact") == ["<\(field.name)>"])
    }
    for field in ContactFields.standard.values {
      let stored = try texts("SELECT value FROM \(field.table) ORDER BY position")
      #expect(stored == ["<\(field.name) 1>", "<\(field.name) 2>"])
    }
    for part in AddressPart.allCases {
      #expect(try texts("SELECT \(part.column) FROM address") == ["<\(part.rawValue)>"])
    }
  }

  @Test func theIndexOfABookMatchesItsContacts() throws {
    let book = try AddressBook.inMemory()
    let id = try book.bulkWrite { try $0.write(filled).id }
    let contact = try #require(try book.contact(id: id))
    var built: [Int64: Bool] = [:]
    try book.forEachSearchDocument { document in
      built[document.id] = document == contact.searchDocument
      return true
    }
    #expect(built == [id: true])
  }

  @Test func theHistoryKeepsEachField() throws {
    let delta = try ContactDelta(ContactDelta(from: Contact(), to: filled).data)
    #expect(try delta.after(in: Contact()).comparable == filled.comparable)
  }

  @Test(arguments: Language.allCases) func eachFieldHasItsStrings(language: Language) {
    let words = Localization(language: language)
    func hasName(_ title: String) -> Bool {
      words.has("Property/\(title)/Entity/Person") || words.has("Property/\(title)")
    }
    for field in ContactFields.standard.texts {
      #expect(hasName(field.title), "\(field.name)")
    }
    for field in ContactFields.standard.values {
      #expect(
        hasName(field.name) && hasName(field.name + ".one") && words.has("Entity/\(field.entity)"), "\(field.name)")
      for label in field.labels { #expect(words.has("Label/\(label)"), "\(label)") }
    }
  }
}
