import Contacts
import Foundation
import GRDB
import SeededRandom
import Testing

@testable import AddressBookModel

/// The book is described twice, for objects and for bulk writes: both write the same rows.
@Suite struct BothWaysTests {
  private static let photo = Photo(mediaType: "image/png", data: Data([1, 2, 3]))

  /// A contact with a value in every field.
  private static var everything: Contact {
    var contact = Contact.example
    contact.uid = "everything"
    contact.groups = ["Friends"]
    for field in ContactFields.standard.texts { contact[field] = "\(field.name) 曾" }
    for field in ContactFields.standard.values where contact[keyPath: field.property].isEmpty {
      contact[keyPath: field.property] = [
        LabeledValue(label: "home", value: "1964-08-17"), LabeledValue(label: "x", value: "1965"),
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

  /// Returns the rows of every table with contacts, without times and random ids.
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

  @Test func newContactsGiveTheSameRowsBothWays() throws {
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

  @Test func deletedContactsGiveTheSameRowsBothWays() throws {
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

  /// Groups, deleted contacts and counts, which are requested as objects, equal the results of SQL on the tables.
  @Test func objectQueriesAgreeWithSQL() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("objectQueriesAgreeWithSQL: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let book = try AddressBook.inMemory()
    let names = ["Ä", "a", "B", "b", "同事", "empty"]
    try book.bulkWrite { writer in
      for person in SampleContacts(count: 200, seed: seed) {
        var contact = person
        contact.groups = names.dropLast().filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        let id = try writer.write(contact, photo: Bool.random(using: &random) ? Self.photo : nil).id
        if Int.random(in: 0..<3, using: &random) == 0 { try writer.delete(id) }
      }
    }
    let context = book.newContext()
    _ = try context.group(named: "empty")
    try context.save()
    // Deletions at several times.
    try book.database.write { db in
      try db.execute(
        sql: "UPDATE contact SET deleted_at = '2026-01-0' || (1 + id % 4) WHERE deleted_at IS NOT NULL")
    }
    func integer(_ sql: String) throws -> Int? { try book.database.read { try Int.fetchOne($0, sql: sql) } }
    func numbers(_ sql: String) throws -> [Int64] { try book.database.read { try Int64.fetchAll($0, sql: sql) } }
    let groups = try book.database.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT g.id, g.name, count(c.id) FROM contact_group g LEFT JOIN group_member m ON m.group_id = g.id
          LEFT JOIN contact c ON c.id = m.contact_id AND c.deleted_at IS NULL GROUP BY g.id ORDER BY g.name, g.id
          """
      ).map { GroupSummary(id: $0[0], name: $0[1], count: $0[2]) }
    }
    #expect(try book.groups() == groups)
    let deleted = try numbers(
      "SELECT id FROM contact WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC, id DESC")
    #expect(try book.deletedContacts().map(\.id) == deleted)
    #expect(try book.deletedContacts(limit: 7).map(\.id) == Array(deleted.prefix(7)))
    for id in try numbers("SELECT id FROM contact") + [100_000] {
      #expect(try (book.deletedContact(id: id)?.id == id) == deleted.contains(id))
    }
    let statistics = try book.statistics()
    let living = "contact_id IN (SELECT id FROM contact WHERE deleted_at IS NULL)"
    #expect(
      try statistics.persons == integer("SELECT count(*) FROM contact WHERE deleted_at IS NULL AND kind = 0"))
    #expect(
      try statistics.organizations == integer("SELECT count(*) FROM contact WHERE deleted_at IS NULL AND kind = 1"))
    #expect(try statistics.birthdays == integer("SELECT count(birthday) FROM contact WHERE deleted_at IS NULL"))
    #expect(statistics.deleted == deleted.count && statistics.groups == groups.count)
    #expect(try statistics.phones == integer("SELECT count(*) FROM phone WHERE \(living)"))
    #expect(try statistics.emails == integer("SELECT count(*) FROM email WHERE \(living)"))
    #expect(try statistics.photos == integer("SELECT count(*) FROM avatar WHERE \(living)"))
  }
}
