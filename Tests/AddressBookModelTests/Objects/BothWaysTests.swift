import Contacts
import Foundation
import GRDB
import Testing

@testable import AddressBookModel

/// The book is described twice, for objects and for bulk writes: both write the same rows.
@Suite struct BothWaysTests {
  private static let photo = Photo(mediaType: "image/png", data: Data([1, 2, 3]))

  /// Somebody with something in every field.
  private static var everything: Contact {
    var contact = Contact.example
    contact.uid = "everything"
    contact.groups = ["Friends"]
    for field in ContactFields.standard.texts { contact[field] = "\(field.name) 曾" }
    for field in ContactFields.standard.values where contact[keyPath: field.property].isEmpty {
      contact[keyPath: field.property] = [
        LabelledValue(label: "home", value: "1964-08-17"), LabelledValue(label: "x", value: "1965"),
      ]
    }
    contact.cardLines = ["X-A:1", "X-B:2"]
    return contact
  }

  private static var organization: Contact {
    var contact = Contact()
    contact.uid = "organization"
    contact.kind = .organization
    contact.organization = "Acme"
    return contact
  }

  /// The rows of every table that holds contacts, without moments and random identities.
  private func rows(_ book: AddressBook) throws -> [String: [[String: DatabaseValue]]] {
    let tables = BookMapping.mapping.entities.values.map(\.table) + ["group_member", "section_count"]
    let ignored = ["contact": ["created_at", "modified_at", "deleted_at"], "contact_group": ["uid"]]
    return try book.database.read { db in
      var rows: [String: [[String: DatabaseValue]]] = [:]
      for table in tables {
        rows[table] = try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1, 2").map { row in
          Dictionary(row.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
            .filter { !(ignored[table] ?? []).contains($0.key) }
        }
      }
      return rows
    }
  }

  private func expectEqual(_ one: AddressBook, _ other: AddressBook) throws {
    let (left, right) = (try rows(one), try rows(other))
    for (table, rows) in left { #expect(rows == right[table], "\(table)") }
    #expect(left["contact"]?.count == 2 && left["avatar"]?.count == 1)
  }

  @Test func aNewContactIsTheSameRows() throws {
    let (bulk, edited) = (try AddressBook.inMemory(), try AddressBook.inMemory())
    try bulk.bulkWrite { writer in
      try writer.write(Self.everything, photo: Self.photo)
      try writer.write(Self.organization)
    }
    for (contact, photo) in [(Self.everything, Self.photo), (Self.organization, nil)] {
      let context = edited.newContext()
      let person = context.insertPerson()
      try person.apply(contact)
      try person.setPhoto(photo)
      try context.save()
    }
    try expectEqual(bulk, edited)
  }

  @Test func aDeletedContactIsTheSameRows() throws {
    let (bulk, edited) = (try AddressBook.inMemory(), try AddressBook.inMemory())
    for book in [bulk, edited] {
      try book.bulkWrite { writer in
        try writer.write(Self.everything, photo: Self.photo)
        try writer.write(Self.organization)
      }
    }
    try bulk.bulkWrite { try $0.delete(1) }
    let context = edited.newContext()
    try context.delete(try #require(try context.person(1)))
    try context.save()
    try expectEqual(bulk, edited)
    #expect(
      try edited.database.read { db in
        try Bool.fetchOne(db, sql: "SELECT deleted_at = modified_at FROM contact WHERE id = 1")
      } == true)
    try bulk.bulkWrite { try $0.restore(1) }
    try context.restore(try #require(try context.deletedPerson(1)))
    try context.save()
    try expectEqual(bulk, edited)
  }
}
