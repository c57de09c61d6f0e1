import ContactSearch
import Contacts
import Foundation
import GRDB
import SeededRandom
import Testing

@testable import AddressBookModel

struct BulkWriterTests {
  @Test func whatIsWrittenIsReadBack() throws {
    let book = try AddressBook.inMemory()
    let id = try book.bulkWrite { try $0.write(.example, photo: Photo(mediaType: "image/png", data: Data([7]))).id }
    var contact = try #require(try book.contact(id: id)).content
    #expect(contact.photo?.bytes == 1)
    contact.photo = nil
    #expect(contact == .example)
  }

  @Test func writingTheSameAgainChangesNothing() throws {
    let book = try AddressBook.inMemory()
    let people = Array(SampleContacts(count: 300, seed: 7))
    func run(_ people: [Contact]) throws -> [Int] {
      try book.bulkWrite { writer in
        for person in people { try writer.write(person) }
        return [writer.added, writer.updated, writer.unchanged]
      }
    }
    #expect(try run(people) == [300, 0, 0])
    #expect(try run(people) == [0, 0, 300])
    #expect(
      try run(
        people.map {
          var p = $0; p.uid = ""; return p
        }) == [0, 0, 300])
    #expect(
      try run(
        people.map {
          var p = $0; p.note += "!"; return p
        }) == [0, 300, 0])
    #expect(try book.contactCount() == 300)
  }

  @Test func importRestoresADeletedContact() throws {
    let book = try AddressBook.inMemory()
    var example = Contact.example
    example.uid = "x"
    let id = try book.bulkWrite { try $0.write(example).id }
    let context = book.newContext()
    try context.delete(#require(try context.person(id)))
    try context.save()
    let again = try book.bulkWrite { try $0.write(example) }
    #expect(again.outcome == .added)
    #expect(again.id == id)
    #expect(try book.contactCount() == 1)
  }

  @Test func aCanceledOrDryRunWriteLeavesNothing() throws {
    let book = try AddressBook.inMemory()
    #expect(throws: StoreError(.cancelled, path: "")) {
      try book.bulkWrite { writer in
        for person in SampleContacts(count: 10, seed: 1) { try writer.write(person) }
        throw CancellationError()
      }
    }
    #expect(try book.contactCount() == 0)
    let added = try book.store.transaction(isTrial: true) { db in
      let writer = try BulkWriter(db, groupPolicy: .add, recorder: nil)
      for person in SampleContacts(count: 10, seed: 1) { try writer.write(person) }
      return writer.added
    }
    #expect(added == 10)
    #expect(try book.contactCount() == 0)
    #expect(try book.groups().isEmpty)
  }

  @Test func sampleContactsAreDeterministicAndValid() throws {
    let people = Array(SampleContacts(count: 500, seed: 7))
    #expect(people == Array(SampleContacts(count: 500, seed: 7)))
    #expect(people != Array(SampleContacts(count: 500, seed: 8)))
    for person in people { #expect(ContactRules.issues(in: person).isEmpty) }
    let chinese = people.count { $0.family.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) } }
    #expect((200...320).contains(chinese))
  }

  @Test func sectionCountsFollowEveryWrite() throws {
    let book = try AddressBook.inMemory()
    try book.bulkWrite { for person in SampleContacts(count: 400, seed: 3) { try $0.write(person) } }
    let context = book.newContext()
    var generator = SeededGenerator(seed: 5)
    for row in try book.listRows() where Int.random(in: 0..<3, using: &generator) == 0 {
      let person = try #require(try context.person(row.id))
      if Bool.random(using: &generator) { try context.delete(person) } else { person.phoneticFamily = "zz" }
    }
    try context.save()
    let (counts, counted) = try book.store.read { db in
      (
        try Row.fetchAll(db, sql: "SELECT section, count FROM section_count WHERE count > 0 ORDER BY section"),
        try Row.fetchAll(
          db, sql: "SELECT section, count(*) AS count FROM contact WHERE deleted_at IS NULL GROUP BY section")
      )
    }
    #expect(counts == counted)
  }

  @Test func contactsAreReadInSectionOrderInBatches() throws {
    let book = try AddressBook.inMemory()
    try book.bulkWrite { for person in SampleContacts(count: 257, seed: 3) { try $0.write(person) } }
    var seen: [Int64] = []
    try book.forEachContact(pageSize: 50) { contact in
      seen.append(contact.id)
      // The body may use the book.
      _ = try book.contact(id: contact.id)
      return true
    }
    #expect(try seen == book.listRows().map(\.id))
    #expect(seen.count == 257)
  }

  @Test func allSearchDocumentsEqualThoseReadByID() throws {
    let book = try AddressBook.inMemory()
    try book.bulkWrite { writer in
      for person in SampleContacts(count: 120, seed: 9) { try writer.write(person) }
      try writer.write(.example, photo: Photo(mediaType: "image/png", data: Data([1])))
    }
    var streamed: [SearchDocument] = []
    try book.forEachSearchDocument {
      streamed.append($0)
      return true
    }
    #expect(streamed.count == 121)
    #expect(try streamed == book.searchDocuments(ids: streamed.map(\.id)))
  }
}
