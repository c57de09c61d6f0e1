import Contacts
import GRDB
import Testing

@testable import AddressBookModel

/// Every write of a contact or its parts raises the contact's version, whoever wrote it.
struct OwnVersionsTests {
  /// For each table of parts, the columns and values that are inserted besides `contact_id`, and what an update sets.
  private static let parts: [(table: String, columns: String, values: String, changed: String)] =
    ["phone", "email", "url", "contact_date", "handle", "related", "language", "custom_field"].map {
      ($0, "value", "'x'", "value = 'y'")
    }
    + [
      ("address", "street", "'x'", "city = 'y'"),
      ("contact_card", "lines", "'[]'", "lines = '[\"X-A:2\"]'"),
      ("avatar", "media_type, byte_count, sha256, data", "'image/png', 1, '00', x'01'", "data = x'02'"),
      ("group_member", "group_id", "1", "group_id = 2"),
    ]

  private let book: AddressBook
  private let ids: [Int64]

  init() throws {
    book = try AddressBook.inMemory()
    ids = try book.bulkWrite { writer in
      try ["a", "b"].map { uid in
        var contact = Contact()
        contact.uid = uid
        contact.family = uid
        return try writer.write(contact).id
      }
    }
    try run("INSERT INTO contact_group (uid, name) VALUES ('1', 'One'), ('2', 'Two')")
  }

  /// Writes like another program.
  private func run(_ sql: String) throws { try book.database.write { try $0.execute(sql: sql) } }

  private func version(_ id: Int64) throws -> Int {
    try #require(try book.database.read { try Int.fetchOne($0, sql: "SELECT version FROM contact WHERE id = \(id)") })
  }

  private func logLines() throws -> Int {
    try book.database.read { try Int.fetchOne($0, sql: "SELECT max(seq) FROM results_log_contact") ?? 0 }
  }

  @Test func everyTableOfPartsIsTested() {
    #expect(Set(Self.parts.map(\.table)) == Set(Schema.partTables))
  }

  @Test(arguments: parts.indices) func aPartWrittenAloneIsOneVersionAndOneLine(_ index: Int) throws {
    let part = Self.parts[index]
    var (expected, lines) = (try version(ids[0]), try logLines())
    for statement in [
      "INSERT INTO \(part.table) (contact_id, \(part.columns)) VALUES (\(ids[0]), \(part.values))",
      "UPDATE \(part.table) SET \(part.changed) WHERE contact_id = \(ids[0])",
      "DELETE FROM \(part.table) WHERE contact_id = \(ids[0])",
    ] {
      try run(statement)
      expected += 1
      lines += 1
      #expect(try version(ids[0]) == expected, "\(statement)")
      #expect(try logLines() == lines, "\(statement)")
    }
    #expect(try version(ids[1]) == 1)
  }

  @Test(arguments: parts.indices) func aPartThatMovesChangesBothContacts(_ index: Int) throws {
    let part = Self.parts[index]
    try run("INSERT INTO \(part.table) (contact_id, \(part.columns)) VALUES (\(ids[0]), \(part.values))")
    try run("UPDATE \(part.table) SET contact_id = \(ids[1])")
    #expect(try version(ids[0]) == 3)
    #expect(try version(ids[1]) == 2)
  }

  @Test func aColumnWrittenAloneRaisesTheVersionOnce() throws {
    try run("UPDATE contact SET note = 'x' WHERE id = \(ids[0])")
    #expect(try version(ids[0]) == 2)
    try run("UPDATE contact SET note = 'y', version = version + 1 WHERE id = \(ids[0])")
    #expect(try version(ids[0]) == 3)
  }

  @Test func aRenamedGroupChangesItsMembers() throws {
    try run("INSERT INTO group_member (group_id, contact_id) VALUES (1, \(ids[0])), (2, \(ids[1]))")
    let lines = try logLines()
    try run("UPDATE contact_group SET name = 'Eins' WHERE id = 1")
    #expect(try version(ids[0]) == 3)
    #expect(try version(ids[1]) == 2)
    #expect(try logLines() == lines + 1)
    #expect(try book.database.read { try Int.fetchOne($0, sql: "SELECT version FROM contact_group WHERE id = 1") } == 2)
    // The program renames it: its members change as well, and a context that has read them can save.
    let context = book.newContext()
    let (group, member) = (try context.group(named: "Eins"), try #require(try context.person(ids[0])))
    context.mergePolicy = .error
    group.name = "Uno"
    member.note = "x"
    try context.save()
    #expect(try version(ids[0]) == member.version)
    #expect(try book.database.read { try Int.fetchOne($0, sql: "SELECT version FROM contact_group WHERE id = 1") } == 3)
    member.note = "y"
    try context.save()
  }

  @Test func aSaveIsOneVersionAndOneLineHoweverManyPartsItWrites() throws {
    let context = book.newContext()
    let person = try #require(try context.person(ids[0]))
    let lines = try logLines()
    try person.apply(.example)
    try person.setPhoto(Photo(mediaType: "image/png", data: .init([1])))
    try context.save()
    #expect(try version(ids[0]) == 2)
    #expect(person.version == 2)
    #expect(try logLines() == lines + 1)
    let new = context.insertPerson()
    try new.apply(.example)
    try context.save()
    #expect(try version(new.id) == 1)
    #expect(try logLines() == lines + 2)
    // The setting that turns the triggers off ended with the transaction: they increment the version again.
    try run("UPDATE phone SET value = 'x' WHERE contact_id = \(new.id) AND position = 0")
    #expect(try version(new.id) == 2)
  }

  @Test func aBulkWriteIsOneVersionAndOneLineForEachContact() throws {
    let lines = try logLines()
    try book.bulkWrite { writer in
      var contact = Contact.example
      contact.uid = "a"
      try writer.write(contact, photo: Photo(mediaType: "image/png", data: .init([1])))
    }
    #expect(try version(ids[0]) == 2)
    #expect(try logLines() == lines + 1)
  }

  @Test func removingAContactWithPartsSucceeds() throws {
    try run("INSERT INTO phone (contact_id, value) VALUES (\(ids[0]), '1')")
    try run("DELETE FROM contact WHERE id = \(ids[0])")
    #expect(try book.contactCount() == 1)
  }
}
