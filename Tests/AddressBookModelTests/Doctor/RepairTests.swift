import Contacts
import Foundation
import GRDB
import Testing

@testable import AddressBookModel
@testable import BookCare
@testable import Messages

/// What the doctor repairs in place.
struct RepairTests {
  private let file: DamagedBookFile
  private let original: [Contact]

  init() throws {
    file = try DamagedBookFile()
    original = try file.contacts()
  }

  /// Repairs, and checks that the book is in order.
  private func repair() throws -> RepairReport {
    let report = try file.doctor.repair()
    #expect(report.after.isHealthy, "\(report.after.findings)")
    #expect(try file.integrity() == "ok")
    let book = try AddressBook.open(at: file.location)
    try book.checkGroups()
    try book.forEachContact { _ in true }
    #expect(book.damage.isEmpty)
    book.close()
    return report
  }

  private func contacts(_ report: RepairReport, _ kind: RepairReport.Action.Kind) -> [Int64] {
    report.actions.filter { $0.kind == kind }.flatMap { $0.contacts.map(\.id) }
  }

  @Test(arguments: [
    "UPDATE contact SET display_name = 'x', sort_key = x'01' WHERE id = 9",
    "UPDATE section_count SET count = 0", "DELETE FROM section_count WHERE section = 3",
    "DELETE FROM sqlite_sequence",
    "DROP TRIGGER part_inserted_phone; DROP TRIGGER checksum_updated", "DROP INDEX phone_contact",
    "DROP INDEX contact_order; CREATE INDEX contact_order ON contact(section)",
    "DROP TABLE not_same", "DROP TABLE edit_step", "DROP TABLE section_count",
    "UPDATE contact_checksum SET whole = whole + 1 WHERE contact_id = 1", "INSERT INTO group_member VALUES (99, 1)",
  ])
  func repairsLoseNoContactData(_ sql: String) throws {
    try file.execute(sql)
    _ = try repair()
    #expect(try file.contacts() == original)
  }

  /// Another program's columns are no reason to salvage a book, nor do they get in the way of a save.
  @Test func aBookWithFurtherColumnsIsEditedAndRepairedInPlace() throws {
    let tables = try DatabaseQueue(path: file.path).read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM pragma_table_list
          WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%search%'
          """)
    }
    #expect(tables.count > 20)
    for table in tables { try file.execute("ALTER TABLE \(table) ADD COLUMN extra TEXT") }
    let examination = try file.doctor.examine()
    let added = try #require(examination.findings.first { $0.kind == .additions })
    #expect(examination.isHealthy && added.count == tables.count && added.details.contains("contact.extra"))
    let book = try AddressBook.open(at: file.location)
    _ = try book.bulkEdit([1, 2], .join("New"), as: StepName(.edit), isCancelled: { false })
    _ = try book.bulkEdit([8], .delete, as: StepName(.delete), isCancelled: { false })
    let context = book.newContext()
    let person = try #require(try context.person(9))
    person.note = "Edited."
    try context.save()
    book.close()
    let edited = try file.contacts()
    try file.execute("UPDATE contact_checksum SET whole = whole + 1 WHERE contact_id = 1")
    let report = try repair()
    #expect(!report.actions.contains { $0.kind == .salvaged }, "\(report.actions)")
    #expect(try file.contacts() == edited)
    try file.execute("DROP INDEX phone_contact; UPDATE section_count SET count = 0; DROP TRIGGER part_inserted_phone")
    #expect(!(try repair()).actions.contains { $0.kind == .salvaged })
    #expect(try file.contacts() == edited)
  }

  /// What another program's column refers to is its own affair.
  @Test func aReferenceFromAFurtherColumnIsNotExamined() throws {
    try file.execute(
      """
      CREATE TABLE company(id INTEGER PRIMARY KEY);
      ALTER TABLE contact ADD COLUMN company INTEGER REFERENCES company(id);
      UPDATE contact SET company = 7 WHERE id = 3
      """)
    let examination = try file.doctor.examine()
    let added = try #require(examination.findings.first { $0.kind == .additions })
    #expect(examination.isHealthy && added.details.sorted() == ["company", "contact.company"])
  }

  /// Only further columns are accepted, not other constraints.
  @Test(arguments: [
    ("CHECK (first < second)", "CHECK (first < second), CHECK (first > 0)"),
    ("PRIMARY KEY (first, second)", "PRIMARY KEY (second, first)"),
    ("first INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE", "first INTEGER NOT NULL"),
  ])
  func aTableWithOtherConstraintsIsDamaged(_ change: (from: String, to: String)) throws {
    try file.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, '\(change.from)', '\(change.to)') WHERE name = 'not_same'
      """)
    let found = try file.doctor.examine().findings
    #expect(found.contains { $0.kind == .tables && $0.details == ["not_same"] }, "\(found)")
  }

  @Test(arguments: [
    "second line", "139 2222 3333", "X-SIFU:Yip Man", "Golden Harvest", "lee@example.com", "1964-08-17",
    "Cumberland Road", "小龙", "--11-27", "mobile", "Linda",
  ])
  func aFlippedBitIsRestoredFromABackup(_ text: String) throws {
    try file.backUp()
    let good = file.bytes
    for occurrence in 0..<3 where file.flip(text, bit: 2, occurrence: occurrence) {
      let report = try repair()
      #expect(contacts(report, .accepted).isEmpty, "\(text) \(occurrence)")
      #expect(try file.contacts() == original, "\(text) \(occurrence)")
      file.bytes = good
    }
    #expect(!file.kept.isEmpty, "the book as it was is kept")
  }

  /// A restored contact is in its groups again, even if one of them is gone.
  @Test func aLostGroupComesBackWithItsMembers() throws {
    try file.backUp()
    let work = "(SELECT id FROM contact_group WHERE name = 'Work')"
    try file.execute("DELETE FROM group_member WHERE group_id = \(work); DELETE FROM contact_group WHERE name = 'Work'")
    #expect(try file.contacts() != original)
    let report = try repair()
    #expect(contacts(report, .accepted).isEmpty && !contacts(report, .restored).isEmpty)
    #expect(try file.contacts() == original)
  }

  @Test(arguments: [3, 66, 0, -126, Int.max])
  func aDamagedVersionIsNoticed(version: Int) throws {
    try file.execute(
      "UPDATE contact SET note = note || '!', version = 2 WHERE id = 61", keepingChecksums: false)
    let book = try AddressBook.open(at: file.location)
    #expect(try book.completeChecksums() == 1)
    book.close()
    let original = try file.contacts()
    try file.execute("UPDATE contact SET version = \(version) WHERE id = 61")
    #expect(contacts(try repair(), .accepted) == [61])
    #expect(try file.contacts() == original)
  }

  /// An open form notices the repair.
  @Test(arguments: [false, true]) func theRepairOfAPhotoRaisesTheVersion(_ hasBackup: Bool) throws {
    func version() throws -> Int? {
      let book = try AddressBook.open(at: file.location)
      defer { book.close() }
      return try book.contact(id: 1)?.version
    }
    if hasBackup { try file.backUp() }
    let before = try #require(try version())
    try file.execute("UPDATE avatar SET data = x'00' WHERE contact_id = 1")
    let report = try repair()
    #expect(report.actions.contains { $0.kind == (hasBackup ? .photosRestored : .photosAccepted) })
    #expect(try version() == before + 1)
  }

  @Test func anInvalidByteIsRestoredFromABackup() throws {
    try file.backUp()
    var data = Data(file.bytes)
    let range = try #require(data.range(of: Data("second line".utf8)))
    data[range.lowerBound] ^= 0x80
    file.bytes = Array(data)
    #expect(contacts(try repair(), .restored) == [61])
    #expect(try file.contacts() == original)
  }

  @Test func aGroupNameIsRestored() throws {
    var data = Data(file.bytes)
    let range = try #require(data.range(of: Data("Friends".utf8)))
    data[range.lowerBound] ^= 1
    file.bytes = Array(data)
    _ = try repair()
    #expect(try file.contacts() == original)
  }

  /// A name that another group has by now cannot be restored, and is not reported as restored.
  @Test func aGroupNameThatIsTakenStays() throws {
    try file.execute(
      """
      UPDATE contact_group SET name = 'Priends' WHERE name = 'Friends';
      UPDATE contact SET version = version - 1 WHERE id IN (
        SELECT contact_id FROM group_member JOIN contact_group g ON g.id = group_id WHERE g.name = 'Priends');
      INSERT INTO contact_group (uid, name) VALUES ('other', 'Friends')
      """)
    let queue = try DatabaseQueue(path: file.path, configuration: StoreConfiguration().connection())
    defer { try? queue.close() }
    let log = RepairLog()
    try queue.write { db in
      let id = try Int64.fetchOne(db, sql: "SELECT id FROM contact_group WHERE name = 'Priends'")
      let difference = GroupCheck.Difference(id: try #require(id), name: "Priends", indexed: "Friends")
      try ContentRepair(db, file.location, DoctorProgress(), log).run([difference])
    }
    #expect(!log.actions.contains { $0.kind == .groups })
    #expect(log.actions.contains { $0.kind == .accepted }, "their group has another name than when they were saved")
  }

  /// The repair compares only some members with their checksums before it restores the name, but must keep the
  /// checksums of all members.
  @Test func damageIsFoundInEveryMemberOfARenamedGroup() throws {
    let file = try DamagedBookFile(people: 400)
    let book = try AddressBook.open(at: file.location)
    let group = try #require(try book.groups().first { $0.name == "Friends" })
    let last = try #require(try book.memberIDs(ofGroup: group.id).max())
    book.close()
    #expect(group.count > 150)
    try file.execute("UPDATE contact SET note = 'something else' WHERE id = \(last)")
    #expect(file.flip("Friends", bit: 1, occurrence: 0))
    #expect(try file.kinds().contains(.groups))
    let report = try file.doctor.repair()
    #expect(report.actions.contains { $0.kind == .groups })
    #expect(contacts(report, .accepted) == [last])
    #expect(report.after.isHealthy)
  }

  @Test func contactsAreRestoredFromABackup() throws {
    try file.backUp()
    try file.execute(
      """
      UPDATE contact SET given = 'Somebody', family = 'Else' WHERE id = 8;
      UPDATE avatar SET data = x'00' WHERE contact_id = 11; DELETE FROM email WHERE contact_id = 12
      """)
    let report = try repair()
    #expect(contacts(report, .restored).contains(8))
    #expect(report.actions.contains { $0.kind == .photosRestored })
    #expect(try file.contacts() == original)
  }

  @Test func unrecoverableContactsAreAcceptedAndReported() throws {
    try file.execute("UPDATE contact SET note = 'something else' WHERE id = 9")
    let report = try repair()
    #expect(contacts(report, .accepted) == [9])
    let text = report.actions.map { $0.message(in: Localization(language: .english)) }.joined(separator: "\n")
    #expect(text.contains("accepted as it is: 9 "))
    #expect(try file.contacts(file.folder.file(try #require(file.kept.first)))[8].note == "something else")
  }

  @Test func deletedContactsStayDeleted() throws {
    try file.execute("UPDATE contact SET title = 'x' WHERE id IN (3, 4)")
    _ = try repair()
    let book = try AddressBook.open(at: file.location)
    #expect(try book.deletedCount() == 2)
    book.close()
  }

  @Test func aPhoneNumberWithoutAContactGetsOne() throws {
    try file.execute("INSERT INTO phone (contact_id, value) VALUES (4711, '555 4711')")
    let report = try repair()
    #expect(contacts(report, .adopted) == [4711])
    #expect(try file.contacts().last?.phones.map(\.value) == ["555 4711"])
  }

  @Test func aContactWithoutARowIsRestoredFromABackup() throws {
    try file.backUp()
    try file.execute("DELETE FROM contact WHERE id = 8")
    #expect(contacts(try repair(), .restored) == [8])
    #expect(try file.contacts() == original)
  }

  @Test func everyRowThatRefersToAMissingRowIsFound() throws {
    let (tables, insertions) = try Migrations.freshBook().read { db in
      let tables = try String.fetchAll(
        db, sql: "SELECT DISTINCT t.name FROM sqlite_master t JOIN pragma_foreign_key_list(t.name)")
      return (tables, try tables.map { try orphan(of: $0, db) })
    }
    #expect(tables.count > 10)
    try file.execute(insertions.joined(separator: ";"))
    let finding = try #require(try file.doctor.examine().findings.first { $0.kind == .references })
    #expect(Set(finding.details) == Set(tables))
    _ = try repair()
    #expect(try file.contacts().filter { $0.id < 4711 } == original)
  }

  /// Returns a statement that inserts a row whose foreign keys refer to missing rows.
  private func orphan(of table: String, _ db: Database) throws -> String {
    let columns = try Row.fetchAll(
      db,
      sql: """
        SELECT name, type FROM pragma_table_info(?1) WHERE ("notnull" AND dflt_value IS NULL)
          OR name IN (SELECT "from" FROM pragma_foreign_key_list(?1))
        """, arguments: [table])
    let values = columns.enumerated().map { index, column in
      ["INTEGER": "\(4711 + index)", "TEXT": "'[]'", "BLOB": "x'00'"][column.text(1)] ?? "NULL"
    }
    let names = columns.map { $0.text(0) }
    return "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
  }

  @Test func damageToAMemberOfAMissingGroupIsReported() throws {
    try file.execute(
      "INSERT INTO group_member VALUES (99, 9); UPDATE contact SET note = 'something else' WHERE id = 9")
    #expect(contacts(try repair(), .accepted) == [9])
  }

  @Test func unreadableStepsAreRemoved() throws {
    try file.execute("UPDATE edit_entry SET changes = x'0102' WHERE contact_id = 5")
    let report = try repair()
    #expect(report.actions.contains { $0.kind == .historyRemoved && $0.count == 1 })
    #expect(try file.contacts() == original)
  }

  @Test func aDamagedIndexIsRecreated() throws {
    file.overwrite(pages: [try file.root("phone_contact")])
    let report = try repair()
    #expect(report.actions.contains { [.reindexed, .salvaged].contains($0.kind) })
    #expect(try file.contacts() == original)
  }

  @Test func cancelingChangesNothing() throws {
    file.replace("second line", "second lane")
    let before = file.bytes
    let doctor = BookDoctor(file.location, progress: DoctorProgress(isCancelled: { true }))
    let error = #expect(throws: StoreError.self) { try doctor.repair() }
    #expect(error?.reason == .cancelled)
    #expect(file.bytes == before)
    #expect(file.kept.isEmpty)
  }
}
