import Contacts
import Foundation
import GRDB
import SeededRandom
import Testing

@testable import AddressBookModel

/// A change that no program made is noticed; what a program writes is not mistaken for damage.
struct ChecksumTests {
  private let book: AddressBook
  private let id: Int64

  init() throws {
    book = try AddressBook.inMemory()
    id = try book.bulkWrite { try $0.write(.example, photo: Photo(mediaType: "image/png", data: Data([1, 2, 3]))).id }
  }

  private func checksums() throws -> [Int64] {
    try book.database.read { try Int64.fetchAll($0, sql: "SELECT contact_id FROM contact_checksum ORDER BY 1") }
  }

  /// Reads everything in each way that compares checksums.
  private func readAll() throws {
    var rows: [ContactRow] = []
    try book.forEachContact { _ in true }
    try book.forEachRow {
      rows.append($0)
      return true
    }
    _ = try book.deletedContacts()
    for row in rows { _ = try book.photo(of: row.id) }
  }

  private func damage(_ sql: String) throws { try book.damage(sql) }

  @Test func checksumsOfAnImportAreCorrect() throws {
    #expect(try checksums() == [id])
    try readAll()
    #expect(book.damage.isEmpty)
  }

  @Test(arguments: [
    "UPDATE contact SET note = 'first line' || char(10) || 'second lane'",
    "UPDATE contact SET display_name = 'x'", "UPDATE contact SET section = 3", "UPDATE contact SET sort_key = x'0101'",
    "UPDATE contact SET list_phone = '1'", "UPDATE contact SET kind = 1", "UPDATE contact SET birthday = '--11-26'",
    "UPDATE contact SET uid = 'x'", "UPDATE contact SET version = 0", "UPDATE contact SET version = 5",
    "UPDATE contact SET version = 9223372036854775807",
    "UPDATE contact SET created_at = '1999-01-01T00:00:00Z'",
    "UPDATE phone SET value = '139 2222 3332' WHERE position = 0", "UPDATE phone SET label = 'work' WHERE position = 0",
    "DELETE FROM email", "UPDATE phone SET position = 9 WHERE position = 0", "UPDATE address SET city = 'Kowloon'",
    "UPDATE contact_card SET lines = replace(lines, 'Man', 'Mab')", "UPDATE avatar SET sha256 = 'a'",
    "UPDATE avatar SET data = x'010204'", "UPDATE contact_group SET name = 'Fiends' WHERE name = 'Friends'",
    "DELETE FROM group_member", "UPDATE contact SET deleted_at = '2020-01-01T00:00:00Z'",
    "UPDATE handle SET value = 'l'",
    "INSERT INTO related (contact_id, label, value) SELECT id, '', 'x' FROM contact",
  ])
  func corruptDataIsNoticed(_ sql: String) throws {
    try damage(sql)
    try readAll()
    #expect(book.damage.contacts == [id])
  }

  @Test func aMissingContactInTheListIsNoticed() throws {
    try damage("UPDATE section_count SET count = count + 1 WHERE section = 11")
    try readAll()
    #expect(book.damage.contacts.isEmpty && book.damage.isListIncomplete)
  }

  @Test(arguments: [
    "UPDATE contact SET note = 'x'", "UPDATE contact SET note = 'x', version = version + 1",
    "UPDATE phone SET value = '1' WHERE position = 0", "DELETE FROM email", "DELETE FROM group_member",
    "UPDATE contact_group SET name = 'Fiends' WHERE name = 'Friends'", "DELETE FROM contact_group",
    "INSERT INTO related (contact_id, label, value) SELECT id, '', 'x' FROM contact", "DELETE FROM avatar",
    "REPLACE INTO contact (id, uid, display_name, section, sort_key, created_at, modified_at) "
      + "SELECT id, uid, 'x', 3, x'03', '', '' FROM contact",
  ])
  func writesOfOtherProgramsClearTheChecksum(_ sql: String) throws {
    try book.database.write { try $0.execute(sql: sql) }
    #expect(try checksums().isEmpty)
    try readAll()
    #expect(book.damage.isEmpty)
  }

  @Test func everyWayOfSavingSetsTheChecksum() throws {
    func expectChecksums(_ comment: Comment, _ count: Int = 1) throws {
      #expect(try checksums().count == count, comment)
      try readAll()
      #expect(book.damage.isEmpty, comment)
    }
    let context = book.newContext()
    let person = try #require(try context.person(id))
    person.note = "another"
    try context.save()
    try expectChecksums("edited")
    var contact = try person.contact
    contact.phones.append(LabeledValue(label: "work", value: "12"))
    contact.groups = ["Friends", "Actors"]
    contact.addresses = []
    try person.apply(contact)
    try context.save()
    try expectChecksums("parts")
    try person.setPhoto(Photo(mediaType: "image/png", data: Data([4, 5])))
    try context.save()
    try expectChecksums("photo")
    _ = try context.undo()
    try context.save()
    try expectChecksums("undone")
    let group = try #require(try context.existingGroup(named: "Friends"))
    group.name = "Old friends"
    try context.save()
    try expectChecksums("group renamed")
    let gone = try #require(try context.existingGroup(named: "Actors"))
    try context.delete(gone)
    try context.save()
    try expectChecksums("group deleted")
    try context.delete(try #require(try context.person(id)))
    try context.save()
    try expectChecksums("deleted")
    try context.restore(try #require(try context.deletedPerson(id)))
    try context.save()
    try expectChecksums("restored")
    try book.bulkWrite { writer in
      try writer.change(id) { $0.note = "by many" }
      for person in SampleContacts(count: 50, seed: 1) { try writer.write(person) }
    }
    try expectChecksums("in bulk", 51)
    _ = try book.bulkEdit([id], .delete, as: StepName(.delete), isCancelled: { false })
    try expectChecksums("deleted in bulk", 51)
  }

  @Test func aSavedContactIsNoLongerDamaged() throws {
    try damage("UPDATE contact SET note = 'x'")
    try readAll()
    #expect(book.damage.has(id))
    _ = try book.newContext().edit(id) { $0.nickname = "a" }
    try readAll()
    #expect(book.damage.isEmpty)
  }

  @Test func aWriteOfManyLeavesTheChecksumsForLater() throws {
    try book.bulkWrite { writer in for person in SampleContacts(count: 1200, seed: 1) { try writer.write(person) } }
    #expect(try checksums().count == 1201 && !book.hasUncheckedWrites)
    _ = try book.bulkEdit(Array(1...700), .delete, as: nil)
    #expect(try checksums().count == 501 && book.hasUncheckedWrites)
    try book.completeChecksums(isCancelled: { true })
    #expect(book.hasUncheckedWrites, "the rest is for the next time")
    #expect(try book.completeChecksums() == 700)
    #expect(try checksums().count == 1201 && !book.hasUncheckedWrites)
    try readAll()
    #expect(book.damage.isEmpty)
  }

  /// Older checksums did not include the version.
  @Test func aChecksumWithoutTheVersionFits() throws {
    let context = book.newContext()
    try #require(try context.person(id)).note = "another"
    try context.save()
    try book.database.write { db in
      let stored = try #require(try ContactLoader(db).loadStored([id]).first)
      #expect(stored.contact.version == 2)
      var digest = ContactDigest()
      try ContactChecksums.insert(id, digest.sum(of: stored), ContactChecksums.insertion(db))
    }
    try readAll()
    #expect(book.damage.isEmpty)
  }

  @Test func contactsWrittenByOthersGetChecksumsLater() throws {
    try book.bulkWrite { writer in for person in SampleContacts(count: 1200, seed: 1) { try writer.write(person) } }
    #expect(try book.completeChecksums() == 0)
    try book.database.write { try $0.execute(sql: "UPDATE contact SET note = 'x' WHERE id % 2 = 0") }
    let log = try book.database.read { try ContactChecksums.line($0) }
    #expect(try checksums().count == 601)
    #expect(try book.completeChecksums() == 600)
    #expect(try checksums().count == 1201)
    #expect(try book.database.read { try ContactChecksums.line($0) } == log, "this is not a write of a contact")
    try readAll()
    #expect(book.damage.isEmpty)
  }

  @Test func theSameTextElsewhereInAContactChangesTheChecksum() {
    var digest = ContactDigest()
    var seen: Set<Int64> = []
    let changes: [(inout Contact) -> Void] = [
      { $0.given = "ab" }, { $0.family = "ab" }, { $0.phones = [LabeledValue(label: "a", value: "b")] },
      { $0.phones = [LabeledValue(label: "", value: "ab")] }, { $0.emails = [LabeledValue(label: "a", value: "b")] },
      { $0.phones = [LabeledValue(label: "a", value: ""), LabeledValue(label: "", value: "b")] },
      { $0.groups = ["ab"] }, { $0.groups = ["a", "b"] }, { $0.cardLines = ["ab"] }, { $0.cardLines = ["a", "b"] },
      { $0.addresses = [PostalAddress(label: "a", street: "b")] },
      { $0.addresses = [PostalAddress(label: "a", city: "b")] },
    ]
    for change in changes {
      var contact = Contact()
      change(&contact)
      let empty = DerivedColumns(Contact())
      #expect(seen.insert(digest.sum(of: StoredContact(contact: contact, derived: empty))).inserted)
    }
  }

  /// Books contain checksums: if one of these numbers changed, every book would appear damaged.
  @Test func theDefinitionIsFrozen() {
    var digest = ContactDigest()
    var contact = Contact.example
    contact.uid = "a"
    contact.photo = PhotoSummary(mediaType: "image/png", bytes: 3, sha256: "abc")
    let derived = DerivedColumns(
      displayName: "李小龙", section: 11, sortKey: [11, 1, 2], listPhone: "139 2222 3333", listEmail: "")
    let stored = StoredContact(contact: contact, derived: derived, deleted: "2026-11-22T09:30:00Z")
    #expect(digest.sum(of: stored) == 1_641_922_821_643_238_036)
    #expect(
      [1, 2, 300].map(StoredContact.mark)
        == [-2_152_535_657_050_944_081, 7_960_286_522_194_355_700, -6_325_390_312_314_581_070])
  }
}

extension AddressBook {
  /// Changes contacts as damage does: checksums and versions stay as they are.
  func damage(_ sql: String, _ arguments: StatementArguments = []) throws {
    try database.write { db in
      let before = try Row.fetchAll(db, sql: "SELECT * FROM contact_checksum")
      try OwnVersions.begin(db)
      try db.execute(sql: sql, arguments: arguments)
      try OwnVersions.end(db)
      for row in before {
        try db.execute(sql: "INSERT OR REPLACE INTO contact_checksum VALUES (?, ?)", arguments: [row[0], row[1]])
      }
    }
  }
}
